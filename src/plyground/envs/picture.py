"""Drawing with numpy: the shapes and characters of which pictures of boards consist."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Colour = tuple[int, int, int]

BACKGROUND: Colour = (58, 49, 44)
INK: Colour = (226, 214, 198)
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


def new_picture(height: int, width: int) -> Picture:
    """An empty picture."""
    picture = np.empty((height, width, 3), np.uint8)
    picture[:] = BACKGROUND
    return picture


def rectangle(picture: Picture, x: int, y: int, width: int, height: int, colour: Colour) -> None:
    """Fill a rectangle, given by its top left pixel."""
    picture[y : y + height, x : x + width] = colour


def character(picture: Picture, name: str, x: int, y: int) -> None:
    """Write a character around a point."""
    dots = np.array([[dot == "#" for dot in line] for line in GLYPHS[name].split()])
    dots = dots.repeat(DOT, axis=0).repeat(DOT, axis=1)
    height, width = dots.shape
    top, left = y - height // 2, x - width // 2
    picture[top : top + height, left : left + width][dots] = INK


def paint(patch: Picture, distance: NDArray[np.float64], radius: float, colour: Colour) -> None:
    """Colour the pixels within a radius, given the distance of each, with a smooth edge."""
    cover = np.clip(radius + 0.5 - distance, 0, 1)[..., None]
    patch[:] = (patch * (1 - cover) + np.array(colour) * cover).round()


def around(picture: Picture, x: int, y: int, half: int) -> tuple[Picture, NDArray[np.float64]]:
    """The pixels around a point, and their distances below and beside it: [2, side, side]."""
    patch = picture[y - half : y + half, x - half : x + half]
    return patch, np.abs(np.mgrid[-half:half, -half:half] + 0.5)
