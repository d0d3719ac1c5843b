"""The course's `quoridor` module: the framework's own positions, and what students rely on."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from plyground.course import (
    PLAYER1,
    PLAYER2,
    Board,
    InvalidAction,
    NoPath,
    dict_to_board,
    load_percepts,
)
from plyground.course.quoridor import CourseAction

DATA = Path(__file__).parents[1] / "data" / "course_rule_vectors.json"
VECTORS: list[dict[str, Any]] = json.loads(DATA.read_text())


def listed(actions: list[CourseAction]) -> list[list[str | int]]:
    return sorted(list(action) for action in actions)


def steps(board: Board) -> list[int] | None:
    """The framework gives no numbers if either player has no path."""
    try:
        return [board.min_steps_before_victory(player) for player in (0, 1)]
    except NoPath:
        return None


def test_moves_and_paths_are_those_of_the_framework() -> None:
    for vector in VECTORS:
        board, player = dict_to_board(vector), vector["player"]
        assert listed(board.get_legal_pawn_moves(player)) == sorted(vector["pawn_moves"])
        assert listed(board.get_legal_wall_moves(player)) == sorted(vector["wall_moves"])
        assert steps(board) == vector["min_steps"]
        assert board.paths_exist() == (vector["min_steps"] is not None)


def test_the_short_way_to_legal_walls_agrees_with_the_long_one() -> None:
    rng = random.Random(4)
    for vector in rng.sample(VECTORS, 12):
        board, player = Board(vector), vector["player"]
        walls = set(board.get_legal_wall_moves(player))
        for row in range(8):
            for column in range(8):
                for kind in ("WH", "WV"):
                    expected = board.nb_walls[player] > 0 and board.is_wall_possible_here(
                        (row, column), kind == "WH"
                    )
                    assert ((kind, row, column) in walls) == expected


def test_the_example_of_the_assignment() -> None:
    board = Board(
        {
            "size": 9,
            "starting_walls": 10,
            "pawns": [(1, 6), (4, 6)],
            "goals": [8, 0],
            "nb_walls": [4, 6],
            "horiz_walls": [(1, 3), (1, 5), (2, 4), (3, 7), (6, 4)],
            "verti_walls": [(2, 2), (2, 6), (3, 5), (5, 5), (7, 3)],
        }
    )
    assert board.paths_exist()
    assert not board.is_simplified_pawn_move_ok((1, 6), (2, 6))  # the wall (1, 5)
    assert board.is_simplified_pawn_move_ok((1, 6), (1, 7))
    assert not board.can_move_here(2, 6, PLAYER1)


def test_moves_come_in_the_order_of_the_framework() -> None:
    board = Board()
    assert board.get_legal_pawn_moves(PLAYER1) == [("P", 1, 4), ("P", 0, 5), ("P", 0, 3)]
    assert board.get_actions(PLAYER1)[3:6] == [("WH", 0, 0), ("WV", 0, 0), ("WH", 0, 1)]
    board.move_pawn((4, 4), PLAYER1)
    board.move_pawn((5, 4), PLAYER2)
    assert board.get_legal_pawn_moves(PLAYER1)[-1] == ("P", 6, 4)
    board.add_wall((5, 4), True, PLAYER2)
    assert board.get_legal_pawn_moves(PLAYER1)[-2:] == [("P", 5, 5), ("P", 5, 3)]


def test_a_clone_is_independent() -> None:
    board = Board()
    clone = board.clone()
    assert clone.play_action(["WV", 3, 3], PLAYER1) is clone
    clone.move_pawn([1, 4], PLAYER1)
    assert board.verti_walls == []
    assert (board.pawns, board.nb_walls) == ([(0, 4), (8, 4)], [10, 10])
    assert (clone.pawns[0], clone.nb_walls, clone.verti_walls) == ((1, 4), [9, 10], [(3, 3)])


@pytest.mark.parametrize(
    "action",
    [("P", 2, 4), ("P", -1, 4), ("WH", 8, 0), ("WV", 0, -1), ("X", 1, 1), ("P", "1", 4)],
)
def test_actions_against_the_rules(action: tuple[object, ...]) -> None:
    with pytest.raises(InvalidAction) as raised:
        Board().play_action(action, PLAYER1)
    assert (raised.value.action, raised.value.player) == (action, PLAYER1)


def test_walls_cross_or_overlap_none_and_leave_a_path() -> None:
    board = Board()
    for column in (0, 2, 4, 6):
        board.play_action(("WH", 4, column), PLAYER1)
    assert not board.is_wall_possible_here((4, 1), is_horiz=True)
    assert not board.is_wall_possible_here((4, 2), is_horiz=False)
    assert board.is_wall_possible_here((5, 7), is_horiz=True)
    assert board.is_wall_possible_here((4, 7), is_horiz=False)
    board.play_action(("WH", 5, 7), PLAYER2)
    assert not board.is_wall_possible_here((4, 7), is_horiz=False)  # the last way through


def test_a_wall_of_a_player_without_walls_is_accepted_and_places_nothing() -> None:
    board = Board()
    board.nb_walls[PLAYER1] = 0
    assert board.is_action_valid(("WH", 3, 3), PLAYER1)
    assert board.play_action(("WH", 3, 3), PLAYER1).horiz_walls == []
    assert board.get_legal_wall_moves(PLAYER1) == []


def test_scores_ends_and_prints(capsys: pytest.CaptureFixture[str]) -> None:
    board = Board()
    assert (board.get_score(), board.get_score(PLAYER2)) == (0, 0)
    board.play_action(("WH", 0, 4), PLAYER2)  # a step more for both, so the walls left decide
    assert (board.get_score(), board.get_score(PLAYER2)) == (1, -1)
    board.nb_walls[PLAYER1] = 5
    assert (board.get_score(), board.get_score(PLAYER2)) == (-4, 4)
    board.move_pawn((1, 3), PLAYER1)
    assert board.get_score() == 1
    assert not board.is_finished()
    board.move_pawn((8, 0), PLAYER1)
    assert board.is_finished()
    assert board.get_shortest_path(PLAYER1) == []
    board.pretty_print()
    assert "Player 0 => pawn: (8, 0) goal: 8 nb walls: 5" in capsys.readouterr().out
    top, first, gap = str(board).splitlines()[:3]
    assert top.split() == list("012345678")
    assert first.startswith("0  .")
    assert gap == " " * 14 + "-----"


def test_a_pawn_that_stands_in_the_only_way_leaves_no_path() -> None:
    barred = next(vector for vector in VECTORS if vector["min_steps"] is None)
    board = Board(barred)
    assert not board.paths_exist()
    with pytest.raises(NoPath):
        board.get_score()


def test_percepts_in_csv(tmp_path: Path) -> None:
    path = tmp_path / "board.csv"
    path.write_text("0, a,f\n\n1,2,10\n")
    assert (
        load_percepts(str(path)) == load_percepts(["0,a,f", "1,2,10"]) == [[0, 10, 15], [1, 2, 16]]
    )
    with pytest.raises(ValueError, match="same length"):
        load_percepts(["1,2", "3"])
