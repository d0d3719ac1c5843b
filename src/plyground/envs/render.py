"""The board as text or as a picture, drawn with numpy alone.

Both show it from player 1's side, north up, whoever is to move.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.games.quoridor import State

Picture = NDArray[np.uint8]
Colour = tuple[int, int, int]

CELL, GAP, MARGIN = 44, 10, 46  # pixels; a wall is as wide as the gap between cells
PITCH = CELL + GAP

TABLE: Colour = (58, 49, 44)
BOARD: Colour = (104, 84, 68)
SQUARE: Colour = (222, 205, 178)
WALL: Colour = (250, 172, 24)
INK: Colour = (226, 214, 198)
PLAYERS: dict[int, Colour] = {1: (196, 52, 44), 2: (34, 86, 166)}
RIM: Colour = (255, 255, 255)

# The characters that name rows and columns, 5 by 7 dots.
GLYPHS = {
    "1": "..#.. .##.. ..#.. ..#.. ..#.. ..#.. .###.",
    "2": ".###. #...# ....# ...#. ..#.. .#... #####",
    "3": ".###. #...# ....# ..##. ....# #...# .###.",
    "4": "...#. ..##. .#.#. #..#. ##### ...#. ...#.",
    "5": "##### #.... ####. ....# ....# #...# .###.",
    "6": ".###. #.... #.... ####. #...# #...# .###.",
    "7": "##### ....# ...#. ..#.. .#... .#... .#...",
    "8": ".###. #...# #...# .###. #...# #...# .###.",
    "9": ".###. #...# #...# .#### ....# ....# .###.",
    "a": "..... ..... .###. ....# .#### #...# .####",
    "b": "#.... #.... ####. #...# #...# #...# ####.",
    "c": "..... ..... .###. #.... #.... #...# .###.",
    "d": "....# ....# .#### #...# #...# #...# .####",
    "e": "..... ..... .###. #...# ##### #.... .###.",
    "f": "..##. .#..# .#... ###.. .#... .#... .#...",
    "g": "..... .#### #...# #...# .#### ....# .###.",
    "h": "#.... #.... ####. #...# #...# #...# #...#",
    "i": "..#.. ..... .##.. ..#.. ..#.. ..#.. .###.",
}
DOT = 2  # pixels


def render(state: State, mode: str | None) -> Any:
    """The board as an environment's render mode asks for it; "human" prints it."""
    if mode == "rgb_array":
        return draw(state)
    if mode == "human":
        print(state, flush=True)
        return None
    return str(state) if mode == "ansi" else None


def draw(state: State) -> Picture:
    """The board as a picture, [height, width, 3].

    Player 1 is the red disc, player 2 the blue diamond, ringed in white when it is their turn.
    Walls left are stacked beside the board on their owner's side.
    """
    n = state.board_size
    side = n * PITCH - GAP
    picture = np.empty((side + 2 * MARGIN, side + 2 * MARGIN, 3), np.uint8)
    picture[:] = TABLE
    _rectangle(picture, MARGIN - GAP, MARGIN - GAP, side + 2 * GAP, side + 2 * GAP, BOARD)
    for row in range(n):
        for col in range(n):
            _rectangle(picture, *_corner(n, row, col), CELL, CELL, SQUARE)
        _character(picture, str(row + 1), MARGIN // 2 - GAP // 2, _centre(n, row, 0)[1])
        x = _centre(n, 0, row)[0]
        _character(picture, "abcdefghi"[row], x, side + MARGIN + (MARGIN + GAP) // 2)
    for row, col in state.h_walls:
        x, y = _corner(n, row, col)
        _rectangle(picture, x, y - GAP, 2 * CELL + GAP, GAP, WALL)
    for row, col in state.v_walls:
        x, y = _corner(n, row + 1, col)
        _rectangle(picture, x + CELL, y, GAP, 2 * CELL + GAP, WALL)
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


def _rectangle(picture: Picture, x: int, y: int, width: int, height: int, colour: Colour) -> None:
    picture[y : y + height, x : x + width] = colour


def _character(picture: Picture, name: str, x: int, y: int) -> None:
    """Write a character around a point."""
    dots = np.array([[dot == "#" for dot in line] for line in GLYPHS[name].split()])
    dots = dots.repeat(DOT, axis=0).repeat(DOT, axis=1)
    height, width = dots.shape
    top, left = y - height // 2, x - width // 2
    picture[top : top + height, left : left + width][dots] = INK


def _pawn(picture: Picture, x: int, y: int, player: int, to_move: bool) -> None:
    """Draw a player's pawn around a point: a disc or a diamond with smooth edges."""
    half = CELL // 2
    patch = picture[y - half : y + half, x - half : x + half]
    down, right = np.abs(np.mgrid[-half:half, -half:half] + 0.5)
    # The distance from the middle: an outline ends at 18 pixels, and a ring for the player to move.
    distance = np.hypot(down, right) if player == 1 else (down + right) * 0.85
    rings = [(18, TABLE), (16, RIM), (12, PLAYERS[player])]
    for radius, colour in rings if to_move else [rings[0], (16, PLAYERS[player])]:
        cover = np.clip(radius + 0.5 - distance, 0, 1)[..., None]
        patch[:] = (patch * (1 - cover) + np.array(colour) * cover).round()


def _walls_left(picture: Picture, player: int, left: int, most: int) -> None:
    """Stack a player's walls beside the board, player 1's from the bottom, 2's from the top."""
    side = len(picture) - 2 * MARGIN
    pitch = min(12, (side // 2 - GAP) // max(most, 1))
    width = MARGIN - 2 * GAP - 8
    x = MARGIN + side + GAP + 4
    for i in range(left):
        y = MARGIN + side - (i + 1) * pitch + 2 if player == 1 else MARGIN + i * pitch
        _rectangle(picture, x, y, width, max(pitch - 2, 1), WALL)
