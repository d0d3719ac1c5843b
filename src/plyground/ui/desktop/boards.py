"""What the window asks of a board, whichever game it is of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import pygame
from pygame import Rect

from plyground.ui.desktop.canvas import Canvas
from plyground.ui.desktop.layout import Grid, Point
from plyground.ui.view import Spot


class Board(Protocol):
    """A position in its place in the window."""

    def spot_at(self, point: Point) -> Spot | None:
        """What of the board is there."""

    def draw(self, canvas: Canvas, marks: Marks) -> None:
        """Draw it."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What is shown on a board beside the position."""

    player: int = 1
    """Who is to move, whose pawn, wall or disc is meant."""
    hover: Spot | None = None
    """What the pointer is at, where somebody could move there now."""
    is_refused: bool = False
    """Whether that is against the rules."""
    hint: Spot | None = None
    """What an adviser would play."""


def draw_coordinates(canvas: Canvas, grid: Grid) -> None:
    """Letters below the columns, numbers beside the rows."""
    size = min(1.0, grid.labels * 0.8 / canvas.unit)
    for index in range(grid.size):
        letter, number = grid.label_rects(index)
        faint = canvas.theme.faint
        canvas.text("abcdefghi"[index], letter, faint, size=size, align="centre")
        canvas.text(str(index + 1), number, faint, size=size, align="centre")


def draw_hint(canvas: Canvas, rect: Rect, radius: int) -> None:
    """A double line around what is advised."""
    theme, width = canvas.theme, max(2, canvas.unit // 7)
    for grown in (3 * width, 0):
        outer = rect.inflate(2 * grown, 2 * grown)
        corner = radius + grown
        pygame.draw.rect(canvas.surface, theme.accent, outer, width, border_radius=corner)
    badge = (rect.right + width, rect.top - width)
    canvas.disc(badge, canvas.unit * 0.6, theme.accent)
    place = Rect(0, 0, canvas.unit * 2, canvas.unit * 2)
    place.center = round(badge[0]), round(badge[1])
    canvas.text("?", place, theme.accent_ink, size=0.85, bold=True, align="centre")


def middle(rect: Rect) -> Point:
    """The centre, in the middle of its pixels."""
    return rect.left + (rect.width - 1) / 2, rect.top + (rect.height - 1) / 2
