"""Quoridor's board as a picture, always from player 1's side, north up."""

from __future__ import annotations

import numpy as np

from plyground.envs.picture import (
    BACKGROUND,
    RIM,
    Colour,
    Picture,
    around,
    character,
    new_picture,
    paint,
    rectangle,
)
from plyground.games.quoridor import State

CELL, GAP, MARGIN = 44, 10, 46  # pixels; a wall is as wide as the gap between cells
PITCH = CELL + GAP

BOARD: Colour = (104, 84, 68)
SQUARE: Colour = (222, 205, 178)
WALL: Colour = (250, 172, 24)
PLAYERS: dict[int, Colour] = {1: (196, 52, 44), 2: (34, 86, 166)}


def draw(state: State) -> Picture:
    """The board as a picture, [height, width, 3].

    Player 1 is the red disc, player 2 the blue diamond, ringed in white when it is their turn.
    Walls left are stacked beside the board on their owner's side.
    """
    n = state.board_size
    side = n * PITCH - GAP
    picture = new_picture(side + 2 * MARGIN, side + 2 * MARGIN)
    rectangle(picture, MARGIN - GAP, MARGIN - GAP, side + 2 * GAP, side + 2 * GAP, BOARD)
    for row in range(n):
        for col in range(n):
            rectangle(picture, *_corner(n, row, col), CELL, CELL, SQUARE)
        character(picture, str(row + 1), MARGIN // 2 - GAP // 2, _centre(n, row, 0)[1])
        x = _centre(n, 0, row)[0]
        character(picture, "abcdefghi"[row], x, side + MARGIN + (MARGIN + GAP) // 2)
    for row, col in state.h_walls:
        x, y = _corner(n, row, col)
        rectangle(picture, x, y - GAP, 2 * CELL + GAP, GAP, WALL)
    for row, col in state.v_walls:
        x, y = _corner(n, row + 1, col)
        rectangle(picture, x + CELL, y, GAP, 2 * CELL + GAP, WALL)
    for player, cell in ((1, state.player1_pos), (2, state.player2_pos)):
        to_move = not state.game_over and state.current_player == player
        _pawn(picture, *_centre(n, *cell), player, to_move)
        _walls_left(picture, player, state.walls_remaining[player], state.config.walls_per_player)
    return picture


def _corner(n: int, row: int, col: int) -> tuple[int, int]:
    """The top left pixel of a cell, x before y; row 0 is at the bottom."""
    return MARGIN + col * PITCH, MARGIN + (n - 1 - row) * PITCH


def _centre(n: int, row: int, col: int) -> tuple[int, int]:
    x, y = _corner(n, row, col)
    return x + CELL // 2, y + CELL // 2


def _pawn(picture: Picture, x: int, y: int, player: int, to_move: bool) -> None:
    """Draw a player's pawn around a point: a disc or a diamond with smooth edges."""
    patch, (down, right) = around(picture, x, y, CELL // 2)
    # The distance from the middle: an outline ends at 18 pixels, and a ring for the player to move.
    distance = np.hypot(down, right) if player == 1 else (down + right) * 0.85
    rings = [(18, BACKGROUND), (16, RIM), (12, PLAYERS[player])]
    for radius, colour in rings if to_move else [rings[0], (16, PLAYERS[player])]:
        paint(patch, distance, radius, colour)


def _walls_left(picture: Picture, player: int, left: int, most: int) -> None:
    """Stack a player's walls beside the board, player 1's from the bottom, 2's from the top."""
    side = len(picture) - 2 * MARGIN
    pitch = min(12, (side // 2 - GAP) // max(most, 1))
    width = MARGIN - 2 * GAP - 8
    x = MARGIN + side + GAP + 4
    for i in range(left):
        y = MARGIN + side - (i + 1) * pitch + 2 if player == 1 else MARGIN + i * pitch
        rectangle(picture, x, y, width, max(pitch - 2, 1), WALL)
