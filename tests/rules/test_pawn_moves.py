"""Where a pawn may go: steps, jumps, and the side steps that stand in for a closed jump.

`board` reads the drawings (tests/conftest.py says how); each test runs on both implementations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Board, Rules


def test_a_pawn_steps_to_the_four_neighbours(rules: Rules, board: Board) -> None:
    state = board("""
        5   .   .   2   .   .
        4   .   .   .   .   .
        3   .   .   1   .   .
        2   .   .   .   .   .
        1   .   .   .   .   .
            a   b   c   d   e
    """)
    assert rules.pawn_moves(state) == {"c4", "b3", "d3", "c2"}


def test_the_rim_stops_a_pawn(rules: Rules, board: Board) -> None:
    state = board("""
        5   .   .   .   .   2
        4   .   .   .   .   .
        3   .   .   .   .   .
        2   .   .   .   .   .
        1   1   .   .   .   .
            a   b   c   d   e
    """)
    assert rules.pawn_moves(state, 1) == {"a2", "b1"}
    assert rules.pawn_moves(state, 2) == {"e4", "d5"}


def test_a_horizontal_wall_closes_both_its_columns(rules: Rules, board: Board) -> None:
    # c3h stands over the pawn with its left half, b2h under it with its right half.
    state = board("""
        5   2   .   .   .   .
        4   .   .   .   .   .
                    -----
        3   .   .   1   .   .
                -----
        2   .   .   .   .   .
        1   .   .   .   .   .
            a   b   c   d   e
    """)
    assert rules.pawn_moves(state) == {"b3", "d3"}


def test_a_horizontal_wall_closes_no_third_column(rules: Rules, board: Board) -> None:
    state = board("""
        5   2   .   .   .   .
        4   .   .   .   .   .
                        -----
        3   .   .   1   .   .
            -----
        2   .   .   .   .   .
        1   .   .   .   .   .
            a   b   c   d   e
    """)
    assert rules.pawn_moves(state) == {"c4", "b3", "d3", "c2"}


def test_a_vertical_wall_closes_both_its_rows(rules: Rules, board: Board) -> None:
    # c3v stands to the right with its lower half, b2v to the left with its upper half.
    state = board("""
        5   2   .   .   .   .
        4   .   .   . | .   .
                      |
        3   .   . | 1 | .   .
                  |
        2   .   . | .   .   .
        1   .   .   .   .   .
            a   b   c   d   e
    """)
    assert rules.pawn_moves(state) == {"c4", "c2"}


def test_a_vertical_wall_closes_no_third_row(rules: Rules, board: Board) -> None:
    state = board("""
        5   2   .   . | .   .
                      |
        4   .   .   . | .   .
        3   .   .   1   .   .
        2   .   . | .   .   .
                  |
        1   .   . | .   .   .
            a   b   c   d   e
    """)
    assert rules.pawn_moves(state) == {"c4", "b3", "d3", "c2"}


JUMPS = {
    "north": (
        """
        5   .   .   .   .   .
        4   .   .   .   .   .
        3   .   .   2   .   .
        2   .   .   1   .   .
        1   .   .   .   .   .
            a   b   c   d   e
        """,
        {"c4", "b2", "d2", "c1"},
    ),
    "south": (
        """
        5   .   .   .   .   .
        4   .   .   1   .   .
        3   .   .   2   .   .
        2   .   .   .   .   .
        1   .   .   .   .   .
            a   b   c   d   e
        """,
        {"c2", "b4", "d4", "c5"},
    ),
    "east": (
        """
        5   .   .   .   .   .
        4   .   .   .   .   .
        3   .   1   2   .   .
        2   .   .   .   .   .
        1   .   .   .   .   .
            a   b   c   d   e
        """,
        {"d3", "b4", "b2", "a3"},
    ),
    "west": (
        """
        5   .   .   .   .   .
        4   .   .   .   .   .
        3   .   .   2   1   .
        2   .   .   .   .   .
        1   .   .   .   .   .
            a   b   c   d   e
        """,
        {"b3", "d4", "d2", "e3"},
    ),
}


@pytest.mark.parametrize("direction", JUMPS)
def test_a_pawn_jumps_straight_over_the_opponent(
    rules: Rules, board: Board, direction: str
) -> None:
    drawing, moves = JUMPS[direction]
    assert rules.pawn_moves(board(drawing)) == moves


def test_both_players_jump(rules: Rules, board: Board) -> None:
    state = board(JUMPS["north"][0], to_move=2)
    assert rules.pawn_moves(state) == {"c1", "b3", "d3", "c4"}
    assert rules.pawn_moves(state, 1) == {"c4", "b2", "d2", "c1"}
    assert state.play("c1").winner == 2


CLOSED_JUMPS = {
    "north": (
        """
        5   .   .   .   .   .
        4   .   .   .   .   .
                    -----
        3   .   .   2   .   .
        2   .   .   1   .   .
        1   .   .   .   .   .
            a   b   c   d   e
        """,
        {"b3", "d3", "b2", "d2", "c1"},
    ),
    "south": (
        """
        5   .   .   .   .   .
        4   .   .   1   .   .
        3   .   .   2   .   .
                -----
        2   .   .   .   .   .
        1   .   .   .   .   .
            a   b   c   d   e
        """,
        {"b3", "d3", "b4", "d4", "c5"},
    ),
    "east": (
        """
        5   .   .   .   .   .
        4   .   .   . | .   .
                      |
        3   .   1   2 | .   .
        2   .   .   .   .   .
        1   .   .   .   .   .
            a   b   c   d   e
        """,
        {"c4", "c2", "b4", "b2", "a3"},
    ),
    "west": (
        """
        5   .   .   .   .   .
        4   .   .   .   .   .
        3   .   . | 2   1   .
                  |
        2   .   . | .   .   .
        1   .   .   .   .   .
            a   b   c   d   e
        """,
        {"c4", "c2", "d4", "d2", "e3"},
    ),
}


@pytest.mark.parametrize("direction", CLOSED_JUMPS)
def test_a_wall_behind_the_opponent_opens_both_diagonals(
    rules: Rules, board: Board, direction: str
) -> None:
    drawing, moves = CLOSED_JUMPS[direction]
    assert rules.pawn_moves(board(drawing)) == moves


def test_the_left_diagonal_closed_by_a_wall(rules: Rules, board: Board) -> None:
    state = board("""
        5   .   .   .   .   .
        4   .   . | .   .   .
                  | -----
        3   .   . | 2   .   .
        2   .   .   1   .   .
        1   .   .   .   .   .
            a   b   c   d   e
    """)
    assert rules.pawn_moves(state) == {"d3", "b2", "d2", "c1"}


def test_the_right_diagonal_closed_by_a_wall(rules: Rules, board: Board) -> None:
    state = board("""
        5   .   .   .   .   .
        4   .   .   . | .   .
                ----- |
        3   .   .   2 | .   .
        2   .   .   1   .   .
        1   .   .   .   .   .
            a   b   c   d   e
    """)
    assert rules.pawn_moves(state) == {"b3", "b2", "d2", "c1"}


def test_both_diagonals_closed(rules: Rules, board: Board) -> None:
    state = board("""
        5   .   .   .   .   .
        4   .   . | .   .   .
                  | -----
        3   .   . | 2 | .   .
                      |
        2   .   .   1 | .   .
        1   .   .   .   .   .
            a   b   c   d   e
    """)
    assert rules.pawn_moves(state) == {"b2", "c1"}


def test_no_diagonal_while_the_straight_jump_is_open(rules: Rules, board: Board) -> None:
    # The walls beside the gap close neither the jump nor the cells beside the opponent.
    state = board("""
        5   .   .   .   .   .
        4   .   .   .   .   .
            -----       -----
        3   .   .   2   .   .
        2   .   .   1   .   .
        1   .   .   .   .   .
            a   b   c   d   e
    """)
    assert rules.pawn_moves(state) == {"c4", "b2", "d2", "c1"}
    assert rules.why_not(state, "b3") == "no pawn move leads there"


def test_no_jump_of_any_kind_over_a_wall_between_the_pawns(rules: Rules, board: Board) -> None:
    state = board("""
        5   .   .   .   .   .
        4   .   .   .   .   .
        3   .   .   2   .   .
                    -----
        2   .   .   1   .   .
        1   .   .   .   .   .
            a   b   c   d   e
    """)
    assert rules.pawn_moves(state, 1) == {"b2", "d2", "c1"}
    assert rules.pawn_moves(state, 2) == {"b3", "d3", "c4"}


RIM_JUMPS = {
    "north": (
        """
        5   .   .   2   .   .
        4   .   .   1   .   .
        3   .   .   .   .   .
        2   .   .   .   .   .
        1   .   .   .   .   .
            a   b   c   d   e
        """,
        1,
        {"b5", "d5", "b4", "d4", "c3"},
    ),
    "south": (
        """
        5   .   .   .   .   .
        4   .   .   .   .   .
        3   .   .   .   .   .
        2   .   .   2   .   .
        1   .   .   1   .   .
            a   b   c   d   e
        """,
        2,
        {"b1", "d1", "b2", "d2", "c3"},
    ),
    "east": (
        """
        5   .   .   .   .   .
        4   .   .   .   .   .
        3   .   .   .   1   2
        2   .   .   .   .   .
        1   .   .   .   .   .
            a   b   c   d   e
        """,
        1,
        {"e4", "e2", "d4", "d2", "c3"},
    ),
    "west": (
        """
        5   .   .   .   .   .
        4   .   .   .   .   .
        3   2   1   .   .   .
        2   .   .   .   .   .
        1   .   .   .   .   .
            a   b   c   d   e
        """,
        1,
        {"a4", "a2", "b4", "b2", "c3"},
    ),
}


@pytest.mark.parametrize("edge", RIM_JUMPS)
def test_the_rim_behind_the_opponent_opens_both_diagonals(
    rules: Rules, board: Board, edge: str
) -> None:
    drawing, to_move, moves = RIM_JUMPS[edge]
    assert rules.pawn_moves(board(drawing, to_move=to_move)) == moves


def test_an_opponent_in_the_corner_leaves_one_diagonal(rules: Rules, board: Board) -> None:
    state = board("""
        5   .   .   .   .   2
        4   .   .   .   .   1
        3   .   .   .   .   .
        2   .   .   .   .   .
        1   .   .   .   .   .
            a   b   c   d   e
    """)
    assert rules.pawn_moves(state) == {"d5", "d4", "e3"}


def test_a_wall_closes_a_diagonal_at_the_rim(rules: Rules, board: Board) -> None:
    state = board("""
        5   .   .   2 | .   .
                      |
        4   .   .   1 | .   .
        3   .   .   .   .   .
        2   .   .   .   .   .
        1   .   .   .   .   .
            a   b   c   d   e
    """)
    assert rules.pawn_moves(state) == {"b5", "b4", "c3"}


@pytest.mark.parametrize("move", ["c3", "c5", "b4", "a1", "e4"])
def test_a_pawn_goes_nowhere_else(rules: Rules, board: Board, move: str) -> None:
    # Not by standing still, two steps at once, a free diagonal, or across the board.
    state = board("""
        5   .   .   .   .   .
        4   .   .   .   .   .
        3   .   .   1   .   .
        2   .   .   .   .   2
        1   .   .   .   .   .
            a   b   c   d   e
    """)
    assert rules.why_not(state, move) == "no pawn move leads there"


BEHIND_A_WALL = {
    "a step": ("""
        5   .   .   2   .   .
        4   .   .   .   .   .
                    -----
        3   .   .   1   .   .
        2   .   .   .   .   .
        1   .   .   .   .   .
            a   b   c   d   e
    """, "c4"),
    "the jump": ("""
        5   .   .   .   .   .
                    -----
        4   .   .   2   .   .
        3   .   .   1   .   .
        2   .   .   .   .   .
        1   .   .   .   .   .
            a   b   c   d   e
    """, "c5"),
    "the jump, before the opponent": ("""
        5   .   .   .   .   .
        4   .   .   2   .   .
                    -----
        3   .   .   1   .   .
        2   .   .   .   .   .
        1   .   .   .   .   .
            a   b   c   d   e
    """, "c5"),
    "a diagonal": ("""
        5   .   . | .   .   .
                  | -----
        4   .   . | 2   .   .
        3   .   .   1   .   .
        2   .   .   .   .   .
        1   .   .   .   .   .
            a   b   c   d   e
    """, "b4"),
}  # fmt: skip


@pytest.mark.parametrize("case", BEHIND_A_WALL)
def test_the_reason_names_a_wall_in_the_way(rules: Rules, board: Board, case: str) -> None:
    picture, move = BEHIND_A_WALL[case]
    assert rules.why_not(board(picture), move) == "a wall is in the way"


def test_a_pawn_does_not_land_on_the_opponent(rules: Rules, board: Board) -> None:
    assert rules.why_not(board(JUMPS["north"][0]), "c3") == "no pawn move leads there"


def test_a_pawn_move_changes_the_pawn_the_turn_and_the_counters(board: Board) -> None:
    state = board(JUMPS["north"][0], left="3/2", played=8, since=4)
    assert state.play("c4").text() == "5 c4/c3 - 3/2 2 9 5"
    assert state.text() == "5 c2/c3 - 3/2 1 8 4"
