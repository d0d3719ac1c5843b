"""The drawing of each kind of board."""

from __future__ import annotations

from functools import singledispatch
from typing import Protocol

from plyground.drawing.grid_board import GridSvg
from plyground.drawing.quoridor_board import QuoridorSvg
from plyground.drawing.shapes import Shape
from plyground.games.board import Board, GridBoard, QuoridorBoard, Spot


class BoardSvg(Protocol):
    """Draws one board."""

    width: float
    height: float
    example: str
    """Places, as messages name them."""

    def find_spot(self, name: str) -> Spot | None:
        """The spot that a name stands for; None for other text."""

    def center(self, spot: Spot) -> tuple[float, float]:
        """The centre of a spot."""

    def ground(self) -> list[Shape]:
        """What is the same in every position."""

    def highlights(self) -> list[Shape]:
        """What lies under the pieces."""

    def pieces(self) -> list[Shape]:
        """The pieces."""

    def marker(self, style: str, spot: Spot) -> Shape:
        """A marker on a spot."""


@singledispatch
def drawing_of(board: Board, flipped: bool = False) -> BoardSvg:  # noqa: ARG001
    """The drawing of a board."""
    raise TypeError(f"expected a board, got {board!r}")


drawing_of.register(GridBoard, GridSvg)
drawing_of.register(QuoridorBoard, QuoridorSvg)
