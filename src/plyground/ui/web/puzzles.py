"""Payloads of the puzzles."""

from __future__ import annotations

from plyground.analysis.puzzle import Puzzle, shipped_puzzles
from plyground.errors import ConfigError
from plyground.json_types import JsonObject
from plyground.play.live_game import LiveGame
from plyground.play.seat import Seat
from plyground.ui.web.payloads import position_payload


def puzzle_payload(number: int) -> JsonObject:
    """A puzzle: its board and the legal moves, but not the answer."""
    puzzle = _puzzle(number)
    return position_payload(_board(puzzle)) | {
        "type": "puzzle",
        "number": number,
        "level": puzzle.level,
    }


def solution_payload(number: int, move: str | None) -> JsonObject:
    """Whether a move solves a puzzle, with the answer if it does or if the player gave up (None).

    An illegal move raises an error.
    """
    puzzle = _puzzle(number)
    live = _board(puzzle)
    state = live.state
    given_up = move is None
    played = puzzle.answer if move is None else move
    live.play(played)
    right = live.moves[0].text == puzzle.answer
    payload: JsonObject = {
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
        payload["line"] = list(puzzle.line)
        plies = range(len(live.states))
        payload["positions"] = [position_payload(live, live.node_at(ply)) for ply in plies]
    return payload


def _puzzle(number: int) -> Puzzle:
    puzzles = shipped_puzzles()
    if number >= len(puzzles):
        raise ConfigError(f"expected a puzzle from 0 to {len(puzzles) - 1}, got {number}")
    return puzzles[number]


def _board(puzzle: Puzzle) -> LiveGame:
    return LiveGame({1: Seat(), 2: Seat()}, puzzle.start())
