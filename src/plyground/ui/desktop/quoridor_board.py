"""Quoridor's board.

Players have a number as well as a colour; their paths are dots and diamonds. The last move has a
solid frame, and a dotted one where the pawn came from. An illegal wall is hatched and crossed out.
"""

from __future__ import annotations

import pygame
from pygame import Rect

from plyground.games.board import Cell, QuoridorBoard, Spot
from plyground.ui.desktop.canvas import Canvas
from plyground.ui.desktop.drawing import Marks, draw_coordinates, draw_hint, middle
from plyground.ui.desktop.layout import Point
from plyground.ui.desktop.quoridor_grid import QuoridorGrid
from plyground.ui.desktop.theme import Colour, Theme, mix


class QuoridorDrawing:
    """A board of Quoridor in its place in the window."""

    def __init__(
        self, board: QuoridorBoard, place: Rect, flipped: bool = False, indices: bool = False
    ) -> None:
        self.board = board
        self.indices = indices
        self.grid = QuoridorGrid(place, board.size, flipped, row_0_below=not indices)

    def spot_at(self, point: Point) -> Spot | None:
        """The cell or wall at a point."""
        return self.grid.spot_at(point)

    def is_taken(self, spot: Spot) -> bool:
        """Whether this very wall is on the board already."""
        kind, slot = spot
        walls = {"h_wall": self.board.h_walls, "v_wall": self.board.v_walls}
        return slot in walls.get(kind, ())

    def colours(self, theme: Theme, player: int) -> tuple[Colour, Colour]:
        """The colour of a player's pawn, and of the number on it."""
        return theme.players[player - 1], theme.inks[player - 1]

    def supply(self, player: int) -> tuple[int, int] | None:
        """The walls of a player."""
        return self.board.walls_left[player - 1], self.board.walls_each

    def draw(self, canvas: Canvas, marks: Marks) -> None:
        """Draw cells, coordinates, pieces and marks."""
        painter = _QuoridorPainter(canvas, self.grid, self.board, marks)
        draw_coordinates(canvas, self.grid, self.indices)
        painter.cells()
        painter.paths()
        painter.targets()
        painter.walls()
        painter.pawns()
        painter.hover()
        painter.hint()


class _QuoridorPainter:
    """Draws one board, part by part."""

    def __init__(
        self, canvas: Canvas, grid: QuoridorGrid, board: QuoridorBoard, marks: Marks
    ) -> None:
        self.canvas = canvas
        self.theme = canvas.theme
        self.grid = grid
        self.board = board
        self.marks = marks
        self.radius = max(2, grid.cell // 8)
        self.stroke = max(2, grid.cell // 18)

    def cells(self) -> None:
        """Draw the cells, with each goal row tinted in the colour of its player."""
        theme, grid, size = self.theme, self.grid, self.board.size
        self.canvas.box(grid.frame, theme.board, self.radius + grid.gap)
        for row in range(size):
            for column in range(size):
                colour = theme.cell
                for player, goal in ((1, size - 1), (2, 0)):
                    if row == goal:
                        colour = mix(theme.cell, theme.players[player - 1], 0.16)
                self.canvas.box(grid.cell_rect((row, column)), colour, self.radius)

    def paths(self) -> None:
        """Draw dots on player 1's path and diamonds on player 2's, side by side on shared cells."""
        radius = self.grid.cell / 9
        for player, path in enumerate(self.board.paths, 1):
            colour = self.theme.players[player - 1]
            for cell in path:
                x, y = middle(self.grid.cell_rect(cell))
                if cell in self.board.paths[0] and cell in self.board.paths[1]:
                    x += (2 * player - 3) * 1.6 * radius
                if player == 1:
                    self.canvas.disc((x, y), radius, colour)
                else:
                    reach = 1.25 * radius
                    points = [(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)]
                    self.canvas.shape([(round(a), round(b)) for a, b in points], colour)

    def targets(self) -> None:
        """Draw rings where the pawn can go."""
        colour = self.theme.players[self.marks.player - 1]
        for cell in self.board.targets:
            centre = middle(self.grid.cell_rect(cell))
            self.canvas.ring(centre, self.grid.cell * 0.36, self.stroke, colour)

    def walls(self) -> None:
        """Draw the walls; the newest has a frame and a bright line along it."""
        for kind, walls in (("h_wall", self.board.h_walls), ("v_wall", self.board.v_walls)):
            for slot in walls:
                rect, is_last = self.grid.wall_rect(kind, slot), self.board.last == (kind, slot)
                width = max(1, self.grid.gap // 4)
                if is_last:
                    self.wall(rect.inflate(2 * width, 2 * width), self.theme.accent)
                self.wall(rect, self.theme.wall)
                if is_last:
                    self.canvas.box(rect.inflate(-3 * width, -3 * width), self.theme.cell)

    def wall(self, rect: Rect, colour: Colour) -> None:
        """Draw one wall."""
        self.canvas.box(rect, colour, max(1, self.grid.gap // 3))

    def pawns(self) -> None:
        """Draw the pawns, with frames where the last move came from and led to."""
        last, grid = self.board.last, self.grid
        if self.board.last_from is not None:
            self._dotted(grid.cell_rect(self.board.last_from))
        for player, cell in self.board.pawns.items():
            if last == ("move", cell):
                rect = grid.cell_rect(cell)
                self.canvas.box(rect, self.theme.accent, self.radius)
                inner = rect.inflate(-2 * self.stroke, -2 * self.stroke)
                self.canvas.box(inner, self.theme.cell, self.radius - self.stroke)
            self.pawn(cell, player, self.theme.players[player - 1])

    def pawn(self, cell: Cell, player: int, colour: Colour) -> None:
        """Draw one pawn with its number."""
        rect = self.grid.cell_rect(cell)
        radius = self.grid.cell * 0.36
        self.canvas.disc(middle(rect), radius, mix(colour, self.theme.text, 0.55))
        self.canvas.disc(middle(rect), radius - max(1, self.stroke / 2), colour)
        size = self.grid.cell * 0.46 / self.canvas.unit
        ink = self.theme.inks[player - 1]
        self.canvas.text(str(player), rect, ink, size=size, bold=True, align="centre")

    def hover(self) -> None:
        """Draw what a click would do: a pale pawn or a wall. An illegal wall is crossed out."""
        if self.marks.hover is None:
            return
        kind, cell = self.marks.hover
        theme, illegal = self.theme, self.marks.is_illegal
        if kind == "move":
            if not illegal:
                pale = mix(theme.cell, theme.players[self.marks.player - 1], 0.6)
                self.pawn(cell, self.marks.player, pale)
            return
        rect = self.grid.wall_rect(kind, cell)
        if not illegal:
            self.wall(rect, theme.good)
            return
        self._hatched(rect, theme.bad)
        self.canvas.cross(middle(rect), self.grid.cell * 0.24, self.stroke * 1.8, theme.bad)

    def hint(self) -> None:
        """Draw a double frame around the suggested move."""
        if self.marks.hint is None:
            return
        kind, cell = self.marks.hint
        if kind == "move":
            draw_hint(self.canvas, self.grid.cell_rect(cell), self.radius)
        else:
            rect = self.grid.wall_rect(kind, cell)
            self.wall(rect, mix(self.theme.board, self.theme.accent, 0.5))
            draw_hint(self.canvas, rect, self.grid.gap // 2)

    def _dotted(self, rect: Rect) -> None:
        """Draw dots along the edge of a cell."""
        inner = rect.inflate(-self.stroke * 2, -self.stroke * 2)
        steps = 5
        for i in range(steps):
            share = i / steps
            along = round(inner.width * share), round(inner.height * share)
            for point in (
                (inner.left + along[0], inner.top),
                (inner.right - along[0], inner.bottom),
                (inner.left, inner.bottom - along[1]),
                (inner.right, inner.top + along[1]),
            ):
                self.canvas.disc(point, self.stroke * 0.7, self.theme.accent)

    def _hatched(self, rect: Rect, colour: Colour) -> None:
        """Draw a wall as an outline filled with slanted lines."""
        surface = self.canvas.surface
        before = surface.get_clip()
        surface.set_clip(rect)
        step = max(4, self.grid.gap // 2)
        for start in range(-rect.height, rect.width, step):
            left = rect.left + start
            pygame.draw.line(
                surface, colour, (left, rect.bottom), (left + rect.height, rect.top), 2
            )
        surface.set_clip(before)
        pygame.draw.rect(surface, colour, rect, max(1, self.stroke // 2))
