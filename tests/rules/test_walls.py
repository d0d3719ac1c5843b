"""Which walls may be placed, and what the refusal says when one may not.

`board` reads the drawings (tests/conftest.py says how); each test runs on both implementations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Board, Rules

OPEN = """
    5   .   .   2   .   .
    4   .   .   .   .   .
    3   .   .   .   .   .
    2   .   .   .   .   .
    1   .   .   1   .   .
        a   b   c   d   e
"""

ONE_EACH_WAY = """
    5   .   .   2   .   .
    4   .   .   .   .   .
            -----
    3   .   .   . | .   .
                  |
    2   .   .   . | .   .
    1   .   .   1   .   .
        a   b   c   d   e
"""


def test_an_empty_board_takes_a_wall_in_every_slot(rules: Rules, board: Board) -> None:
    slots = {column + row for column in "abcd" for row in "1234"}
    assert rules.walls(board(OPEN)) == {slot + way for slot in slots for way in "hv"}


def test_a_wall_takes_one_from_the_hand_and_restarts_the_counter(board: Board) -> None:
    state = board(OPEN, left="3/2", played=8, since=4)
    assert state.play("b3h").text() == "5 c1/c5 b3h 2/2 2 9 0"
    assert state.play("b3h").play("c2v").text() == "5 c1/c5 b3h,c2v 2/1 1 10 0"


@pytest.mark.parametrize(
    ("wall", "standing"),
    [
        ("b3h", "b3h"),
        ("a3h", "b3h"),
        ("c3h", "b3h"),
        ("c2v", "c2v"),
        ("c1v", "c2v"),
        ("c3v", "c2v"),
    ],
)
def test_a_wall_may_not_overlap_another_along_its_length(
    rules: Rules, board: Board, wall: str, standing: str
) -> None:
    assert rules.why_not(board(ONE_EACH_WAY), wall) == f"it overlaps the wall at {standing}"


@pytest.mark.parametrize("wall", ["d3h", "c4v"])
def test_walls_may_meet_end_to_end(rules: Rules, board: Board, wall: str) -> None:
    assert wall in rules.walls(board(ONE_EACH_WAY))


@pytest.mark.parametrize("wall", ["b2h", "b4h", "b2v", "d2v"])
def test_walls_may_run_side_by_side(rules: Rules, board: Board, wall: str) -> None:
    assert wall in rules.walls(board(ONE_EACH_WAY))


@pytest.mark.parametrize("wall", ["b2v", "b4v", "a3v", "b2h", "d2h", "c1h"])
def test_walls_may_touch_in_a_t(rules: Rules, board: Board, wall: str) -> None:
    assert wall in rules.walls(board(ONE_EACH_WAY))


@pytest.mark.parametrize(("wall", "standing"), [("b3v", "b3h"), ("c2h", "c2v")])
def test_a_wall_may_not_cross_another(rules: Rules, board: Board, wall: str, standing: str) -> None:
    assert rules.why_not(board(ONE_EACH_WAY), wall) == f"it crosses the wall at {standing}"


@pytest.mark.parametrize("wall", ["e1h", "e1v", "a5h", "a5v", "e5h"])
def test_a_wall_may_not_stick_out_of_the_board(rules: Rules, board: Board, wall: str) -> None:
    assert rules.why_not(board(OPEN), wall) == "it lies outside the wall grid"


SHUT_IN_1 = """
    5   .   .   2   .   .
    4   .   .   .   .   .
    3   .   .   .   .   .
    2   .   . | .   .   .
              |
    1   1   . | .   .   .
        a   b   c   d   e
"""

SHUT_IN_2 = """
    5   2   . | .   .   .
              |
    4   .   . | .   .   .
    3   .   .   .   .   .
    2   .   .   .   .   .
    1   .   .   1   .   .
        a   b   c   d   e
"""


@pytest.mark.parametrize("to_move", [1, 2])
def test_a_wall_may_not_cut_player_1_off(rules: Rules, board: Board, to_move: int) -> None:
    state = board(SHUT_IN_1, to_move=to_move)
    assert rules.why_not(state, "a1h") == "it cuts player 1 off from the goal"
    assert rules.why_not(state, "a2h") == "it cuts player 1 off from the goal"
    assert rules.walls(state) >= {"a3h", "a1v", "c1h"}


@pytest.mark.parametrize("to_move", [1, 2])
def test_a_wall_may_not_cut_player_2_off(rules: Rules, board: Board, to_move: int) -> None:
    state = board(SHUT_IN_2, to_move=to_move)
    assert rules.why_not(state, "a4h") == "it cuts player 2 off from the goal"
    assert rules.why_not(state, "a3h") == "it cuts player 2 off from the goal"
    assert rules.walls(state) >= {"a2h", "a4v", "c4h"}


def test_a_wall_that_shuts_in_nobody_may_close_a_room(board: Board) -> None:
    # a1h makes a room of a1 and b1. Nobody is in it, and the rest of row 1 stays open.
    state = board("""
        5   .   .   2   .   .
        4   .   .   .   .   .
        3   .   .   .   .   .
        2   .   . | .   .   .
                  |
        1   .   . | 1   .   .
            a   b   c   d   e
    """)
    assert state.play("a1h").text() == "5 c1/c5 a1h,b1v 9/10 2 1 0"


def test_a_wall_that_only_lengthens_the_way_is_legal(rules: Rules, board: Board) -> None:
    state = board("""
        5   .   .   2   .   .
        4   .   .   .   .   .
            -----
        3   .   .   .   .   .
        2   .   .   .   .   .
        1   .   .   1   .   .
            a   b   c   d   e
    """)
    longer = state.play("c3h")
    assert [rules.module.shortest_path_length(longer, player) for player in (1, 2)] == [6, 6]


def test_pawns_do_not_block_the_way_in_the_path_check(rules: Rules, board: Board) -> None:
    # Player 1's only way leads through c3, where player 2 stands. From b3 the pawn could only
    # jump on to d3, a dead end. The path check looks through the pawn, so walls stay legal.
    state = board("""
        6   .   .   .   .   .   .
        5   .   .   .   .   .   .
        4   .   .   .   .   .   .
            -----       -----
        3   .   1   2   . | .   .
            -----   ----- |
        2   .   .   .   . | .   .
        1   .   .   .   .   .   .
            a   b   c   d   e   f
    """)
    assert rules.pawn_moves(state) == {"a3", "d3"}
    assert rules.module.shortest_path_length(state, 1) == 4
    assert "b1h" in rules.walls(state)
    assert rules.why_not(state, "b2v") == "it cuts player 1 off from the goal"


def test_the_last_wall(rules: Rules, board: Board) -> None:
    state = board(OPEN, left="1/2")
    after = state.play("b3h").play("c4")
    assert after.text() == "5 c1/c4 b3h 0/2 1 2 1"
    assert rules.walls(after) == set()
    assert rules.legal(after) == {"b1", "d1", "c2"}
    assert rules.why_not(after, "d3h") == "player 1 has no walls left"
    assert "d3h" in rules.walls(after.play("c2"))


def test_player_2_without_walls(rules: Rules, board: Board) -> None:
    state = board(OPEN, to_move=2, left="2/0")
    assert rules.walls(state) == set()
    assert rules.why_not(state, "d3h") == "player 2 has no walls left"


def test_a_game_without_walls(rules: Rules, board: Board) -> None:
    state = board(OPEN, walls_per_player=0)
    assert rules.legal(state) == {"b1", "d1", "c2"}
    assert rules.why_not(state, "a1h") == "player 1 has no walls left"


# When several rules forbid a wall, the refusal names the first of: the game is over, outside the
# grid, none left, overlap, crossing, player 1 cut off, player 2 cut off.


def test_the_end_of_the_game_is_named_before_the_grid(rules: Rules, board: Board) -> None:
    state = board("""
        3   .   .   1
        2   2   .   .
        1   .   .   .
            a   b   c
    """)
    assert rules.why_not(state, "c1h") == "the game is over"
    assert rules.why_not(state, "b3") == "the game is over"
    with pytest.raises(rules.refusal_error, match="the game is over"):
        state.make_move("h_wall", (2, 2))


def test_make_move_refuses_as_play_does(rules: Rules, board: Board) -> None:
    state = board(ONE_EACH_WAY)
    for kind, cell, reason in [
        ("move", (3, 3), "no pawn move leads there"),
        ("h_wall", (2, 0), "it overlaps the wall at b3h"),
        ("v_wall", (2, 1), "it crosses the wall at b3h"),
        ("v_wall", (4, 0), "it lies outside the wall grid"),
    ]:
        with pytest.raises(rules.refusal_error, match=f"in '{state.text()}': {reason}$"):
            state.make_move(kind, cell)


def test_the_grid_is_named_before_the_empty_hand(rules: Rules, board: Board) -> None:
    assert rules.why_not(board(OPEN, left="0/0"), "e1h") == "it lies outside the wall grid"


def test_the_empty_hand_is_named_before_an_overlap(rules: Rules, board: Board) -> None:
    assert rules.why_not(board(ONE_EACH_WAY, left="0/3"), "b3h") == "player 1 has no walls left"


def test_an_overlap_is_named_before_a_crossing(rules: Rules, board: Board) -> None:
    state = board("""
        5   .   .   2   .   .
        4   .   .   . | .   .
                ----- |
        3   .   .   . | .   .
        2   .   .   .   .   .
        1   .   .   1   .   .
            a   b   c   d   e
    """)
    assert rules.why_not(state, "c3h") == "it overlaps the wall at b3h"


TWO_OVERLAPS = {
    "b3h": (
        """
        5   .   .   2   .   .
        4   .   .   .   .   .
            -----   -----
        3   .   .   .   .   .
        2   .   .   .   .   .
        1   .   .   1   .   .
            a   b   c   d   e
        """,
        "a3h",
    ),
    "a2v": (
        """
        5   .   .   2   .   .
        4   . | .   .   .   .
              |
        3   . | .   .   .   .
        2   . | .   .   .   .
              |
        1   . | .   1   .   .
            a   b   c   d   e
        """,
        "a1v",
    ),
}


@pytest.mark.parametrize("wall", TWO_OVERLAPS)
def test_of_two_overlaps_the_lower_action_is_named(rules: Rules, board: Board, wall: str) -> None:
    drawing, standing = TWO_OVERLAPS[wall]
    assert rules.why_not(board(drawing), wall) == f"it overlaps the wall at {standing}"


def test_a_crossing_is_named_before_a_cut(rules: Rules, board: Board) -> None:
    # c2h would also close the last gap in the line a2h, c2h.
    state = board("""
        4   .   .   2   .
        3   .   .   . | .
            -----     |
        2   .   .   . | .
        1   .   .   1   .
            a   b   c   d
    """)
    assert rules.why_not(state, "c2h") == "it crosses the wall at c2v"


@pytest.mark.parametrize("to_move", [1, 2])
def test_of_two_players_cut_off_player_1_is_named(rules: Rules, board: Board, to_move: int) -> None:
    state = board(
        """
        4   .   .   2   .
        3   .   .   .   .
            -----
        2   .   .   .   .
        1   .   .   1   .
            a   b   c   d
        """,
        to_move=to_move,
    )
    assert rules.why_not(state, "c2h") == "it cuts player 1 off from the goal"
