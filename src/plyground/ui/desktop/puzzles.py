"""Puzzles in the window: which position of a puzzle is shown, and what is said about it."""

from __future__ import annotations

from plyground.analysis.puzzle import daily_puzzle
from plyground.games.base import Move
from plyground.games.lines import format_line
from plyground.ui.puzzle_host import PuzzleHost
from plyground.ui.view import DisplayOptions, GameView, view_live


class WindowPuzzles:
    """A puzzle on the board, or a line that follows from it: a refutation or the solution."""

    def __init__(self, host: PuzzleHost) -> None:
        self.host = host
        self._line: list[int] = []
        self._ply: int | None = None

    @property
    def can_move(self) -> bool:
        """Whether the solver may move on the board as it is shown."""
        return not self.host.is_done and not self._line and self._ply is None

    @property
    def can_retry(self) -> bool:
        """Whether a refutation is shown."""
        return bool(self._line) and not self.host.is_done

    @property
    def caption(self) -> str:
        """The puzzle and the solver's progress."""
        return f"{self.host.title()}. {self.host.progress_text()}"

    def view(self, options: DisplayOptions) -> GameView:
        """The position that is shown."""
        targets = options.targets and self.can_move
        return view_live(self.host.live(self._line), targets, options.paths, self._ply)

    def next(self) -> str:
        """Begin another puzzle; the message about it."""
        self.host.next()
        return self._begin()

    def daily(self) -> str:
        """Begin the puzzle of the day; the message about it."""
        self.host.go_to(daily_puzzle())
        return self._begin()

    def play(self, move: Move) -> str:
        """Try a move; the message about it."""
        self.retry()
        before = self.host.attempt.state
        reply = self.host.play(move)
        if reply.verdict == "wrong":
            self._line = reply.line
        return self.host.verdict_text(before, reply)

    def answer(self) -> str:
        """Give up; the message with the solution, whose end is shown."""
        self.retry()
        state = self.host.attempt.state
        self._line = self.host.give_up()
        return f"the winning line: {format_line(state, self._line)}"

    def retry(self) -> None:
        """Go back to the position before a wrong move."""
        if not self.host.is_done:
            self._line, self._ply = [], None

    def go_to(self, ply: int) -> None:
        """Show the position after a number of moves."""
        last = len(self.host.attempt.moves) + len(self._line)
        self._ply = None if ply >= last else max(0, ply)

    def _begin(self) -> str:
        self._line, self._ply = [], None
        return self.host.task()
