"""Reversi's board as a picture, a1 at the top left as records have it."""

from __future__ import annotations

import numpy as np

from plyground.envs.picture import (
    RIM,
    TABLE,
    Colour,
    Picture,
    around,
    character,
    new_picture,
    paint,
    rectangle,
)
from plyground.games.reversi import State

SIZE = 8
CELL, GAP, MARGIN = 48, 2, 46  # pixels; the gap is the line between squares
PITCH = CELL + GAP
RADIUS = 20

LINES: Colour = (22, 66, 40)
SQUARE: Colour = (44, 122, 74)
HINT: Colour = (30, 92, 55)
DISCS: dict[int, Colour] = {1: (24, 24, 26), 2: (240, 238, 232)}


def draw(state: State) -> Picture:
    """The board, [height, width, 3].

    Small dots are the squares that may be played on. The disc beside the board is the colour to
    move; there is none when the game is over.
    """
    side = SIZE * PITCH - GAP
    picture = new_picture(side + 2 * MARGIN)
    rectangle(picture, MARGIN - GAP, MARGIN - GAP, side + 2 * GAP, side + 2 * GAP, LINES)
    legal = state.legal_actions()
    for square in range(SIZE * SIZE):
        row, col = divmod(square, SIZE)
        x, y = MARGIN + col * PITCH, MARGIN + row * PITCH
        rectangle(picture, x, y, CELL, CELL, SQUARE)
        for player, discs in ((1, state.black), (2, state.white)):
            if discs >> square & 1:
                _disc(picture, *centre(row, col), player)
        if square in legal:
            patch, offsets = around(picture, *centre(row, col), CELL // 2)
            paint(patch, np.hypot(*offsets), 4, HINT)
    for index in range(SIZE):
        x, y = centre(index, index)
        character(picture, "abcdefgh"[index], x, MARGIN // 2)
        character(picture, str(index + 1), MARGIN // 2, y)
    if not state.game_over:
        middle = len(picture) // 2
        _disc(picture, len(picture) - MARGIN // 2, middle, state.current_player, radius=12)
    return picture


def centre(row: int, col: int) -> tuple[int, int]:
    """The pixel in the middle of a square, x before y."""
    return MARGIN + col * PITCH + CELL // 2, MARGIN + row * PITCH + CELL // 2


def _disc(picture: Picture, x: int, y: int, player: int, radius: int = RADIUS) -> None:
    patch, offsets = around(picture, x, y, radius + 2)
    distance = np.hypot(*offsets)
    paint(patch, distance, radius, TABLE if player == 2 else RIM)
    paint(patch, distance, radius - 1, DISCS[player])
