"""The levels: their agents, their slips, and their order of strength."""

from __future__ import annotations

import argparse
from dataclasses import replace

import pytest

from plyground import reversi
from plyground.agents import LevelAgent, PathfinderAgent, make
from plyground.arena import play_game
from plyground.cli.game_options import add_game_options
from plyground.cli.main import main
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.games.levels import LEVEL_NAMES, Level, Slips
from plyground.play import Seat
from plyground.quoridor import GameConfig, State
from plyground.search import SearchLimits
from plyground.serve.engine_options import EngineOptions


@pytest.mark.parametrize("game", ["quoridor", "reversi"])
def test_every_game_has_every_level_and_an_adviser(game: str) -> None:
    levels, adviser = registry.get(game).levels, registry.get(game).adviser
    assert tuple(levels) == LEVEL_NAMES
    state: State = registry.get(game).start({})
    for size in (5, state.game.board_size(state)):
        make(adviser.agent_on(size), game)
    for level in LEVEL_NAMES:
        agent = make(level, game)
        assert isinstance(agent, LevelAgent)
        assert agent.select_action(state, SearchLimits(time_s=0.05)) in state.legal_actions()


def test_a_seed_fixes_the_slips() -> None:
    def first_moves(seed: int) -> list[int]:
        agent = make(f"easy:seed={seed}")
        return [agent.select_action(State()) for _ in range(10)]

    assert first_moves(1) == first_moves(1) != first_moves(2)


def test_a_slip_stays_among_the_best_moves() -> None:
    state = State.parse("9 e4/e6 c3h,e3h,d7h 8/9 2 9 1")
    level = state.game.levels["easy"]
    assert level.slips is not None
    agent = make(level.agent)
    after = {}
    for action in state.legal_actions():
        score = agent.search(state.play(action)).score
        assert score is not None
        after[action] = -score.value
    best = sorted(after, key=lambda action: -after[action])[: level.slips.among]
    easy = make("easy:seed=3")
    assert {easy.select_action(state) for _ in range(30)} <= set(best)


@pytest.mark.parametrize(
    ("text", "moves"), [("9 e8/a5 - 3/3 1 20 4", {"e9"}), ("9 a1/e2 - 3/3 2 21 4", {"e1"})]
)
@pytest.mark.parametrize("level", ["beginner", "easy"])
def test_a_low_level_takes_a_win_that_is_there(level: str, text: str, moves: set[str]) -> None:
    state = State.parse(text)
    agent = make(f"{level}:seed=5")
    wanted = {state.parse_move(move) for move in moves}
    for _ in range(10):
        result = agent.search(state)
        assert (result.best_move in wanted, result.win_in) == (True, 1)


def test_other_boards_may_have_another_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    level = Level("zero:sims=2", other_boards="minimax:depth=1")
    monkeypatch.setitem(registry.get("quoridor").levels, "master", level)
    agent = LevelAgent("master")
    for state, unit in ((State(), "value"), (State(GameConfig.preset("small")), "steps")):
        score = agent.search(state).score
        assert score is not None
        assert score.unit.name == unit


def test_a_clock_can_only_shorten_a_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(
        registry.get("quoridor").levels, "hard", Level("engine:nodes=500,hash_mb=1")
    )
    agent = LevelAgent("hard")
    rich = agent.search(State(), SearchLimits(clock_s=1000))
    agent.new_game()
    assert rich.nodes_searched == agent.search(State()).nodes_searched < 1000
    agent.new_game()
    assert agent.search(State(), SearchLimits(nodes=10**6)).nodes_searched < 1000


def test_reversi_slips_too(monkeypatch: pytest.MonkeyPatch) -> None:
    level = Level("minimax:depth=1", Slips(spread=1000.0, among=4))
    monkeypatch.setitem(registry.get("reversi").levels, "easy", level)
    agent = LevelAgent("easy", seed=1, game="reversi")
    moves = {agent.select_action(reversi.State()) for _ in range(60)}
    assert moves == set(reversi.State().legal_actions())


def test_beginner_plays_like_the_pathfinder_and_overlooks_moves() -> None:
    state = State.parse("9 e4/e6 c3h,e3h,d7h 8/9 2 9 1")
    preferred = [action for action, _ in PathfinderAgent().rank(state)]
    beginner = make("beginner:seed=1")
    played = [preferred.index(beginner.select_action(state)) for _ in range(200)]
    assert 130 <= played.count(0) <= 170  # it overlooks a move with a chance of 0.25
    assert played.count(0) > played.count(1) > played.count(2)


@pytest.mark.parametrize("game", ["quoridor", "reversi"])
def test_a_level_that_overlooks_every_move_plays_the_best(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = registry.get(game)
    blind = replace(known.levels["beginner"], slips=Slips(spread=0.0, among=1, overlooks=1.0))
    alert = replace(known.levels["beginner"], slips=Slips(spread=0.0, among=1))
    chosen = []
    for level in (blind, alert):
        monkeypatch.setitem(known.levels, "beginner", level)
        chosen.append(LevelAgent("beginner", seed=1).search(known.start({})).best_move)
    assert chosen[0] == chosen[1]


def test_beginner_sees_the_move_that_wins_a_game_of_reversi() -> None:
    # c1 turns over both white discs; d2 and d4 turn over one.
    rows = ["--------", "-XO-----", "--O-----", "--X-----", *["--------"] * 4]
    state = reversi.State.parse("".join(rows) + " X")
    agent = make("beginner:seed=1", "reversi")
    assert {str(agent.select_action(state)) for _ in range(20)} == {"c1"}


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(ConfigError, match="expected a level among beginner, easy, casual, normal"):
        LevelAgent("brutal")


# What is fast enough here; docs/results.md has the matches between all neighbours.
@pytest.mark.parametrize(
    ("game", "lower", "higher"),
    [
        ("quoridor", "random", "beginner"),
        ("quoridor", "easy", "normal"),
        ("quoridor", "beginner", "casual"),
        ("reversi", "beginner", "easy"),
        ("reversi", "easy", "casual"),
        ("reversi", "casual", "normal"),
    ],
)
def test_a_level_beats_the_one_below(game: str, lower: str, higher: str) -> None:
    won = 0.0
    for seed in range(8):
        agents = {1: make(f"{lower}:seed={seed}", game), 2: make(f"{higher}:seed={seed}", game)}
        if seed % 2:
            agents = {1: agents[2], 2: agents[1]}
        outcome = play_game(registry.get(game).start({}), agents).outcome
        assert outcome is not None
        won += 0.5 if outcome.winner is None else outcome.winner == 2 - seed % 2
    assert won >= 5


def test_medium_is_another_name_of_normal(capsys: pytest.CaptureFixture[str]) -> None:
    for game in ("quoridor", "reversi"):
        agent = make("medium", game)
        assert isinstance(agent, LevelAgent)
        assert (agent.level, agent.name) == ("normal", "medium")
    assert EngineOptions().with_option("Level", "medium").level == "normal"
    assert Seat.of("medium:seed=1", "reversi").name == "medium:seed=1"
    assert main(["play", "reversi", "--level", "middle"]) == 2
    assert "invalid choice: 'middle'" in capsys.readouterr().err
    options = argparse.ArgumentParser()
    add_game_options(options)
    assert options.parse_args(["--level", "medium"]).level == "normal"
