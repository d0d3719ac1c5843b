"""Themes of puzzles, one position for each."""

from __future__ import annotations

import pytest

from plyground.analysis.puzzle import shipped_puzzles
from plyground.analysis.reversi_themes import empty_regions
from plyground.games import registry
from plyground.games.lines import play_line
from plyground.reversi import State


def themes(game: str, position: str, line: str) -> list[str]:
    state = registry.get(game).start({}, position)
    actions = state.game.parse_line(state, line)
    return list(state.game.puzzle_themes(play_line(state, actions), actions))


@pytest.mark.parametrize(
    ("position", "line", "expected"),
    [
        # The pawn of player 2 is in the way and is jumped over.
        ("5 c3/c4 - 0/0 1 10 4", "c5", ["jump", "race"]),
        # The wall above a4 and b4 sends player 1, who is one step from the goal, round.
        ("5 a4/e2 b4v 0/1 2 10 4", "a4h", ["dead end", "last wall"]),
        # Only two steps longer, and walls are left.
        ("5 a4/e2 - 0/3 2 10 4", "a4h", ["wall"]),
        # Player 2 wins one step ahead of player 1.
        ("5 a4/e2 - 2/2 2 10 4", "e1", ["tempo"]),
    ],
)
def test_quoridor(position: str, line: str, expected: list[str]) -> None:
    assert themes("quoridor", position, line) == expected


def test_reversi() -> None:
    """A corner is taken by the first move; a tempo is a pass of the loser."""
    for puzzle in shipped_puzzles():
        if puzzle.game != "reversi":
            continue
        found = themes("reversi", puzzle.position, " ".join(puzzle.line))
        assert ("corner" in found) == (puzzle.answer in ("a1", "a8", "h1", "h8"))
        loser_passes = "pass" in puzzle.line[1::2]
        assert ("tempo" in found) == loser_passes


def test_regions_touch_diagonally() -> None:
    board = list("X" * 64)
    for square in (0, 9, 63, 62, 32):
        board[square] = "-"
    regions = empty_regions(State.parse("".join(board) + " O"))
    assert sorted(map(sorted, regions)) == [[0, 9], [32], [62, 63]]
