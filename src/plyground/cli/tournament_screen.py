"""Live standings of a tournament on standard error."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from plyground.arena.summary import format_progress, format_sprt, format_standings
from plyground.arena.tournament import Tournament
from plyground.games.base import OnFound

REDRAW_S = 0.2
PLAIN_S = 10.0
"""Seconds between updates of a terminal, and between lines if it is not one."""
SILENT_S = 1.0
"""Seconds before a search for openings shows its progress."""


class OpeningsScreen:
    """Shows the progress of a slow search for openings."""

    def __init__(self) -> None:
        self.is_terminal = sys.stderr.isatty()
        self._shown_at = monotonic()
        self._is_shown = False

    def show(self, found: int, wanted: int) -> None:
        """Show the number of openings found, unless that was done a moment ago."""
        if monotonic() - self._shown_at < (REDRAW_S if self._is_shown else SILENT_S):
            return
        if self.is_terminal or not self._is_shown:
            end = "\r" if self.is_terminal else "\n"
            text = f"finding openings: {found:,} of {wanted:,}"
            print(text, end=end, file=sys.stderr, flush=True)
        self._shown_at, self._is_shown = monotonic(), True

    def clear(self) -> None:
        """Erase the progress from a terminal."""
        if self.is_terminal and self._is_shown:
            print("\x1b[K", end="", file=sys.stderr, flush=True)


@contextmanager
def openings_screen() -> Iterator[OnFound]:
    """A function that shows the progress of a search for openings, erased at the end."""
    screen = OpeningsScreen()
    try:
        yield screen.show
    finally:
        screen.clear()


class TournamentScreen:
    """Redraws a few lines of a terminal; without a terminal it prints a line now and then."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.is_terminal = sys.stderr.isatty()
        self._began = self._shown_at = monotonic()
        self._done_before = tournament.done
        self._lines = 0

    def show(self) -> None:
        """Show the standings, unless that was done a moment ago."""
        now = monotonic()
        if now - self._shown_at < (REDRAW_S if self.is_terminal else PLAIN_S):
            return
        self._shown_at = now
        if not self.is_terminal:
            print(self._progress(), file=sys.stderr, flush=True)
            return
        text = f"{format_standings(self.tournament.crosstable)}\n{self._progress()}"
        size = shutil.get_terminal_size()
        lines = [line[: size.columns - 1] for line in text.splitlines()[-size.lines + 1 :]]
        self.clear()
        print("\n".join(lines), file=sys.stderr, flush=True)
        self._lines = len(lines)

    def print(self, text: str) -> None:
        """Print lines that stay, above the standings."""
        self.clear()
        print(text, file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Erase the standings."""
        if self._lines:
            print(f"\x1b[{self._lines}F\x1b[J", end="", file=sys.stderr, flush=True)
            self._lines = 0

    def _progress(self) -> str:
        tournament = self.tournament
        played = tournament.done - self._done_before
        spent_s = monotonic() - self._began
        total = tournament.total
        left_s = spent_s / played * (total - tournament.done) if played else None
        line = format_progress(tournament.done, total, left_s)
        if tournament.rounds:
            line = f"{line}, round {tournament.rounds[-1].number}"
        sprt = tournament.config.sprt
        if sprt is None:
            return line
        counts = tournament.crosstable.pentanomial(*tournament.config.agents)
        return f"{line}\n{format_sprt(sprt, counts)}"
