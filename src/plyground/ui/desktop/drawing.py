"""What the window needs from the drawing of a board, and what drawings have in common."""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_lowercase
from typing import Protocol

import pygame
from pygame import Rect

from plyground.games.board import Spot
from plyground.ui.desktop.canvas import Canvas
from plyground.ui.desktop.grid import Grid
from plyground.ui.desktop.layout import Point
from plyground.ui.desktop.theme import Colour, Theme


class BoardDrawing(Protocol):
    """A board in its place in the window."""

    @property
    def grid(self) -> Grid:
        """Where its cells are."""

    def spot_at(self, point: Point) -> Spot | None:
        """The spot at a point; None off the board."""

    def is_taken(self, spot: Spot) -> bool:
        """Whether a piece that cannot move lies there, so that pointing at it means nothing."""

    def draw(self, canvas: Canvas, marks: Marks) -> None:
        """Draw the board."""

    def colours(self, theme: Theme, player: int) -> tuple[Colour, Colour]:
        """The colour of a player's pieces, and of the text on them."""

    def supply(self, player: int) -> tuple[int, int] | None:
        """The pieces that a player has left and had at first, if the board has such pieces."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What is drawn on a board besides the position."""

    player: int = 1
    """The player to move, who owns the piece under the pointer."""
    hover: Spot | None = None
    """The spot under the pointer, if a person is to move."""
    is_illegal: bool = False
    """Whether the move under the pointer is against the rules."""
    hint: Spot | None = None
    """The move that the adviser suggests."""


def draw_coordinates(canvas: Canvas, grid: Grid, indices: bool = False) -> None:
    """Draw letters below the columns and numbers beside the rows.

    With `indices`, rows and columns are also numbered from 0: on the left and above. The numbers of
    our notation are then on the right.
    """
    size, faint = min(1.0, grid.labels * 0.8 / canvas.unit), canvas.theme.faint

    def label(text: str, rect: Rect) -> None:
        canvas.text(text, rect, faint, size=size, align="centre")

    for column in range(grid.columns):
        label(ascii_lowercase[column], grid.letter_rect(column))
        if indices:
            label(str(column), grid.top_rect(column))
    for row in range(grid.rows):
        if indices:
            label(str(row), grid.number_rect(row))
            label(str(row + 1), grid.right_rect(row))
        else:
            label(str(row + 1), grid.number_rect(row))


def draw_hint(canvas: Canvas, rect: Rect, radius: int) -> None:
    """Draw a double frame with a question mark around the suggested move."""
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
    """The exact centre of a rectangle, which may lie between pixels."""
    return rect.left + (rect.width - 1) / 2, rect.top + (rect.height - 1) / 2
