"""Quoridor's board as SVG, drawn like static/quoridor.js draws it on the page."""

from __future__ import annotations

import re

from plyground.drawing.shapes import Shape, box, circle, label
from plyground.games.board import QuoridorBoard, Spot

CELL, GAP = 8, 2
PITCH = CELL + GAP
LETTERS = "abcdefghi"
KINDS = {"": "move", "h": "h_wall", "v": "v_wall"}


class QuoridorSvg:
    """Draws a board; row 0 is at the bottom unless it is flipped."""

    example = "a cell such as 'b2' or a wall such as 'b2h'"
    """Places, as messages name them."""

    def __init__(self, board: QuoridorBoard, flipped: bool) -> None:
        self.board = board
        self.flipped = flipped
        self.margin = 2 + board.size / 3
        self.width = self.height = board.size * PITCH - GAP + 2 * self.margin

    def find_spot(self, name: str) -> Spot | None:
        """The spot of a cell or wall; None for other text."""
        match = re.fullmatch(r"([a-i])([1-9])([hv]?)", name.lower(), re.ASCII)
        if match is None:
            return None
        row, column = int(match[2]) - 1, LETTERS.index(match[1])
        most = self.board.size - (2 if match[3] else 1)
        return (KINDS[match[3]], (row, column)) if max(row, column) <= most else None

    def center(self, spot: Spot) -> tuple[float, float]:
        """The centre of a cell or wall."""
        kind, (row, column) = spot
        offset = 0.0 if kind == "move" else 0.5
        x = self.margin + CELL / 2 + (column + offset) * PITCH
        y = self.height - self.margin - CELL / 2 - (row + offset) * PITCH
        return (self.width - x, self.height - y) if self.flipped else (x, y)

    def ground(self) -> list[Shape]:
        """The cells, and the names of rows and columns."""
        size, middle = self.board.size, self.width / 2
        shapes = [box("table", middle, middle, self.width, self.height, self.margin / 2)]
        for row in range(size):
            style = "goal1" if row == size - 1 else "goal2" if row == 0 else "cell"
            shapes += [self._cell(style, ("move", (row, column))) for column in range(size)]
        for i in range(size):
            x, y = self.center(("move", (i, i)))
            below, left = self.height - self.margin / 2 + 0.1, self.margin / 2
            shapes.append(label("label", x, below, LETTERS[i], self.margin / 2))
            shapes.append(label("label", left, y + 0.1, str(i + 1), self.margin / 2))
        return shapes

    def highlights(self) -> list[Shape]:
        """The last move of a pawn, and the shortest paths."""
        board, shapes = self.board, list[Shape]()
        if board.last_from is not None and board.last is not None:
            shapes += [self._cell("lastcell", ("move", board.last_from))]
            shapes += [self._cell("lastcell", board.last)]
        for cell in sorted(board.paths[0]):
            x, y = self.center(("move", cell))
            shapes.append(circle("path1", x - 1.6, y, 0.95))
        for cell in sorted(board.paths[1]):
            x, y = self.center(("move", cell))
            shapes.append(box("path2", x + 1.6, y, 1.6, 1.6))
        return shapes

    def pieces(self) -> list[Shape]:
        """Walls and pawns: player 1's is a circle, player 2's a square."""
        walls: list[Spot] = [("h_wall", cell) for cell in sorted(self.board.h_walls)]
        walls += [("v_wall", cell) for cell in sorted(self.board.v_walls)]
        shapes = [self.marker("wall-last" if w == self.board.last else "wall", w) for w in walls]
        for player, cell in self.board.pawns.items():
            x, y = self.center(("move", cell))
            shapes.append(_pawn(player, "shadow", x, y + 0.4, 3.1))
            shapes.append(_pawn(player, f"pawn{player}", x, y, 3))
            shapes.append(label("number", x, y + 0.15, str(player)))
        return shapes

    def marker(self, style: str, spot: Spot) -> Shape:
        """A wall, or a dot on a cell."""
        x, y = self.center(spot)
        if spot[0] == "move":
            return circle(style, x, y, CELL * 0.3)
        length = 2 * CELL + GAP
        width, height = (length, GAP) if spot[0] == "h_wall" else (GAP, length)
        return box(style, x, y, width, height, 0.6)

    def _cell(self, style: str, spot: Spot) -> Shape:
        return box(style, *self.center(spot), CELL, CELL, 1)


def _pawn(player: int, style: str, x: float, y: float, radius: float) -> Shape:
    if player == 1:
        return circle(style, x, y, radius)
    return box(style, x, y, 1.74 * radius, 1.74 * radius, 1.1)
