"""A board of squares as SVG, drawn like static/grid.js draws it on the page."""

from __future__ import annotations

import re
from string import ascii_lowercase

from plyground.drawing.shapes import Shape, box, circle, label
from plyground.games.board import Cell, GridBoard, Spot

PITCH = 10
MARGIN = 4.5


class GridSvg:
    """Draws a board; row 0 is at the top unless it is flipped."""

    example = "a square such as 'a1'"
    """Places, as messages name them."""

    def __init__(self, board: GridBoard, flipped: bool) -> None:
        self.board = board
        self.flipped = flipped
        self.width = board.columns * PITCH + 2 * MARGIN
        self.height = board.rows * PITCH + 2 * MARGIN

    def find_spot(self, name: str) -> Spot | None:
        """The spot of a square; None for other text."""
        match = re.fullmatch(r"([a-z])([1-9][0-9]?)", name.lower(), re.ASCII)
        if match is None:
            return None
        row, column = int(match[2]) - 1, ascii_lowercase.index(match[1])
        is_on_board = row < self.board.rows and column < self.board.columns
        return ("move", (row, column)) if is_on_board else None

    def center(self, spot: Spot) -> tuple[float, float]:
        """The centre of a square."""
        row, column = spot[1]
        x, y = MARGIN + (column + 0.5) * PITCH, MARGIN + (row + 0.5) * PITCH
        return (self.width - x, self.height - y) if self.flipped else (x, y)

    def ground(self) -> list[Shape]:
        """The squares, and the names of rows and columns."""
        board = self.board
        shapes = [box("frame", self.width / 2, self.height / 2, self.width, self.height, 2.2)]
        cells = [(row, column) for row in range(board.rows) for column in range(board.columns)]
        shapes += [self._square("square", cell) for cell in cells]
        size = MARGIN / 2
        for column in range(board.columns):
            x, _ = self.center(("move", (0, column)))
            shapes.append(label("frame-label", x, size + 0.1, ascii_lowercase[column % 26], size))
        for row in range(board.rows):
            _, y = self.center(("move", (row, 0)))
            shapes.append(label("frame-label", size, y + 0.1, str(row + 1), size))
        return shapes

    def highlights(self) -> list[Shape]:
        """The square of the last move."""
        return [] if self.board.last is None else [self._square("lastcell", self.board.last)]

    def pieces(self) -> list[Shape]:
        """The discs, with a dot on that of the last move."""
        shapes = []
        for cell, player in sorted(self.board.pieces.items()):
            x, y = self.center(("move", cell))
            shapes.append(circle(f"disc{player}", x, y, 4.1))
            if cell == self.board.last:
                shapes.append(circle("dot", x, y, 0.8))
        return shapes

    def marker(self, style: str, spot: Spot) -> Shape:
        """A dot on a square."""
        return circle(style, *self.center(spot), 3.6)

    def _square(self, style: str, cell: Cell) -> Shape:
        return box(style, *self.center(("move", cell)), PITCH, PITCH)
