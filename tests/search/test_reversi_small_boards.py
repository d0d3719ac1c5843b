"""Reversi on 4x4 and 6x6: rules, records, players, and what perfect play leads to."""

from __future__ import annotations

import json
import random

import pytest

from plyground import reversi
from plyground.agents import make
from plyground.analysis.adviser import adviser_for
from plyground.cli.main import main
from plyground.envs.reversi_vector import ReversiVectorEnv
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games import registry
from plyground.games.book_position import BookPosition
from plyground.games.levels import LEVEL_NAMES
from plyground.play import Record, format_ggf
from plyground.play.record_text import format_record, parse_record
from plyground.reversi import State
from plyground.search import (
    Engine,
    ReversiEvaluator,
    SearchLimits,
    alphabeta,
    default_switches,
    minimax,
    solve_endgame,
)
from plyground.search.reversi_patterns import shipped_patterns
from plyground.train.config import TrainConfig
from plyground.ui.web.texts import translate

GAME = registry.get("reversi")
PERFT = {4: [4, 12, 44, 128, 424], 6: [4, 12, 56, 244, 1364]}
"""Also counted by the plain rules, in tests/differential/test_reversi.py."""


@pytest.mark.parametrize("size", [4, 6])
def test_the_core_and_a_text_agree(size: int) -> None:
    state = State(size)
    assert state.board_size == size
    assert State.parse(state.text()) == state
    assert [state.perft(depth) for depth in range(1, 6)] == PERFT[size]
    assert state != State()
    assert str(state).splitlines()[0] == "  a b c d e f"[: 1 + 2 * size]
    with pytest.raises(IllegalMoveError, match="it is not on the board"):
        state.play(63)
    with pytest.raises(NotationError, match=r"expected a square from a1 to (d4|f6) or 'pass'"):
        state.play("h8")
    with pytest.raises(NotationError, match="move 1: expected a square from a1 to"):
        reversi.parse_transcript("h8", state)


def test_other_sizes_are_refused() -> None:
    with pytest.raises(ConfigError, match="expected a board of 8, 6 or 4 rows, got 5"):
        State(5)
    with pytest.raises(ConfigError, match="expected Board 8, 6 or 4 for reversi, got '10'"):
        GAME.start({"Board": "10"})
    with pytest.raises(ConfigError, match="expected a position of Board 6"):
        GAME.start({"Board": "6"}, State(4).text())
    with pytest.raises(NotationError, match="got 26 characters"):
        State.parse("-" * 25 + "X")


@pytest.mark.parametrize("size", [4, 6])
def test_a_record_has_the_board(size: int) -> None:
    rng, state, moves = random.Random(size), State(size), list[int]()
    while actions := state.legal_actions():
        moves.append(rng.choice(actions))
        state = state.play(moves[-1])
    record = Record.from_moves(moves, State(size))
    text = format_record(record)
    assert f'[Board "{size}"]' in text
    assert parse_record(text).states()[-1] == state
    assert "Board" not in format_record(Record.from_moves(["f5"], State()))


@pytest.mark.parametrize("size", [4, 6])
def test_symmetries_keep_the_rules(size: int) -> None:
    rng = random.Random(3)
    for turn in GAME.symmetries(State(size)):
        state = turned = State(size)
        if sorted(map(turn, state.legal_actions())) != state.legal_actions():
            continue  # it swaps the colours of the start
        for _ in range(8):
            action = rng.choice(state.legal_actions() or [reversi.PASS])
            if state.outcome is not None:
                break
            state, turned = state.play(action), turned.play(turn(action))
            assert BookPosition(state).number == BookPosition(turned).number


@pytest.mark.parametrize("size", [4, 6])
def test_levels_and_the_adviser_play_small_boards(size: int) -> None:
    state = State(size)
    for level in LEVEL_NAMES[:-1]:  # master thinks for a second
        assert state.is_legal(make(level, "reversi").select_action(state))
    assert adviser_for(state).name == "engine"
    assert alphabeta(state, 4).score == minimax(state, 4).score
    assert GAME.board(state).rows == size
    assert len(GAME.openings(state, 4, random.Random(1))) == 4
    assert f"{size}x{size} squares" in GAME.rules_text(state)
    assert translate(GAME.rules_text(state).splitlines()[4], "fr").startswith("Le plateau a")


def test_the_engine_plays_all_boards_with_one_table() -> None:
    """The same discs are different positions on different boards."""
    engine = Engine(hash_mb=1, game="reversi")
    found = engine.search(State(4), SearchLimits(depth=20))
    assert found.exact
    assert found.score is not None
    assert found.score.value == -10
    alone = Engine(hash_mb=1, game="reversi").search(State(6), SearchLimits(depth=6))
    assert engine.search(State(6), SearchLimits(depth=6)).score == alone.score
    corner = "-----OX--XO-----"
    padded = "".join(corner[i : i + 4] + "----" for i in range(0, 16, 4)) + "-" * 32
    assert engine.search(State.parse(padded + " X"), SearchLimits(depth=6)).depth == 6
    assert not engine.search(State.parse(padded + " X"), SearchLimits(depth=6)).exact


def test_the_engine_reports_the_classic_evaluation_in_discs() -> None:
    state = State(6).play("c2")
    classic = ReversiEvaluator()
    after = [state.play(action) for action in state.legal_actions()]
    best = max(-0.25 * classic.evaluate(next_state) for next_state in after)
    switches = dict.fromkeys(default_switches("reversi"), False)
    found = Engine(hash_mb=1, game="reversi", switches=switches).search(
        state, SearchLimits(depth=1)
    )
    assert found.score is not None
    assert found.score.value == pytest.approx(best)
    assert GAME.evaluate(state).value == 0.25 * classic.evaluate(state)


def test_what_is_made_for_8x8_refuses_small_boards() -> None:
    with pytest.raises(NotationError, match="expected a game on 8x8 to write as GGF, got 6x6"):
        format_ggf([Record.from_moves([], State(6))])
    with pytest.raises(ConfigError, match="networks play on 8x8 only, got a board of 6x6"):
        GAME.make_tree(State(6))
    with pytest.raises(ConfigError, match="patterns are on 8x8 only, got a board of 4x4"):
        shipped_patterns().evaluate(State(4))
    with pytest.raises(ConfigError, match="expected a position of Board 8, got '-----OX--XO---"):
        ReversiVectorEnv(2, position=State(4).text())
    with pytest.raises(ConfigError, match="expected a position of this environment's game"):
        ReversiVectorEnv(2, position=State(4))
    assert GAME.book_moves(State(6)) == ()
    assert GAME.network(State(6)) is None
    assert TrainConfig(game="reversi", board_size=6).start == State()


def test_puzzles_are_on_8x8() -> None:
    assert GAME.make_prover().prove(State(4)) is None


@pytest.mark.parametrize("size", [4, 6])
def test_reviews_know_the_corners(size: int) -> None:
    last = State(size).parse_move("abcdefgh"[size - 1] + str(size))
    assert GAME.move_kind(State(size), last) == "corner"
    assert GAME.move_kind(State(size), 1) == "edge"


def test_the_command_solves_4x4(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "--game", "reversi", "--board", "4", "--moves"]) == 0
    printed = capsys.readouterr().out
    assert "player 2 wins 11-3 with perfect play" in printed
    assert "b1   -10" in printed
    assert main(["solve", "--game", "reversi", "--board", "4", "--json"]) == 0
    solved = json.loads(capsys.readouterr().out)
    assert (solved["winner"], solved["score"], solved["discs"]) == (2, -10, [3, 11])
    assert main(["solve", "--game", "reversi"]) == 2
    assert "expected at most 32 empty squares to solve, got 60" in capsys.readouterr().err


def exhaustive(state: State, known: dict[str, int]) -> int:
    """The result for the player to move by plain minimax over all positions."""
    text = state.text()
    if text not in known:
        if state.outcome is not None:
            known[text] = state.score if state.current_player == 1 else -state.score
        else:
            actions = state.legal_actions()
            known[text] = max(-exhaustive(state.play(action), known) for action in actions)
    return known[text]


def test_4x4_is_solved_by_both() -> None:
    """White wins by 11 to 3, and two squares stay empty, which count for the winner."""
    found = solve_endgame(State(4))
    assert found.score is not None
    assert found.exact
    assert found.score.value == exhaustive(State(4), {}) == -10
    end = State(4)
    for action in found.pv:
        end = end.play(action)
    assert end.game_over
    assert (end.counts, end.score) == ({1: 3, 2: 11}, -10)
    won = solve_endgame(State(4), win_only=True)
    assert won.score is not None
    assert (won.score.value, len(won.pv)) == (-1, 1)


def test_late_positions_of_6x6_are_solved() -> None:
    rng = random.Random(5)
    for _ in range(5):
        state = State(6)
        while sum(state.counts.values()) < 28 and state.outcome is None:
            state = state.play(rng.choice(state.legal_actions()))
        if state.outcome is None:
            score = solve_endgame(state, hash_mb=1).score
            assert score is not None
            assert score.value == exhaustive(state, {})


@pytest.mark.slow
def test_6x6_is_solved() -> None:
    """White wins by 20 to 16, as J. Feinstein found in 1993."""
    found = solve_endgame(State(6), hash_mb=1024)
    assert found.score is not None
    assert found.score.value == -4
    end = State(6)
    for action in found.pv:
        end = end.play(action)
    assert end.counts == {1: 16, 2: 20}
