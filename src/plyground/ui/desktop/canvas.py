"""Something to draw on: shapes with smooth edges, and text that fits where it is put."""

from __future__ import annotations

from functools import cache
from typing import Literal

import pygame
from pygame import Rect, Surface
from pygame.font import Font

from plyground.ui.desktop.layout import Point
from plyground.ui.desktop.theme import Colour, Theme

Align = Literal["left", "centre", "right"]

FONTS = ("segoeui", "helveticaneue", "notosans", "cantarell", "dejavusans", "liberationsans")
"""What systems have; the toolkit brings one of its own for where there is none of these."""


class Canvas:
    """A surface with a theme, and the height of its text in pixels."""

    def __init__(self, surface: Surface, theme: Theme, unit: int) -> None:
        self.surface = surface
        self.theme = theme
        self.unit = unit

    def box(
        self,
        rect: Rect,
        colour: Colour,
        radius: int = 0,
        outline: Colour | None = None,
        width: int = 1,
    ) -> None:
        """A filled box with round corners, and an outline inside its edge."""
        if outline is not None:
            self.box(rect, outline, radius)
            rect, radius = rect.inflate(-2 * width, -2 * width), max(0, radius - width)
        radius = min(radius, rect.width // 2, rect.height // 2)
        if radius < 2:
            self.surface.fill(colour, rect)
            return
        self.surface.fill(colour, rect.inflate(-2 * radius, 0))
        self.surface.fill(colour, rect.inflate(0, -2 * radius))
        for x in (rect.left + radius, rect.right - radius - 1):
            for y in (rect.top + radius, rect.bottom - radius - 1):
                pygame.draw.aacircle(self.surface, colour, (x, y), radius)

    def dim(self) -> None:
        """Darken all that was drawn, so that what comes next stands in front of it."""
        shade = Surface(self.surface.get_size(), pygame.SRCALPHA)
        shade.fill((0, 0, 0, 110))
        self.surface.blit(shade, (0, 0))

    def disc(self, centre: Point, radius: float, colour: Colour) -> None:
        """A filled circle."""
        pygame.draw.aacircle(self.surface, colour, centre, max(1, round(radius)))

    def ring(self, centre: Point, radius: float, width: float, colour: Colour) -> None:
        """A circle's line, inside its radius."""
        thick = max(1, round(width))
        pygame.draw.aacircle(self.surface, colour, centre, max(thick, round(radius)), thick)

    def line(self, start: Point, end: Point, width: float, colour: Colour) -> None:
        """A line, smooth at its edges."""
        pygame.draw.aaline(self.surface, colour, start, end, max(1, round(width)))

    def shape(self, points: list[Point], colour: Colour) -> None:
        """A filled polygon with smooth edges."""
        pygame.draw.polygon(self.surface, colour, points)
        pygame.draw.aalines(self.surface, colour, True, points)

    def cross(self, centre: Point, radius: float, width: float, colour: Colour) -> None:
        """What says no."""
        x, y = centre
        self.line((x - radius, y - radius), (x + radius, y + radius), width, colour)
        self.line((x - radius, y + radius), (x + radius, y - radius), width, colour)

    def text(
        self,
        words: str,
        rect: Rect,
        colour: Colour | None = None,
        *,
        size: float = 1.0,
        bold: bool = False,
        align: Align = "left",
    ) -> int:
        """A line of text in the middle of a box's height, cut where it would leave the box.

        `size` is in units. Returns the width that it took.
        """
        font = font_of(max(6, round(self.unit * size)), bold)
        image = _image(fitting(words, font, rect.width), font, colour or self.theme.text)
        place = image.get_rect(centery=rect.centery)
        if align == "left":
            place.left = rect.left
        elif align == "right":
            place.right = rect.right
        else:
            place.centerx = rect.centerx
        self.surface.blit(image, place)
        return place.width

    def width_of(self, words: str, size: float = 1.0, bold: bool = False) -> int:
        """How wide a text is."""
        return font_of(max(6, round(self.unit * size)), bold).size(words)[0]


def fitting(words: str, font: Font, width: int) -> str:
    """As much of the words as there is room for, with dots where some are left out."""
    # What the font has no sign for, and line ends, would be drawn as boxes.
    words = "".join(char if char.isprintable() else " " for char in words)
    if font.size(words)[0] <= width:
        return words
    low, high = 0, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        if font.size(words[:middle].rstrip() + "…")[0] <= width:
            low = middle
        else:
            high = middle - 1
    return words[:low].rstrip() + "…" if low else ""


@cache
def font_of(pixels: int, bold: bool = False) -> Font:
    """The font at a size, of the letters that a system has or else the toolkit's own."""
    pygame.font.init()
    return Font(_font_file(bold), pixels)


@cache
def _font_file(bold: bool) -> str | None:
    return pygame.font.match_font(FONTS, bold=bold)


_images: dict[tuple[str, int, Colour], Surface] = {}


def _image(words: str, font: Font, colour: Colour) -> Surface:
    """A text as an image, kept since the next frame shows most texts again."""
    key = (words, id(font), colour)
    if key not in _images:
        if len(_images) > 2000:
            _images.clear()
        _images[key] = font.render(words, True, colour)
    return _images[key]
