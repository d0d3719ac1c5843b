"""Which drawing shows a board: one class for every kind of board."""

from __future__ import annotations

from functools import singledispatch

from pygame import Rect

from plyground.games.board import GridBoard, QuoridorBoard
from plyground.ui.desktop.drawing import BoardDrawing
from plyground.ui.desktop.grid_board import GridDrawing
from plyground.ui.desktop.quoridor_board import QuoridorDrawing


@singledispatch
def make_drawing(
    board: object,
    place: Rect,  # noqa: ARG001
    flipped: bool = False,  # noqa: ARG001
    indices: bool = False,  # noqa: ARG001
) -> BoardDrawing:
    """The drawing of a board in a part of the window."""
    raise TypeError(f"expected a board, got {board!r}")


make_drawing.register(QuoridorBoard, QuoridorDrawing)
make_drawing.register(GridBoard, GridDrawing)
