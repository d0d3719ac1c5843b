"""Payloads of the puzzles.

The server keeps nothing about a solver: the page sends the moves so far and the solver's progress,
which it stores in the browser.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from plyground.analysis.puzzle import (
    LEVELS,
    Puzzle,
    boards_of,
    daily_puzzle,
    find_puzzle,
    shipped_puzzles,
    themes_of,
)
from plyground.analysis.puzzle_attempt import PuzzleAttempt
from plyground.analysis.puzzle_progress import PuzzleProgress
from plyground.games import registry
from plyground.games.base import Move
from plyground.json_types import Json, JsonObject
from plyground.play.live_game import LiveGame
from plyground.play.seat import Seat
from plyground.ui.web.payloads import position_payload


def puzzles_info() -> JsonObject:
    """What a page may choose from."""
    return {
        "count": len(shipped_puzzles()),
        "levels": list(LEVELS),
        "games": {
            name: {"boards": list(boards_of(game)), "themes": list(themes_of(game))}
            for name, game in registry.games().items()
            if boards_of(game)
        },
    }


def puzzle_payload(number: int, progress: PuzzleProgress) -> JsonObject:
    """A puzzle: its board and the legal moves, but not the answer."""
    puzzle = find_puzzle(number)
    return position_payload(_live(puzzle, ())) | {
        "type": "puzzle",
        "number": number,
        "level": puzzle.level,
        "rating": puzzle.rating,
        "size": puzzle.board,
        "is_daily": number == daily_puzzle(),
        "is_solved": number in progress.solved,
        "summary": _summary(progress),
    }


def solution_payload(number: int, moves: Sequence[str], move: str | None) -> JsonObject:
    """The verdict on a move, with what follows; without a move, the winning line from here.

    An illegal move raises an error.
    """
    puzzle = find_puzzle(number)
    attempt = PuzzleAttempt(puzzle, moves)
    if move is None:
        verdict, line = "shown", attempt.solution()
        winner: int | None = attempt.solver
    else:
        reply = attempt.play(move)
        verdict, line, winner = reply.verdict, reply.line, reply.winner
    live = _live(puzzle, (*moves, *line))
    plies = range(len(moves), len(live.states))
    is_over = verdict in ("solved", "shown")
    return {
        "type": "solution",
        "number": number,
        "verdict": verdict,
        "moves": " ".join(attempt.moves),
        "line": [ply.text for ply in live.moves[len(moves) :]],
        "winner": winner,
        "positions": [
            _shown(live, ply, can_play=verdict == "right" and ply == plies[-1]) for ply in plies
        ],
        "themes": list(puzzle.themes) if is_over else [],
    }


def puzzle_hint_payload(number: int, moves: Sequence[str]) -> JsonObject:
    """The kind of the next move and the move."""
    kind, move = PuzzleAttempt(find_puzzle(number), moves).hint()
    return {"type": "puzzle_hint", "number": number, "kind": kind, "move": move}


def progress_payload(
    number: int, progress: PuzzleProgress, *, is_solved: bool, used_hint: bool
) -> JsonObject:
    """A solver's progress after a puzzle."""
    day = datetime.now(UTC).date().isoformat() if number == daily_puzzle() else ""
    after = progress.record(number, is_solved=is_solved, used_hint=used_hint, day=day)
    return {
        "type": "puzzle_progress",
        "number": number,
        "progress": after.text(),
        "gained": round(after.rating.rating) - round(progress.rating.rating),
        "summary": _summary(after),
    }


def _summary(progress: PuzzleProgress) -> JsonObject:
    return {
        "rating": round(progress.rating.rating),
        "deviation": round(progress.rating.deviation),
        "streak": progress.streak,
        "best": progress.best,
        "solved": len(progress.solved),
        "daily_solved": progress.daily == datetime.now(UTC).date().isoformat(),
    }


def _live(puzzle: Puzzle, moves: Sequence[Move]) -> LiveGame:
    live = LiveGame({1: Seat(), 2: Seat()}, puzzle.start)
    for move in moves:
        live.play(move)
    return live


def _shown(live: LiveGame, ply: int, *, can_play: bool) -> Json:
    """A position of a line; without its legal moves, unless the solver plays on from there."""
    position = position_payload(live, live.node_at(ply))
    return position if can_play else position | {"can_play": False, "legal": [], "spots": {}}
