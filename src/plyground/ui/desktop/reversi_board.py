"""Reversi's board, drawn as the view says: discs differ in lightness, the last has a mark on it."""

from __future__ import annotations

from pygame import Rect

from plyground.ui.desktop.boards import Marks, draw_coordinates, draw_hint, middle
from plyground.ui.desktop.canvas import Canvas
from plyground.ui.desktop.layout import Point, ReversiGrid
from plyground.ui.desktop.theme import mix
from plyground.ui.view import ReversiView, Spot


class ReversiBoard:
    """A position in its place."""

    def __init__(self, view: ReversiView, place: Rect, flipped: bool) -> None:
        self.view = view
        self.grid = ReversiGrid(place, view.size, flipped)

    def spot_at(self, point: Point) -> Spot | None:
        """What of the board is there."""
        return self.grid.spot_at(point)

    def draw(self, canvas: Canvas, marks: Marks) -> None:
        """The board with its coordinates, discs, and what is marked on it."""
        _draw(canvas, self.grid, self.view, marks)


def _draw(canvas: Canvas, grid: ReversiGrid, view: ReversiView, marks: Marks) -> None:
    theme = canvas.theme
    draw_coordinates(canvas, grid)
    canvas.box(grid.frame.inflate(grid.gap, grid.gap), theme.felt_line, grid.gap * 2)
    stroke = max(2, grid.cell // 22)
    for row in range(view.size):
        for column in range(view.size):
            cell = row, column
            rect = grid.cell_rect(cell)
            canvas.box(rect, theme.felt)
            if cell in view.discs:
                _disc(canvas, rect, view.discs[cell])
                if cell == view.last:
                    ink = theme.discs[2 - view.discs[cell]]
                    canvas.disc(middle(rect), rect.width * 0.16, ink)
                    canvas.disc(middle(rect), rect.width * 0.11, theme.accent)
            elif cell in view.targets:
                _disc(
                    canvas, rect.inflate(-rect.width * 2 // 3, -rect.width * 2 // 3), marks.player
                )
    for row, column in ((1, 1), (1, 5), (5, 1), (5, 5)):  # dots, as boards have them
        one, other = (middle(grid.cell_rect((row + i, column + i))) for i in (0, 1))
        canvas.disc(((one[0] + other[0]) / 2, (one[1] + other[1]) / 2), stroke, theme.felt_line)
    if marks.hover is not None and not marks.is_refused:
        _disc(canvas, grid.cell_rect(marks.hover[1]), marks.player, pale=True)
    if marks.hint is not None:
        rect = grid.cell_rect(marks.hint[1])
        draw_hint(canvas, rect.inflate(-rect.width // 4, -rect.width // 4), rect.width // 8)


def _disc(canvas: Canvas, rect: Rect, player: int, pale: bool = False) -> None:
    theme = canvas.theme
    share = 0.45 if pale else 0.0
    rim, colour = theme.rims[player - 1], theme.discs[player - 1]
    radius = rect.width * 0.42
    canvas.disc(middle(rect), radius, mix(rim, theme.felt, share))
    canvas.disc(middle(rect), radius - max(1, rect.width / 28), mix(colour, theme.felt, share))
