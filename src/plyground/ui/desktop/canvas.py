"""A surface to draw on: shapes with smooth edges, and text cut to the width of its box."""

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
"""Fonts of common systems; without any of them, the toolkit's own font is used."""


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
        """Draw a filled box with round corners, and an outline inside its edge."""
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
        """Darken everything drawn so far, as the background of a form."""
        shade = Surface(self.surface.get_size(), pygame.SRCALPHA)
        shade.fill((0, 0, 0, 110))
        self.surface.blit(shade, (0, 0))

    def disc(self, centre: Point, radius: float, colour: Colour) -> None:
        """Draw a filled circle."""
        pygame.draw.aacircle(self.surface, colour, centre, max(1, round(radius)))

    def ring(self, centre: Point, radius: float, width: float, colour: Colour) -> None:
        """Draw the outline of a circle, inside its radius."""
        thick = max(1, round(width))
        pygame.draw.aacircle(self.surface, colour, centre, max(thick, round(radius)), thick)

    def line(self, start: Point, end: Point, width: float, colour: Colour) -> None:
        """Draw a line with smooth edges."""
        pygame.draw.aaline(self.surface, colour, start, end, max(1, round(width)))

    def shape(self, points: list[Point], colour: Colour) -> None:
        """Draw a filled polygon with smooth edges."""
        pygame.draw.polygon(self.surface, colour, points)
        pygame.draw.aalines(self.surface, colour, True, points)

    def cross(self, centre: Point, radius: float, width: float, colour: Colour) -> None:
        """Draw a diagonal cross."""
        x, y = centre
        self.line((x - radius, y - radius), (x + radius, y + radius), width, colour)
        self.line((x - radius, y + radius), (x + radius, y - radius), width, colour)

    def text(
        self,
        text: str,
        rect: Rect,
        colour: Colour | None = None,
        *,
        size: float = 1.0,
        bold: bool = False,
        align: Align = "left",
    ) -> int:
        """Draw a line of text at half the height of a box, cut to the width of the box.

        `size` is in units. Returns the width of the text.
        """
        font = font_of(max(6, round(self.unit * size)), bold)
        image = _image(fit_text(text, font, rect.width), font, colour or self.theme.text)
        place = image.get_rect(centery=rect.centery)
        if align == "left":
            place.left = rect.left
        elif align == "right":
            place.right = rect.right
        else:
            place.centerx = rect.centerx
        self.surface.blit(image, place)
        return place.width

    def width_of(self, text: str, size: float = 1.0, bold: bool = False) -> int:
        """The width of a text in pixels."""
        return font_of(max(6, round(self.unit * size)), bold).size(text)[0]


def fit_text(text: str, font: Font, width: int) -> str:
    """The start of a text that fits into a width, with an ellipsis if it was cut."""
    # Fonts draw control characters and line ends as boxes.
    text = "".join(char if char.isprintable() else " " for char in text)
    if font.size(text)[0] <= width:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if font.size(text[:middle].rstrip() + "…")[0] <= width:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + "…" if low else ""


@cache
def font_of(pixels: int, bold: bool = False) -> Font:
    """The font at a size: the system's, or else the toolkit's own."""
    pygame.font.init()
    return Font(_font_file(bold), pixels)


@cache
def _font_file(bold: bool) -> str | None:
    return pygame.font.match_font(FONTS, bold=bold)


MOST_IMAGES = 2000
"""Size of the cache of texts."""
_images: dict[tuple[str, int, Colour], Surface] = {}


def _image(text: str, font: Font, colour: Colour) -> Surface:
    """A text as an image, cached because the next frame shows most texts again."""
    key = (text, id(font), colour)
    if key not in _images:
        if len(_images) > MOST_IMAGES:
            _images.clear()
        _images[key] = font.render(text, True, colour)
    return _images[key]
