"""The terminal's output: the board with its panel, lines of text, and an overwritten status."""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from typing import TextIO

from plyground.play.clock import format_time
from plyground.ui.terminal.boards import draw_board
from plyground.ui.terminal.paint import Paint
from plyground.ui.view import DisplayOptions, GameView, PlayerView

GAP = 3
PANEL = 34
"""Columns of the panel beside the board."""
BESIDES_MOVES = 7
"""Lines of the panel besides the moves."""


class Screen:
    """Writes to a terminal, or as plain text to any other output."""

    def __init__(self, paint: Paint, output: TextIO | None = None) -> None:
        self.paint = paint
        self._output = output or sys.stdout
        self._has_status = False

    @property
    def width(self) -> int:
        """Columns of the terminal at this moment."""
        return shutil.get_terminal_size((80, 24)).columns

    def say(self, text: str = "") -> None:
        """Print text; at a terminal, long lines break between words."""
        self.clear_status()
        if self._output.isatty():
            text = "\n".join(self._broken(line) for line in text.split("\n"))
        print(text, file=self._output, flush=True)

    def _broken(self, line: str) -> str:
        """Break between words only, so that file names stay whole."""
        room = max(self.width - 1, 20)
        return textwrap.fill(line, room, break_long_words=False, break_on_hyphens=False)

    def status(self, text: str) -> None:
        """Overwrite the status line; a plain output has none."""
        if self.paint.is_plain:
            return
        line = text[: self.width - 1]
        print(f"\r\x1b[K{line}", end="", file=self._output, flush=True)
        self._has_status = True

    def clear_status(self) -> None:
        """Remove the status line."""
        if self._has_status:
            print("\r\x1b[K", end="", file=self._output, flush=True)
            self._has_status = False

    def show(self, view: GameView, options: DisplayOptions) -> None:
        """Draw the game; a terminal is cleared first."""
        self.clear_status()
        if not self.paint.is_plain:
            print("\x1b[H\x1b[2J", end="", file=self._output)
        else:
            print(file=self._output)
        print("\n".join(self.lines(view, options)), file=self._output, flush=True)

    def lines(self, view: GameView, options: DisplayOptions) -> list[str]:
        """The board with the panel beside it, or below if the terminal is narrow."""
        board = draw_board(view.board, self.paint, options.flipped, options.indices)
        wide = max(visible_length(line) for line in board)
        first_is_lower = options.first_is_lower(view.state)
        upper, lower = view.players[::-1] if first_is_lower else view.players
        if wide + GAP + PANEL > self.width:
            return [*board, *self._player(upper), *self._player(lower)]
        middle = self._moves(view, max(2, len(board) - BESIDES_MOVES))
        panel = ["", *self._player(upper), "", *middle, "", *self._player(lower)]
        height = max(len(board), len(panel))
        board += [""] * (height - len(board))
        panel += [""] * (height - len(panel))
        return [
            (line + " " * (wide - visible_length(line) + GAP) + beside).rstrip()
            for line, beside in zip(board, panel, strict=True)
        ]

    def _player(self, player: PlayerView) -> list[str]:
        mark = ">" if player.is_to_move else " "
        name = player.name if len(player.name) <= PANEL - 6 else player.name[: PANEL - 9] + "..."
        clock = "" if player.clock_s is None else f", {format_time(player.clock_s)} left"
        return [
            f"{mark} " + self.paint(f"{player.number} {name}", f"player{player.number}"),
            f"    {', '.join(player.facts)}{clock}",
        ]

    def _moves(self, view: GameView, lines: int) -> list[str]:
        """The last moves, two on a line as in records."""
        moves = ["..."] * (view.first_player - 1) + list(view.moves)
        pairs = [moves[i : i + 2] for i in range(0, len(moves), 2)]
        rows = [
            f"{number:>3}. " + "".join(f"{move:<6}" for move in pair)
            for number, pair in enumerate(pairs, 1)
        ]
        shown = [f"  {row}".rstrip() for row in rows[-lines:]]
        return shown + [""] * (lines - len(shown))


def visible_length(text: str) -> int:
    """The columns that a text takes, without its colours.

    >>> visible_length(Paint(is_plain=False)("wall", "wall"))
    4
    """
    return len(re.sub(r"\x1b\[[0-9;]*m", "", text))
