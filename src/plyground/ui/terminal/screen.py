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
PANEL, NARROW_PANEL = 34, 18
"""Columns of the panel beside the board."""
LEAST_MOVES = 2
"""Lines of moves in the panel, on a low board."""
LINES_BELOW = 3
"""Lines below the game: two notes and the prompt."""


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

    @property
    def height(self) -> int:
        """Lines of the terminal at this moment."""
        return shutil.get_terminal_size((80, 24)).lines

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

    def show(self, view: GameView, options: DisplayOptions) -> int:
        """Draw the game; a terminal is cleared first. Returns the number of lines left below it."""
        self.clear_status()
        if not self.paint.is_plain:
            print("\x1b[H\x1b[2J", end="", file=self._output)
        else:
            print(file=self._output)
        lines = self.lines(view, options)
        print("\n".join(lines), file=self._output, flush=True)
        return self.height - len(lines)

    def say_within(self, room: int, notes: list[str]) -> None:
        """Print the last notes that fit into a number of lines; of a long one, its beginning."""
        wrapped = [self._broken(note).split("\n") for note in notes]
        while len(wrapped) > 1 and sum(map(len, wrapped)) > room:
            del wrapped[0]
        for line in [line for note in wrapped for line in note][: max(0, room)]:
            self.say(line)

    def lines(self, view: GameView, options: DisplayOptions) -> list[str]:
        """The board with the panel beside it, or below if the terminal is narrow."""
        boards = [
            draw_board(view.board, self.paint, options.flipped, options.indices, narrow)
            for narrow in (False, True)
        ]
        first_is_lower = options.first_is_lower(view.state)
        upper, lower = view.players[::-1] if first_is_lower else view.players
        players = [*self._player(upper, PANEL), *self._player(lower, PANEL)]

        def fits_beside(board: list[str], panel: int) -> bool:
            return _width(board) + GAP + panel <= self.width

        def fits_above(board: list[str]) -> bool:
            height = len(board) + len(players) + LINES_BELOW
            return _width(board) <= self.width and height <= self.height

        wide, narrow = boards
        for panel in (PANEL, NARROW_PANEL):
            if fits_beside(wide, panel):
                return self._beside(wide, view, upper, lower, panel)
        for board in boards:
            if fits_above(board):
                return [*board, *players]
        if fits_beside(narrow, NARROW_PANEL):
            return self._beside(narrow, view, upper, lower, NARROW_PANEL)
        board = wide if _width(wide) <= self.width else narrow
        return [*board, self._player_line(upper), self._player_line(lower)]

    def _beside(
        self, board: list[str], view: GameView, upper: PlayerView, lower: PlayerView, width: int
    ) -> list[str]:
        above, below = (["", *self._player(player, width)] for player in (upper, lower))
        room = len(board) - len(above) - len(below) - 1
        panel = [*above, "", *self._moves(view, max(LEAST_MOVES, room)), *below]
        height, wide = max(len(board), len(panel)), _width(board)
        board = board + [""] * (height - len(board))
        panel += [""] * (height - len(panel))
        return [
            (line + " " * (wide - visible_length(line) + GAP) + beside).rstrip()
            for line, beside in zip(board, panel, strict=True)
        ]

    def _player(self, player: PlayerView, width: int) -> list[str]:
        """The name, the facts and the time left; in a narrow panel each on a line of its own."""
        clock = [] if player.clock_s is None else [f"{format_time(player.clock_s)} left"]
        if width < PANEL:
            below = [f"  {text}" for text in (*player.facts, *clock)]
        else:
            below = [f"    {', '.join(player.facts)}", *(f"    {text}" for text in clock)]
        return [self._name(player, width - 6), *below]

    def _player_line(self, player: PlayerView) -> str:
        """The player on one line: the time and the facts, and the name if there is room."""
        clock = [] if player.clock_s is None else [format_time(player.clock_s)]
        facts = ", ".join([*clock, *player.facts])
        return f"{self._name(player, self.width - len(facts) - 5)} {facts}"

    def _name(self, player: PlayerView, width: int) -> str:
        mark = ">" if player.is_to_move else " "
        name = player.name if len(player.name) <= width else player.name[: max(0, width - 3)]
        if len(name) < len(player.name):
            name = f"{name}..." if name else ""
        text = f"{player.number} {name}".rstrip()
        return f"{mark} " + self.paint(text, f"player{player.number}")

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


def _width(lines: list[str]) -> int:
    return max(map(visible_length, lines))


def visible_length(text: str) -> int:
    """The columns that a text takes, without its colours.

    >>> visible_length(Paint(is_plain=False)("wall", "wall"))
    4
    """
    return len(re.sub(r"\x1b\[[0-9;]*m", "", text))
