"""Puzzles for the terminal and the window: one puzzle after another, and the solver's progress.

The page keeps no state on the server; it uses the same attempts and the same progress
(`web/puzzles.py`).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from plyground.analysis.proof import Prover
from plyground.analysis.puzzle import (
    Puzzle,
    PuzzleFilter,
    daily_puzzle,
    find_puzzle,
    shipped_puzzles,
)
from plyground.analysis.puzzle_attempt import PuzzleAttempt, PuzzleReply
from plyground.analysis.puzzle_progress import PuzzleProgress, next_puzzle
from plyground.errors import ConfigError
from plyground.games.base import Move, State
from plyground.games.lines import format_line
from plyground.play.live_game import LiveGame
from plyground.play.seat import Seat

Save = Callable[[PuzzleProgress], object]

HINTS = {
    "move": "Move the pawn.",
    "h_wall": "Place a horizontal wall.",
    "v_wall": "Place a vertical wall.",
    "corner": "Take a corner.",
    "edge": "Play on the edge.",
    "inside": "Play inside, not on the edge.",
}
"""First hints by `Game.move_kind`."""


class PuzzleHost:
    """The puzzle on a screen."""

    def __init__(
        self,
        progress: PuzzleProgress,
        save: Save,
        wanted: PuzzleFilter | None = None,
        rng: random.Random | None = None,
    ) -> None:
        self.progress = progress
        self.wanted = wanted or PuzzleFilter()
        self.number = 0
        self.is_done = False
        """Whether the puzzle is solved or its answer was shown."""
        self._save = save
        self._rng = rng or random.Random()
        self._has_failed = False
        self._hints = 0
        self._gained = 0
        self._attempt: PuzzleAttempt

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle being solved."""
        return self._attempt.puzzle

    @property
    def attempt(self) -> PuzzleAttempt:
        """The moves so far."""
        return self._attempt

    @property
    def is_daily(self) -> bool:
        """Whether this is the puzzle of today."""
        return self.number == daily_puzzle()

    def go_to(self, number: int) -> None:
        """Begin the puzzle of a number."""
        self._attempt = PuzzleAttempt(find_puzzle(number))
        self.number = number
        self.is_done = self._has_failed = False
        self._hints = self._gained = 0

    def next(self) -> None:
        """Begin another puzzle that suits the filter and the solver's rating."""
        self.go_to(next_puzzle(self.progress, self.wanted, self._rng, without=self.number))

    def live(self, line: Sequence[Move] = ()) -> LiveGame:
        """The puzzle as a game, with the moves so far and then this line."""
        solver = self._attempt.solver
        live = LiveGame({solver: Seat("you"), 3 - solver: Seat("defence")}, self.puzzle.start)
        for move in (*self._attempt.moves, *line):
            live.play(move)
        return live

    def play(self, move: Move) -> PuzzleReply:
        """Try a move; an illegal one raises an error and costs nothing."""
        if self.is_done:
            raise ConfigError("the puzzle is over; begin another one")
        reply = self._attempt.play(move, self._prover())
        if reply.verdict == "wrong":
            self._fail()
        elif reply.verdict == "solved":
            self.is_done = True
            if not self._has_failed:
                self._record(is_solved=True)
        return reply

    def hint(self) -> tuple[str, str | None]:
        """The kind of the next move; the second time also the move."""
        if self.is_done:
            raise ConfigError("the puzzle is over; begin another one")
        kind, move = self._attempt.hint()
        self._hints += 1
        text = HINTS.get(kind, "Look for the only move.")
        return (text, None) if self._hints == 1 else (f"{text} It is {move}.", move)

    def give_up(self) -> list[int]:
        """The winning line from here, which ends the puzzle."""
        if self.is_done:
            raise ConfigError("the puzzle is over; begin another one")
        self._fail()
        self.is_done = True
        return self._attempt.solution()

    def _fail(self) -> None:
        if not self._has_failed:
            self._has_failed = True
            self._record(is_solved=False)

    def _record(self, *, is_solved: bool) -> None:
        before = round(self.progress.rating.rating)
        day = datetime.now(UTC).date().isoformat() if self.is_daily else ""
        self.progress = self.progress.record(
            self.number, is_solved=is_solved, used_hint=self._hints > 0, day=day
        )
        self._gained = round(self.progress.rating.rating) - before
        self._save(self.progress)

    def _prover(self) -> Prover[State]:
        prover: Prover[State] = self._attempt.state.game.make_prover()
        return prover

    # Texts.

    def title(self) -> str:
        """The number, the board, the level and the rating of the puzzle."""
        puzzle = self.puzzle
        size = f" {puzzle.board}x{puzzle.board}"
        day = ", puzzle of the day" if self.is_daily else ""
        return (
            f"Puzzle {self.number} of {len(shipped_puzzles())}: {puzzle.start.game.title}{size}, "
            f"{puzzle.level} ({puzzle.rating}){day}"
        )

    def rating_text(self) -> str:
        """The solver's rating."""
        return f"your rating {self.progress.rating.rating:.0f}"

    def task(self) -> str:
        """What the solver has to do."""
        player = self._attempt.solver
        return f"You are player {player}. One move wins by force: find it, and win the game."

    def progress_text(self) -> str:
        """The rating, the streak and the number of solved puzzles."""
        rating, gained = self.progress.rating, f" ({self._gained:+d})" if self._gained else ""
        return (
            f"Rating {rating.rating:.0f}{gained}, streak {self.progress.streak}, best "
            f"{self.progress.best}, solved {len(self.progress.solved)} of {len(shipped_puzzles())}"
        )

    def verdict_text(self, before: State, reply: PuzzleReply) -> str:
        """A sentence about a move that was tried from a position."""
        moves = format_line(before, reply.line).split()
        if reply.verdict == "solved":
            return f"{moves[0]} wins. Solved!"
        if reply.verdict == "right":
            return f"{moves[0]} is right. The opponent plays {' '.join(moves[1:])}. Go on."
        follows = f" The refutation: {' '.join(moves[1:])}." if moves[1:] else ""
        return f"{moves[0]} does not win.{follows}"
