"""How a game ends: two wins, two draws, and which of them counts when they meet on one move.

`board` reads the drawings (tests/conftest.py says how); each test runs on both implementations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from plyground.games.base import Outcome
from plyground.quoridor import GameConfig, State

if TYPE_CHECKING:
    from tests.conftest import Board, Rules

ONE_STEP_EACH = """
    5   .   .   .   .   .
    4   .   1   .   .   .
    3   .   .   .   .   .
    2   .   .   .   2   .
    1   .   .   .   .   .
        a   b   c   d   e
"""


def test_player_1_wins_on_the_last_row(board: Board) -> None:
    state = board(ONE_STEP_EACH)
    assert (state.game_over, state.winner) == (False, None)
    won = state.play("b5")
    assert (won.game_over, won.winner) == (True, 1)


def test_player_2_wins_on_the_first_row(board: Board) -> None:
    won = board(ONE_STEP_EACH, to_move=2).play("d1")
    assert (won.game_over, won.winner) == (True, 2)


def test_a_finished_game_has_no_moves(rules: Rules, board: Board) -> None:
    won = board(ONE_STEP_EACH).play("b5")
    assert won.legal_actions() == won.get_legal_moves() == []
    assert won.current_player == 2
    assert rules.why_not(won, "d1") == "the game is over"
    assert rules.why_not(won, "a1h") == "the game is over"


def test_a_jump_onto_the_goal_row_wins(board: Board) -> None:
    state = board(
        """
        5   .   .   .   .   .
        4   .   .   .   .   .
        3   .   .   2   .   .
        2   .   .   1   .   .
        1   .   .   .   .   .
            a   b   c   d   e
        """,
        to_move=2,
    )
    assert state.play("c1").winner == 2


def test_a_side_step_onto_the_goal_row_wins(board: Board) -> None:
    state = board("""
        5   .   .   2   .   .
        4   .   .   1   .   .
        3   .   .   .   .   .
        2   .   .   .   .   .
        1   .   .   .   .   .
            a   b   c   d   e
    """)
    assert state.play("d5").winner == 1


def test_the_opponents_goal_row_wins_nothing(board: Board) -> None:
    state = board("""
        5   .   .   .   .   .
        4   .   .   .   2   .
        3   .   .   .   .   .
        2   .   1   .   .   .
        1   .   .   .   .   .
            a   b   c   d   e
    """)
    back = state.play("b1").play("d5")
    assert (back.game_over, back.winner) == (False, None)


def test_a_draw_at_the_move_limit(rules: Rules, board: Board) -> None:
    state = board(ONE_STEP_EACH, played=98, since=5, max_moves=100)
    state = state.play("b3")
    assert (state.game_over, state.winner) == (False, None)
    state = state.play("d3")
    assert (state.game_over, state.winner) == (True, None)
    assert state.legal_actions() == []
    assert rules.why_not(state, "b4") == "the game is over"


def test_a_draw_without_progress(board: Board) -> None:
    state = board(ONE_STEP_EACH, played=40, since=28, no_progress_limit=30)
    state = state.play("b3")
    assert not state.game_over
    state = state.play("d3")
    assert (state.game_over, state.winner) == (True, None)
    assert state.legal_actions() == []


def test_a_wall_restarts_the_no_progress_counter(board: Board) -> None:
    state = board(ONE_STEP_EACH, played=40, since=29, no_progress_limit=30)
    walled = state.play("a1h")
    assert (walled.game_over, walled.moves_since_last_wall) == (False, 0)
    assert state.play("b3").game_over


def test_a_wall_does_not_put_off_the_move_limit(board: Board) -> None:
    state = board(ONE_STEP_EACH, played=99, since=5, max_moves=100).play("a1h")
    assert (state.game_over, state.winner) == (True, None)


@pytest.mark.parametrize(
    "limits",
    [
        {"max_moves": 60},
        {"no_progress_limit": 20},
        {"max_moves": 60, "no_progress_limit": 20},
    ],
)
@pytest.mark.parametrize(("to_move", "goal", "other"), [(1, "b5", "b3"), (2, "d1", "d3")])
def test_a_win_on_the_move_that_reaches_a_limit_is_a_win(
    board: Board, limits: dict[str, int], to_move: int, goal: str, other: str
) -> None:
    state = board(ONE_STEP_EACH, to_move=to_move, played=59, since=19, **limits)
    assert (state.play(goal).game_over, state.play(goal).winner) == (True, to_move)
    assert (state.play(other).game_over, state.play(other).winner) == (True, None)


def test_a_position_read_at_a_limit_is_drawn(board: Board) -> None:
    for state in (
        board(ONE_STEP_EACH, played=60, since=2, max_moves=60),
        board(ONE_STEP_EACH, played=50, since=20, no_progress_limit=20),
    ):
        assert (state.game_over, state.winner) == (True, None)
        assert state.legal_actions() == []


def test_no_position_lies_beyond_a_limit(board: Board) -> None:
    with pytest.raises(ValueError, match="61"):
        board(ONE_STEP_EACH, played=61, since=2, max_moves=60)
    with pytest.raises(ValueError, match="21"):
        board(ONE_STEP_EACH, played=50, since=21, no_progress_limit=20)


@pytest.mark.parametrize(
    ("played", "since", "move", "reason"),
    [
        (59, 5, "b3", "move limit"),
        (40, 19, "b3", "no progress"),
        (59, 19, "b3", "move limit"),
        (59, 19, "a1h", "move limit"),
        (59, 19, "b5", "goal"),
    ],
)
def test_the_outcome_names_the_win_then_the_move_limit_then_no_progress(
    played: int, since: int, move: str, reason: str
) -> None:
    # The reference knows no reasons, so this one is for the native state alone:
    #     5   .   .   .   .   .
    #     4   .   1   .   .   .
    #     3   .   .   .   .   .
    #     2   .   .   .   2   .
    #     1   .   .   .   .   .
    #         a   b   c   d   e
    config = GameConfig(board_size=5, walls_per_player=5, max_moves=60, no_progress_limit=20)
    state = State.parse(f"5 b4/d2 - 5/5 1 {played} {since}", config)
    assert state.outcome is None
    assert state.play(move).outcome == Outcome(1 if reason == "goal" else None, reason)


@pytest.mark.parametrize("penalty", [-0.05, 0, 1])
@pytest.mark.parametrize(
    ("text", "rewards"),
    [
        ("5 b4/d2 - 5/5 1 7 7", (0.0, 0.0)),
        ("5 b5/d2 - 5/5 2 7 7", (1.0, -1.0)),
        ("5 b4/d1 - 5/5 1 8 8", (-1.0, 1.0)),
        ("5 b4/d2 - 5/5 1 60 8", "draw"),
        ("5 b4/d2 - 5/5 1 40 20", "draw"),
    ],
)
def test_what_an_end_is_worth(
    text: str, rewards: tuple[float, float] | str, penalty: float
) -> None:
    config = GameConfig(5, 5, max_moves=60, no_progress_limit=20, draw_penalty=penalty)
    state = State.parse(text, config)
    worth = (state.reward(1), state.reward(2))
    assert worth == ((penalty, penalty) if rewards == "draw" else rewards)
    assert [type(each) for each in worth] == [float, float]
    for player in (0, 3):
        with pytest.raises(ValueError, match="player 1 or 2"):
            state.reward(player)


@pytest.mark.parametrize("played", [7, 60])
def test_a_finished_game_has_no_pawn_moves_for_anyone(
    rules: Rules, board: Board, played: int
) -> None:
    state = board(ONE_STEP_EACH, played=played, since=2, max_moves=60)
    over = state if state.game_over else state.play("b5")
    for player in (1, 2):
        assert rules.pawn_moves(over, player) == set()
        if rules.name == "native":
            assert over.legal_pawn_moves(player) == []


def test_a_position_read_with_a_pawn_home_is_won(board: Board) -> None:
    state = board(
        """
        3   1   .   .
        2   .   .   2
        1   .   .   .
            a   b   c
        """,
        to_move=2,
    )
    assert (state.game_over, state.winner) == (True, 1)
