"""The minimax agent: what it is told, what it refuses, how it plays."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from plyground.agents import MinimaxAgent, RandomAgent, make
from plyground.errors import ConfigError, IllegalMoveError
from plyground.games import registry
from plyground.quoridor import GameConfig, State
from plyground.search.limits import SearchLimits
from plyground.search.quoridor_textbook import TextbookWeights
from plyground.search.result import SearchResult
from plyground.search.textbook import alphabeta

MIDGAME = "9 f5/d5 b2h,f4h,c5h,e5v,g6v 8/7 2 17 3"


def test_the_defaults() -> None:
    agent = MinimaxAgent(1)
    assert (agent.player_number, agent.max_depth, agent.max_wall_moves) == (1, 2, 8)
    assert agent.weights == TextbookWeights(12.0, 1.5, 2.0)
    assert (agent.path_weight, agent.progress_weight, agent.wall_weight) == (12.0, 1.5, 2.0)


def test_its_weights_are_attributes() -> None:
    agent = MinimaxAgent(2, 3, 5, 10.0, 0.5, 4.0)
    assert (agent.path_weight, agent.progress_weight, agent.wall_weight) == (10.0, 0.5, 4.0)
    tuned = MinimaxAgent(weights="tuned")
    assert tuned.path_weight == tuned.weights_for(9).path_weight


@pytest.mark.parametrize("size", range(3, 10))
def test_its_answer_is_played_by_make_move_and_play(size: int) -> None:
    state = State(GameConfig(board_size=size))
    while not state.game_over:
        answer: Any = MinimaxAgent(state.current_player, depth=1).select_action(state)
        assert state.make_move(*answer) == state.play(answer)
        state = state.play(answer)


def test_it_plays_what_its_search_finds() -> None:
    state = State.parse(MIDGAME)
    agent = MinimaxAgent(2, 3, 5, 10.0, 0.5, 4.0)
    expected = alphabeta(state, 3, TextbookWeights(10.0, 0.5, 4.0), max_wall_moves=5)
    result = agent.search(state)
    assert (result.best_move, result.score, result.pv, result.depth, result.nodes_searched) == (
        expected.best_move,
        expected.score,
        expected.pv,
        3,
        expected.nodes_searched,
    )
    assert agent.select_action(state) == result.best_move == result.pv[0]


@pytest.mark.parametrize("size", range(3, 10))
@pytest.mark.parametrize("limit", [None, 0])
def test_without_a_limit_it_tries_all_walls(size: int, limit: int | None) -> None:
    state = State(GameConfig(board_size=size))
    agent = MinimaxAgent(1, depth=1, max_wall_moves=limit)
    assert agent.max_wall_moves == limit
    assert agent.search(state).nodes_searched == 1 + len(state.legal_actions())


def test_a_depth_limit_replaces_its_own() -> None:
    state = State.parse("9 e6/a5 - 0/0 1 20 5")  # won in five plies, by the straight way
    agent = MinimaxAgent(1, depth=1, path_weight=-1, progress_weight=-1)
    away = agent.select_action(state)
    ahead = agent.select_action(state, SearchLimits(depth=5))
    assert state.play(away).player1_pos != (6, 4)
    assert state.play(ahead).player1_pos == (6, 4)
    assert agent.select_action(state, SearchLimits(time_s=1)) == away
    assert agent.max_depth == 1


def test_it_waits_for_its_turn() -> None:
    state = State.parse(MIDGAME)
    for choose in (MinimaxAgent(1).select_action, MinimaxAgent(1).search):
        with pytest.raises(IllegalMoveError) as caught:
            choose(state)
        assert str(caught.value) == (
            f"player 1 cannot choose a move in '{MIDGAME}': it is player 2's turn"
        )
    assert MinimaxAgent(None).select_action(state) == MinimaxAgent(2).select_action(state)


def test_a_finished_game_has_no_move() -> None:
    for choose in (MinimaxAgent(1).select_action, MinimaxAgent(1).search):
        with pytest.raises(IllegalMoveError, match=r"no move to choose in .* the game is over"):
            choose(State.parse("3 b2/b1 - 2/2 1 2 2"))


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_it_takes_a_win_and_stops_one(depth: int) -> None:
    state = State.parse("9 e8/a2 - 5/5 1 20 5")
    assert state.play(MinimaxAgent(1, depth).select_action(state)).winner == 1
    # Player 1 cannot win at once, player 2 would: of all moves only walls in the way help.
    state = State.parse("9 a3/e2 - 5/5 1 20 5")
    after = state.play(MinimaxAgent(1, max(depth, 2)).select_action(state))
    assert after.walls_remaining[1] == 4
    assert after.shortest_path_length(2) > 1


@pytest.mark.parametrize("preset", ["small", "standard"])
def test_it_beats_a_random_player(preset: str, seed: int) -> None:
    for player in (1, 2):
        for game in range(3):
            agent, other = MinimaxAgent(player), RandomAgent(seed + game)
            state = State(GameConfig.preset(preset))
            while not state.game_over:
                chooser = agent if state.current_player == player else other
                state = state.play(chooser.select_action(state))
            assert state.winner == player


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"player_number": 3}, "expected player_number to be 1, 2 or None, got 3"),
        ({"depth": 0}, "expected depth to be a whole number from 1 to 100, got 0"),
        ({"depth": "2"}, "expected depth to be a whole number from 1 to 100, got '2'"),
        ({"max_wall_moves": -1}, "expected max_wall_moves to be a whole number from 0, got -1"),
        (
            {"path_weight": "high"},
            "expected path_weight to be a number from -5000 to 5000, got 'high'",
        ),
        (
            {"wall_weight": 1e9},
            "expected wall_weight to be a number from -5000 to 5000, got 1000000000.0",
        ),
    ],
)
def test_settings_that_cannot_work_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        MinimaxAgent(**options)
    assert str(caught.value) == message


# ---- from files and strings


def test_it_is_read_from_yaml(tmp_path: Path) -> None:
    path = tmp_path / "agent.yaml"
    path.write_text("preset: small\ndepth: 3\nmax_wall_moves: null\nwall_weight: 3\n")
    agent = MinimaxAgent.from_yaml(path, 2)
    assert (agent.player_number, agent.max_depth, agent.max_wall_moves) == (2, 3, None)
    assert agent.weights == TextbookWeights(12.0, 1.5, 3)
    path.write_text("")
    assert MinimaxAgent.from_yaml(path).weights == TextbookWeights()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("path_wieght: 3", "unknown key 'path_wieght' in {path}; did you mean 'path_weight'?"),
        ("player_number: 1", "unknown key 'player_number' in {path}"),
        ("depth: 0", "expected depth to be a whole number from 1 to 100, got 0 in {path}"),
        ("preset: big", "expected a preset among standard, small, tiny, got 'big' in {path}"),
        ("- 12", "expected settings like 'preset: ...' in {path}, got [12]"),
    ],
)
def test_bad_files_are_explained(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "agent.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        MinimaxAgent.from_yaml(path)
    assert str(caught.value) == message.format(path=path)


def test_a_missing_file_is_explained(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read .*nowhere\.yaml: "):
        MinimaxAgent.from_yaml(tmp_path / "nowhere.yaml")


def test_a_string_names_it(rng: random.Random) -> None:
    agent = make("minimax:depth=3,max_wall_moves=4,wall_weight=0.5")
    assert isinstance(agent, MinimaxAgent)
    assert (agent.player_number, agent.max_depth, agent.max_wall_moves) == (None, 3, 4)
    assert agent.weights == TextbookWeights(wall_weight=0.5)
    everything = make("minimax:max_wall_moves=all")
    assert isinstance(everything, MinimaxAgent)
    assert everything.max_wall_moves is None
    state = State().play(rng.choice(State().legal_actions()))
    assert agent.select_action(state) in state.legal_actions()


class _StopError(Exception):
    """Ends a search."""


@pytest.mark.parametrize("game", ["quoridor", "reversi"])
def test_an_exception_from_the_progress_ends_a_deep_search(game: str) -> None:
    state = registry.get(game).start()
    seen: list[SearchResult] = []

    def stop(result: SearchResult) -> None:
        seen.append(result)
        raise _StopError

    with pytest.raises(_StopError):
        make("minimax:depth=60", game).search(state, None, stop)
    assert state.is_legal(seen[0].best_move)
    assert seen[0].depth == 1
