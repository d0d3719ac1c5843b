"""The board of squares, for any game with a `GridBoard`.

Pieces are discs that differ in lightness; the last one has a dot on it.
"""

from __future__ import annotations

from pygame import Rect

from plyground.games.board import Cell, GridBoard, Spot
from plyground.ui.desktop.canvas import Canvas
from plyground.ui.desktop.drawing import Marks, draw_coordinates, draw_hint, middle
from plyground.ui.desktop.grid import SquareGrid
from plyground.ui.desktop.layout import Point
from plyground.ui.desktop.theme import Colour, Theme, mix

DOTTED = (8, 8)
"""Boards of these rows and columns have four dots, as boards of Reversi do."""
DOTS = ((1, 1), (1, 5), (5, 1), (5, 5))
"""Cells with a dot at the lower right corner."""


class GridDrawing:
    """A board of squares in its place in the window."""

    def __init__(
        self, board: GridBoard, place: Rect, flipped: bool = False, indices: bool = False
    ) -> None:
        self.board = board
        self.indices = indices
        self.grid = SquareGrid(place, board.rows, board.columns, flipped)

    def spot_at(self, point: Point) -> Spot | None:
        """The cell at a point."""
        return self.grid.spot_at(point)

    def is_taken(self, spot: Spot) -> bool:  # noqa: ARG002
        """False: a move may capture the piece on a cell."""
        return False

    def colours(self, theme: Theme, player: int) -> tuple[Colour, Colour]:
        """The colour of a player's discs, and that of the other's for the text."""
        return theme.discs[player - 1], theme.discs[2 - player]

    def supply(self, player: int) -> tuple[int, int] | None:  # noqa: ARG002
        """None: all pieces are on the board."""
        return None

    def draw(self, canvas: Canvas, marks: Marks) -> None:
        """Draw squares, coordinates, discs and marks."""
        grid = self.grid
        draw_coordinates(canvas, grid, self.indices)
        outer = grid.frame.inflate(grid.gap, grid.gap)
        canvas.box(outer, canvas.theme.felt_line, grid.gap * 2)
        for row in range(grid.rows):
            for column in range(grid.columns):
                self._draw_square(canvas, (row, column), marks.player)
        if (grid.rows, grid.columns) == DOTTED:
            self._draw_dots(canvas)
        if marks.hover is not None and not marks.is_illegal:
            _draw_disc(canvas, grid.cell_rect(marks.hover[1]), marks.player, pale=True)
        if marks.hint is not None:
            rect = grid.cell_rect(marks.hint[1])
            draw_hint(canvas, rect.inflate(-rect.width // 4, -rect.width // 4), rect.width // 8)

    def _draw_square(self, canvas: Canvas, cell: Cell, mover: int) -> None:
        theme, rect = canvas.theme, self.grid.cell_rect(cell)
        canvas.box(rect, theme.felt)
        owner = self.board.pieces.get(cell)
        if owner is not None:
            _draw_disc(canvas, rect, owner)
            if cell == self.board.last:
                canvas.disc(middle(rect), rect.width * 0.16, theme.discs[2 - owner])
                canvas.disc(middle(rect), rect.width * 0.11, theme.accent)
        elif cell in self.board.targets:
            smaller = -rect.width * 2 // 3
            _draw_disc(canvas, rect.inflate(smaller, smaller), mover)

    def _draw_dots(self, canvas: Canvas) -> None:
        radius = max(2, self.grid.cell // 22)
        for row, column in DOTS:
            one, other = (middle(self.grid.cell_rect((row + i, column + i))) for i in (0, 1))
            corner = (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
            canvas.disc(corner, radius, canvas.theme.felt_line)


def _draw_disc(canvas: Canvas, rect: Rect, player: int, pale: bool = False) -> None:
    theme = canvas.theme
    share = 0.45 if pale else 0.0
    rim, colour = theme.rims[player - 1], theme.discs[player - 1]
    radius = rect.width * 0.42
    canvas.disc(middle(rect), radius, mix(rim, theme.felt, share))
    canvas.disc(middle(rect), radius - max(1, rect.width / 28), mix(colour, theme.felt, share))
