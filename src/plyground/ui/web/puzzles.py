"""The puzzles of the package, one at a time, as the page shows them."""

from __future__ import annotations

from plyground.analysis.puzzle import Puzzle, shipped_puzzles
from plyground.errors import ConfigError
from plyground.play.live_game import LiveGame
from plyground.play.seat import Seat
from plyground.ui.web.shapes import Shape, position_shape


def puzzle_shape(number: int) -> Shape:
    """A puzzle: its board and what can be played, but not the answer."""
    puzzle = _puzzle(number)
    return position_shape(_board(puzzle), 0) | {
        "type": "puzzle",
        "number": number,
        "level": puzzle.level,
    }


def solution_shape(number: int, move: str | None) -> Shape:
    """Whether a move solves a puzzle, with the answer if it does or there was none.

    A move that the rules forbid is no answer, and raises.
    """
    puzzle = _puzzle(number)
    live = _board(puzzle)
    state = live.state
    given_up = move is None
    played = puzzle.answer if move is None else move
    live.play(played)
    right = live.moves[0].text == puzzle.answer
    shape: Shape = {
        "type": "solution",
        "number": number,
        "right": right and not given_up,
        "given_up": given_up,
        "move": live.moves[0].text,
        "verdict": f"Player {state.current_player} {puzzle.verdict}" if right else "",
    }
    if right:
        for following in puzzle.line[1:]:
            live.play(following)
        shape["line"] = list(puzzle.line)
        shape["positions"] = [position_shape(live, ply) for ply in range(len(live.states))]
    return shape


def _puzzle(number: int) -> Puzzle:
    puzzles = shipped_puzzles()
    if number >= len(puzzles):
        raise ConfigError(f"expected a puzzle from 0 to {len(puzzles) - 1}, got {number}")
    return puzzles[number]


def _board(puzzle: Puzzle) -> LiveGame:
    return LiveGame({1: Seat(), 2: Seat()}, puzzle.start(), puzzle.game)
