"""Boards as text, one function for every kind of board."""

from __future__ import annotations

from functools import singledispatch

from plyground.games.board import GridBoard, QuoridorBoard
from plyground.ui.terminal import grid_board, quoridor_board
from plyground.ui.terminal.paint import Paint


@singledispatch
def draw_board(
    board: object,
    paint: Paint,  # noqa: ARG001
    flipped: bool = False,  # noqa: ARG001
    indices: bool = False,  # noqa: ARG001
    narrow: bool = False,  # noqa: ARG001
) -> list[str]:
    """The lines of a board with its coordinates; `narrow` leaves out what only decorates it."""
    raise TypeError(f"expected a board, got {board!r}")


draw_board.register(QuoridorBoard, quoridor_board.draw)
draw_board.register(GridBoard, grid_board.draw)
