"""A board of squares as a picture, row 0 at the top."""

from __future__ import annotations

import numpy as np

from plyground.envs.picture import (
    BACKGROUND,
    GLYPHS,
    RIM,
    Colour,
    Picture,
    around,
    character,
    new_picture,
    paint,
    rectangle,
)
from plyground.games.board import GridBoard

CELL, GAP, MARGIN = 48, 2, 46  # pixels; the gap is the line between squares
PITCH = CELL + GAP
RADIUS = 20

LINES: Colour = (22, 66, 40)
SQUARE: Colour = (44, 122, 74)
HINT: Colour = (30, 92, 55)
DISCS: dict[int, Colour] = {1: (24, 24, 26), 2: (240, 238, 232)}


def draw(board: GridBoard, to_move: int | None = None) -> Picture:
    """The board, [height, width, 3].

    Small dots mark the squares that the player to move can use. The disc beside the board is that
    player's; without a player to move, it is missing.
    """
    height, width = board.rows * PITCH - GAP, board.columns * PITCH - GAP
    picture = new_picture(height + 2 * MARGIN, width + 2 * MARGIN)
    rectangle(picture, MARGIN - GAP, MARGIN - GAP, width + 2 * GAP, height + 2 * GAP, LINES)
    for row, column in np.ndindex(board.rows, board.columns):
        x, y = MARGIN + column * PITCH, MARGIN + row * PITCH
        rectangle(picture, x, y, CELL, CELL, SQUARE)
        player = board.pieces.get((row, column))
        if player is not None:
            _disc(picture, *centre(row, column), player)
        if (row, column) in board.targets:
            patch, offsets = around(picture, *centre(row, column), CELL // 2)
            paint(patch, np.hypot(*offsets), 4, HINT)
    for column in range(board.columns):
        _label(picture, chr(ord("a") + column), centre(0, column)[0], MARGIN // 2)
    for row in range(board.rows):
        _label(picture, str(row + 1), MARGIN // 2, centre(row, 0)[1])
    if to_move is not None:
        x, y = picture.shape[1] - MARGIN // 2, picture.shape[0] // 2
        _disc(picture, x, y, to_move, radius=12)
    return picture


def centre(row: int, column: int) -> tuple[int, int]:
    """The pixel in the middle of a square, x before y."""
    return MARGIN + column * PITCH + CELL // 2, MARGIN + row * PITCH + CELL // 2


def _label(picture: Picture, name: str, x: int, y: int) -> None:
    """Write the name of a row or column, if it is one of the characters that can be drawn."""
    if name in GLYPHS:
        character(picture, name, x, y)


def _disc(picture: Picture, x: int, y: int, player: int, radius: int = RADIUS) -> None:
    patch, offsets = around(picture, x, y, radius + 2)
    distance = np.hypot(*offsets)
    paint(patch, distance, radius, BACKGROUND if player == 2 else RIM)
    paint(patch, distance, radius - 1, DISCS[player])
