"""The window's icon: two pawns and a wall."""

from __future__ import annotations

from pygame import Rect, Surface

from plyground.ui.desktop.canvas import Canvas
from plyground.ui.desktop.theme import LIGHT

SIDE = 64


def icon() -> Surface:
    """The icon as an image."""
    surface = Surface((SIDE, SIDE))
    surface.fill(LIGHT.cell)
    canvas = Canvas(surface, LIGHT, SIDE // 4)
    canvas.disc((20, 44), 13, LIGHT.players[0])
    canvas.disc((44, 20), 13, LIGHT.players[1])
    canvas.box(Rect(34, 34, 26, 8), LIGHT.wall, 2)
    return surface
