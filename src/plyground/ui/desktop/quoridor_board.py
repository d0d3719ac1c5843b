"""Quoridor's board, drawn as the view says.

Players have a number as well as a colour; their paths are dots and diamonds. The last move has a
ring, and a dashed one where it came from; a wall that cannot stand is hatched and crossed out.
"""

from __future__ import annotations

import pygame
from pygame import Rect

from plyground.games.quoridor import Kind
from plyground.ui.desktop.boards import Marks, draw_coordinates, draw_hint, middle
from plyground.ui.desktop.canvas import Canvas
from plyground.ui.desktop.layout import Point, QuoridorGrid
from plyground.ui.desktop.theme import Colour, mix
from plyground.ui.view import Cell, QuoridorView, Spot


class QuoridorBoard:
    """A position in its place."""

    def __init__(self, view: QuoridorView, place: Rect, flipped: bool) -> None:
        self.view = view
        self.grid = QuoridorGrid(place, view.size, flipped)

    def spot_at(self, point: Point) -> Spot | None:
        """What of the board is there."""
        return self.grid.spot_at(point)

    def draw(self, canvas: Canvas, marks: Marks) -> None:
        """The board with its coordinates, pieces, and what is marked on it."""
        drawing = _Drawing(canvas, self.grid, self.view, marks)
        draw_coordinates(canvas, self.grid)
        drawing.ground()
        drawing.paths()
        drawing.targets()
        drawing.walls()
        drawing.pawns()
        drawing.hover()
        drawing.hint()


class _Drawing:
    def __init__(
        self, canvas: Canvas, grid: QuoridorGrid, view: QuoridorView, marks: Marks
    ) -> None:
        self.canvas = canvas
        self.theme = canvas.theme
        self.grid = grid
        self.view = view
        self.marks = marks
        self.radius = max(2, grid.cell // 8)
        self.stroke = max(2, grid.cell // 18)

    def ground(self) -> None:
        """Cells on the board, and the goal rows' edges in the colours of who wants to get there."""
        theme, grid, size = self.theme, self.grid, self.view.size
        self.canvas.box(grid.frame, theme.board, self.radius + grid.gap)
        for row in range(size):
            for column in range(size):
                colour = theme.cell
                for player, goal in ((1, size - 1), (2, 0)):
                    if row == goal:
                        colour = mix(theme.cell, theme.players[player - 1], 0.16)
                self.canvas.box(grid.cell_rect((row, column)), colour, self.radius)

    def paths(self) -> None:
        """Dots on player 1's way, diamonds on player 2's, beside each other where they meet."""
        radius = self.grid.cell / 9
        for player, path in enumerate(self.view.paths, 1):
            colour = self.theme.players[player - 1]
            for cell in path:
                x, y = middle(self.grid.cell_rect(cell))
                if cell in self.view.paths[0] and cell in self.view.paths[1]:
                    x += (2 * player - 3) * 1.6 * radius
                if player == 1:
                    self.canvas.disc((x, y), radius, colour)
                else:
                    reach = 1.25 * radius
                    points = [(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)]
                    self.canvas.shape([(round(a), round(b)) for a, b in points], colour)

    def targets(self) -> None:
        """Rings where the pawn may go."""
        colour = self.theme.players[self.marks.player - 1]
        for cell in self.view.targets:
            centre = middle(self.grid.cell_rect(cell))
            self.canvas.ring(centre, self.grid.cell * 0.36, self.stroke, colour)

    def walls(self) -> None:
        """Walls, the newest with a frame, and a bright line along it."""
        kinds: tuple[tuple[Kind, frozenset[Cell]], ...] = (
            ("h_wall", self.view.h_walls),
            ("v_wall", self.view.v_walls),
        )
        for kind, walls in kinds:
            for slot in walls:
                rect, is_last = self.grid.wall_rect(kind, slot), self.view.last == (kind, slot)
                width = max(1, self.grid.gap // 4)
                if is_last:
                    self.wall(rect.inflate(2 * width, 2 * width), self.theme.accent)
                self.wall(rect, self.theme.wall)
                if is_last:
                    self.canvas.box(rect.inflate(-3 * width, -3 * width), self.theme.cell)

    def wall(self, rect: Rect, colour: Colour) -> None:
        """One wall."""
        self.canvas.box(rect, colour, max(1, self.grid.gap // 3))

    def pawns(self) -> None:
        """Pawns with their numbers; the one that moved last has a ring, and one where it was."""
        last, grid = self.view.last, self.grid
        if self.view.last_from is not None:
            self._dashed(grid.cell_rect(self.view.last_from))
        for player, cell in self.view.pawns.items():
            if last == ("move", cell):
                rect = grid.cell_rect(cell)
                self.canvas.box(rect, self.theme.accent, self.radius)
                inner = rect.inflate(-2 * self.stroke, -2 * self.stroke)
                self.canvas.box(inner, self.theme.cell, self.radius - self.stroke)
            self.pawn(cell, player, self.theme.players[player - 1])

    def pawn(self, cell: Cell, player: int, colour: Colour) -> None:
        """One pawn."""
        rect = self.grid.cell_rect(cell)
        radius = self.grid.cell * 0.36
        self.canvas.disc(middle(rect), radius, mix(colour, self.theme.text, 0.55))
        self.canvas.disc(middle(rect), radius - max(1, self.stroke / 2), colour)
        size = self.grid.cell * 0.46 / self.canvas.unit
        ink = self.theme.inks[player - 1]
        self.canvas.text(str(player), rect, ink, size=size, bold=True, align="centre")

    def hover(self) -> None:
        """What a click would do: a pale pawn or a wall; what cannot be is hatched and crossed."""
        if self.marks.hover is None:
            return
        kind, cell = self.marks.hover
        theme, refused = self.theme, self.marks.is_refused
        if kind == "move":
            if not refused:
                pale = mix(theme.cell, theme.players[self.marks.player - 1], 0.6)
                self.pawn(cell, self.marks.player, pale)
            return
        rect = self.grid.wall_rect(kind, cell)
        if not refused:
            self.wall(rect, theme.good)
            return
        self._hatched(rect, theme.bad)
        self.canvas.cross(middle(rect), self.grid.cell * 0.24, self.stroke * 1.8, theme.bad)

    def hint(self) -> None:
        """A double frame around what an adviser would play."""
        if self.marks.hint is None:
            return
        kind, cell = self.marks.hint
        if kind == "move":
            draw_hint(self.canvas, self.grid.cell_rect(cell), self.radius)
        else:
            rect = self.grid.wall_rect(kind, cell)
            self.wall(rect, mix(self.theme.board, self.theme.accent, 0.5))
            draw_hint(self.canvas, rect, self.grid.gap // 2)

    def _dashed(self, rect: Rect) -> None:
        """A ring of dots along a cell's edge."""
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
        """A wall's outline filled with slanting lines."""
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
