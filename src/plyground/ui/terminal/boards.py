"""Boards as text, one function for every kind of board."""

from __future__ import annotations

from functools import singledispatch

from plyground.games.board import GridBoard, QuoridorBoard
from plyground.ui.terminal import grid_board, quoridor_board
from plyground.ui.terminal.paint import Paint


@singledispatch
def draw_board(board: object, paint: Paint, flipped: bool = False) -> list[str]:  # noqa: ARG001
    """The lines of a board with its coordinates."""
    raise TypeError(f"expected a board, got {board!r}")


draw_board.register(QuoridorBoard, quoridor_board.draw)
draw_board.register(GridBoard, grid_board.draw)
