"""The live table of a tournament on standard error."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from plyground.arena.openings import Found
from plyground.arena.table import format_progress, format_sprt, format_table
from plyground.arena.tournament import Tournament

REDRAW_S = 0.2
PLAIN_S = 10.0
"""Between updates of a terminal, and between lines where there is none."""
SILENT_S = 1.0
"""How long openings may be looked for without a word."""


class OpeningsScreen:
    """Says that openings are being looked for, where that takes a while."""

    def __init__(self) -> None:
        self.is_terminal = sys.stderr.isatty()
        self._shown_at = monotonic()
        self._is_shown = False

    def show(self, found: int, wanted: int) -> None:
        """How far it is."""
        if monotonic() - self._shown_at < (REDRAW_S if self._is_shown else SILENT_S):
            return
        if self.is_terminal or not self._is_shown:
            end = "\r" if self.is_terminal else "\n"
            text = f"finding openings: {found:,} of {wanted:,}"
            print(text, end=end, file=sys.stderr, flush=True)
        self._shown_at, self._is_shown = monotonic(), True

    def clear(self) -> None:
        """Leave no trace of it on a terminal."""
        if self.is_terminal and self._is_shown:
            print("\x1b[K", end="", file=sys.stderr, flush=True)


@contextmanager
def openings_screen() -> Iterator[Found]:
    """What is told of openings that are found meanwhile is shown, and leaves no trace."""
    screen = OpeningsScreen()
    try:
        yield screen.show
    finally:
        screen.clear()


class TournamentScreen:
    """Redraws a few lines of a terminal; elsewhere it writes a line now and then."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.is_terminal = sys.stderr.isatty()
        self._began = self._shown_at = monotonic()
        self._done_before = tournament.done
        self._lines = 0

    def show(self) -> None:
        """Show how things stand, unless that was done a moment ago."""
        now = monotonic()
        if now - self._shown_at < (REDRAW_S if self.is_terminal else PLAIN_S):
            return
        self._shown_at = now
        if not self.is_terminal:
            print(self._progress(), file=sys.stderr, flush=True)
            return
        text = f"{format_table(self.tournament.scores)}\n{self._progress()}"
        size = shutil.get_terminal_size()
        lines = [line[: size.columns - 1] for line in text.splitlines()[-size.lines + 1 :]]
        self.clear()
        print("\n".join(lines), file=sys.stderr, flush=True)
        self._lines = len(lines)

    def clear(self) -> None:
        """Leave no trace of what was shown."""
        if self._lines:
            print(f"\x1b[{self._lines}F\x1b[J", end="", file=sys.stderr, flush=True)
            self._lines = 0

    def _progress(self) -> str:
        tournament = self.tournament
        played = tournament.done - self._done_before
        spent_s = monotonic() - self._began
        total = len(tournament.tasks)
        left_s = spent_s / played * (total - tournament.done) if played else None
        line = format_progress(tournament.done, total, left_s)
        sprt = tournament.config.sprt
        if sprt is None:
            return line
        counts = tournament.scores.pentanomial(*tournament.config.agents)
        return f"{line}\n{format_sprt(sprt, counts)}"
