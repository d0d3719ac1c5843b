"""A form in front of the board: rows, a button to accept and one to close."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame
from pygame import Rect

from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.ui.desktop.canvas import Canvas
from plyground.ui.desktop.layout import Point
from plyground.ui.desktop.widgets import FormRow, Hit, draw_button
from plyground.ui.text import format_reason


class Form:
    """Rows that keys and clicks change, until the form is accepted or closed.

    Enter or the button `accept` calls `on_accept`; if that raises an error, the form shows it and
    stays open. Without `on_accept` the form only shows text.
    """

    def __init__(
        self,
        title: str,
        rows: Callable[[], Sequence[FormRow]],
        accept: str = "",
        on_accept: Callable[[], object] | None = None,
    ) -> None:
        self.title = title
        self._rows = rows
        self._accept = accept
        self._on_accept = on_accept
        self._focus = 0
        self.is_open = True
        self.error = ""

    def close(self) -> None:
        """Close the form."""
        self.is_open = False

    def accept(self) -> None:
        """Call `on_accept` and close the form; an error keeps it open."""
        if self._on_accept is None:
            self.close()
            return
        try:
            self._on_accept()
        except (ConfigError, IllegalMoveError, NotationError) as error:
            self.error = format_reason(error)
        else:
            self.close()

    def key(self, key: int) -> None:
        """Handle a key: in the row with the focus, or else in the form."""
        rows = self._focusable()
        if rows and rows[self._focus % len(rows)].key(key):
            self.error = ""
        elif key == pygame.K_ESCAPE:
            self.close()
        elif key in (pygame.K_RETURN, pygame.K_KP_ENTER):
            self.accept()
        elif key in (pygame.K_DOWN, pygame.K_TAB):
            self._focus += 1
        elif key == pygame.K_UP:
            self._focus -= 1

    def type(self, text: str) -> None:
        """Hand typed text to the row with the focus."""
        rows = self._focusable()
        if rows:
            self.error = ""
            rows[self._focus % len(rows)].type(text)

    def draw(self, canvas: Canvas, window: Rect, pointer: Point) -> list[Hit]:
        """Draw it in the middle of the window; returns the areas that can be clicked."""
        theme, unit, rows = canvas.theme, canvas.unit, list(self._rows())
        width = min(window.width - unit, 44 * unit)
        inner = width - 2 * unit
        heights = [row.height(canvas, inner) for row in rows]
        height = min(window.height, sum(heights) + round(7.2 * unit))
        place = Rect(0, 0, width, height)
        place.center = window.center
        canvas.dim()
        canvas.box(place, theme.panel, unit // 2, theme.text, max(1, unit // 8))
        hits = [Hit("form", place, lambda: None)]  # a click beside its buttons does nothing
        line = Rect(place.left + unit, place.top + unit // 2, inner, 2 * unit)
        canvas.text(self.title, line, size=1.25, bold=True)
        top, focusable = line.bottom + unit // 2, self._focusable()
        for row, high in zip(rows, heights, strict=True):
            has_focus = bool(focusable) and row is focusable[self._focus % len(focusable)]
            hits += row.draw(canvas, Rect(line.left, top, inner, high), has_focus, pointer)
            top += high
        bottom = Rect(line.left, place.bottom - round(2.6 * unit), inner, 2 * unit)
        below = Rect(line.left, bottom.top - round(1.5 * unit), inner, round(1.4 * unit))
        canvas.text(self.error, below, theme.bad, bold=True)
        return hits + self._buttons(canvas, bottom, pointer)

    def _buttons(self, canvas: Canvas, place: Rect, pointer: Point) -> list[Hit]:
        hits, right = [], place.right
        for name, action in ((self._accept, self.accept), ("Close", self.close)):
            if name:
                width = max(6 * canvas.unit, canvas.width_of(name) + 2 * canvas.unit)
                rect = Rect(right - width, place.top, width, place.height)
                draw_button(canvas, rect, name, pointer, is_on=action == self.accept)
                hits.append(Hit(name, rect, action))
                right = rect.left - canvas.unit // 2
        return hits

    def _focusable(self) -> list[FormRow]:
        return [row for row in self._rows() if row.can_focus]
