"""Buttons, and the rows of forms: choices, text fields, lists and text.

A row reports its height for a width. When it is drawn, it returns the areas that can be clicked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import pygame
from pygame import Rect

from plyground.ui.desktop.canvas import Canvas
from plyground.ui.desktop.layout import Point
from plyground.ui.desktop.theme import Colour


@dataclass(frozen=True, slots=True)
class Hit:
    """An area that can be clicked, with a name for tests."""

    name: str
    rect: Rect
    action: Callable[[], object]


def hit_at(hits: Sequence[Hit], point: Point) -> Hit | None:
    """The area that a click at a point hits; the last one drawn is on top."""
    return next((hit for hit in reversed(hits) if hit.rect.collidepoint(point)), None)


def draw_button(
    canvas: Canvas,
    rect: Rect,
    label: str,
    pointer: Point,
    *,
    is_on: bool = False,
    is_enabled: bool = True,
) -> None:
    """Draw a button; one that is on has a thick frame as well as another colour."""
    theme, radius = canvas.theme, canvas.unit // 3
    colour, ink = (theme.accent, theme.accent_ink) if is_on else (theme.raised, theme.text)
    outline = theme.outline
    if not is_enabled:
        colour, ink = theme.panel, theme.outline
    elif rect.collidepoint(pointer):
        outline = theme.text
    canvas.box(rect, colour, radius, outline, 2 if is_on else 1)
    if label in ICONS:
        draw_icon(canvas, rect, label, ink)
    else:
        canvas.text(label, rect.inflate(-canvas.unit // 3, 0), ink, size=0.92, align="centre")


ICONS = ("|<", "<", ">", ">|")
"""Labels that are drawn as icons."""


def draw_icon(canvas: Canvas, rect: Rect, label: str, colour: Colour) -> None:
    """Draw an arrow to earlier or later moves, with a bar for the first or last one."""
    side = canvas.unit // 2
    x, y = rect.center
    way = -1 if "<" in label else 1
    tip, back = x + way * side * 0.7, x - way * side * 0.7
    canvas.shape([(tip, y), (back, y - side), (back, y + side)], colour)
    if "|" in label:
        canvas.line((tip, y - side), (tip, y + side), max(2, canvas.unit // 7), colour)


class FormRow(Protocol):
    """A row of a form."""

    @property
    def can_focus(self) -> bool:
        """Whether it can have the focus."""

    def height(self, canvas: Canvas, width: int) -> int:
        """Its height in pixels."""

    def draw(self, canvas: Canvas, rect: Rect, has_focus: bool, pointer: Point) -> list[Hit]:
        """Draw it; returns the areas that can be clicked."""

    def key(self, key: int) -> bool:
        """Handle a key; whether the row uses it."""

    def type(self, text: str) -> None:
        """Handle typed text."""


class Choice:
    """A choice among some options."""

    can_focus = True

    def __init__(
        self,
        label: str,
        options: Sequence[str],
        chosen: str,
        on_change: Callable[[], object] = lambda: None,
    ) -> None:
        self.label = label
        self.options = list(dict.fromkeys([*options, chosen]))
        self._index = self.options.index(chosen)
        self._on_change = on_change

    @property
    def value(self) -> str:
        """The chosen option."""
        return self.options[self._index]

    def choose(self, index: int) -> None:
        """Choose an option by its number."""
        self._index = index % len(self.options)
        self._on_change()

    def offer(self, options: Sequence[str], otherwise: str) -> None:
        """Replace the options; `otherwise` is chosen if the chosen one is not among them."""
        chosen = self.value if self.value in options else otherwise
        self.options = list(options)
        self._index = self.options.index(chosen)

    def height(self, canvas: Canvas, width: int) -> int:
        """The height of all lines of options."""
        places = self._places(canvas, Rect(0, 0, width, 0))
        return places[-1].bottom + canvas.unit // 2

    def draw(self, canvas: Canvas, rect: Rect, has_focus: bool, pointer: Point) -> list[Hit]:
        """Draw the label, and every option as a button."""
        label = Rect(rect.left, rect.top, self._label_width(canvas), 2 * canvas.unit)
        canvas.text(self.label, label, None if has_focus else canvas.theme.faint, bold=has_focus)
        hits = []
        for index, place in enumerate(self._places(canvas, rect)):
            option, is_on = self.options[index], index == self._index
            draw_button(canvas, place, option, pointer, is_on=is_on)
            name = f"{self.label}: {option}"
            hits.append(Hit(name, place, partial(self.choose, index)))
        return hits

    def key(self, key: int) -> bool:
        """Choose with Left and Right."""
        if key not in (pygame.K_LEFT, pygame.K_RIGHT):
            return False
        self.choose(self._index + (1 if key == pygame.K_RIGHT else -1))
        return True

    def type(self, text: str) -> None:
        """Choose the first option that begins with the text."""
        found = [i for i, option in enumerate(self.options) if option.startswith(text.lower())]
        if found:
            self.choose(found[0])

    def _label_width(self, canvas: Canvas) -> int:
        return 5 * canvas.unit

    def _places(self, canvas: Canvas, rect: Rect) -> list[Rect]:
        places, gap = [], canvas.unit // 3
        first = rect.left + self._label_width(canvas)
        left, top = first, rect.top
        for option in self.options:
            width = min(
                rect.width - self._label_width(canvas), canvas.width_of(option, 0.92) + canvas.unit
            )
            if left + width > rect.right and left > first:
                left, top = first, top + 2 * canvas.unit + gap
            places.append(Rect(left, top, width, 2 * canvas.unit))
            left += width + gap
        return places


class TextField:
    """A line to type into; of a long text, the end is shown."""

    can_focus = True
    LONGEST = 1000

    def __init__(self, label: str, text: str = "") -> None:
        self.label = label
        self.text = text

    def height(self, canvas: Canvas, width: int) -> int:  # noqa: ARG002
        """The height of one line."""
        return round(2.7 * canvas.unit)

    def draw(self, canvas: Canvas, rect: Rect, has_focus: bool, pointer: Point) -> list[Hit]:  # noqa: ARG002
        """Draw the label, and the text in a frame."""
        theme, unit = canvas.theme, canvas.unit
        label = Rect(rect.left, rect.top, 5 * unit, 2 * unit)
        canvas.text(self.label, label, None if has_focus else theme.faint, bold=has_focus)
        frame = Rect(label.right, rect.top, rect.right - label.right, 2 * unit)
        outline = theme.accent if has_focus else theme.outline
        canvas.box(frame, theme.window, unit // 3, outline, 2 if has_focus else 1)
        inner, shown = frame.inflate(-unit, 0), self.text + ("|" if has_focus else "")
        while len(shown) > 1 and canvas.width_of(shown) > inner.width:
            shown = shown[1:]
        canvas.text(shown, inner)
        return []

    def key(self, key: int) -> bool:
        """Delete the last letter with Backspace."""
        if key != pygame.K_BACKSPACE:
            return False
        self.text = self.text[:-1]
        return True

    def type(self, text: str) -> None:
        """Append the text."""
        self.text = (self.text + "".join(filter(str.isprintable, text)))[: self.LONGEST]


class ListBox:
    """A list to pick an item from."""

    can_focus = True
    LINES = 9

    def __init__(self, items: Sequence[str], chosen: int, on_pick: Callable[[int], object]) -> None:
        self.items = items
        self.chosen = chosen
        self._on_pick = on_pick

    def height(self, canvas: Canvas, width: int) -> int:  # noqa: ARG002
        """The height of the visible lines."""
        return round(1.6 * canvas.unit * min(self.LINES, max(1, len(self.items)))) + canvas.unit

    def draw(self, canvas: Canvas, rect: Rect, has_focus: bool, pointer: Point) -> list[Hit]:
        """Draw the items around the chosen one."""
        hits, theme = [], canvas.theme
        line = round(1.6 * canvas.unit)
        first = max(0, min(self.chosen - self.LINES // 2, len(self.items) - self.LINES))
        for index in range(first, min(first + self.LINES, len(self.items))):
            place = Rect(rect.left, rect.top + (index - first) * line, rect.width, line)
            is_on = index == self.chosen and has_focus
            if is_on or place.collidepoint(pointer):
                canvas.box(place, theme.accent if is_on else theme.raised, canvas.unit // 4)
            ink = theme.accent_ink if is_on else theme.text
            canvas.text(self.items[index], place.inflate(-canvas.unit, 0), ink, bold=is_on)
            hits.append(Hit(self.items[index], place, partial(self._on_pick, index)))
        return hits

    def key(self, key: int) -> bool:
        """Move with Up, Down and the page keys; pick with Enter."""
        moves = {
            pygame.K_UP: -1,
            pygame.K_DOWN: 1,
            pygame.K_PAGEUP: -self.LINES,
            pygame.K_PAGEDOWN: self.LINES,
            pygame.K_HOME: -len(self.items),
            pygame.K_END: len(self.items),
        }
        if key in moves:
            self.chosen = min(max(0, self.chosen + moves[key]), len(self.items) - 1)
            return True
        if key in (pygame.K_RETURN, pygame.K_KP_ENTER) and self.items:
            self._on_pick(self.chosen)
            return True
        return False

    def type(self, text: str) -> None:
        """Ignore typed text."""


class TextLines:
    """Lines of text, each a key and an explanation, in one or more columns."""

    can_focus = False

    def __init__(self, lines: Sequence[tuple[str, str]], columns: int = 1) -> None:
        self.lines = lines
        self._columns = columns

    def height(self, canvas: Canvas, width: int) -> int:  # noqa: ARG002
        """The height of the longest column."""
        return round(1.5 * canvas.unit) * self._height + canvas.unit // 2

    def draw(self, canvas: Canvas, rect: Rect, has_focus: bool, pointer: Point) -> list[Hit]:  # noqa: ARG002
        """Draw each pair on a line, with the explanations aligned."""
        line, width = round(1.5 * canvas.unit), rect.width // self._columns
        first = max((canvas.width_of(key, bold=True) for key, _ in self.lines), default=0)
        for number, (key, text) in enumerate(self.lines):
            column, row = divmod(number, self._height)
            left, top = rect.left + column * width, rect.top + row * line
            canvas.text(key, Rect(left, top, first, line), bold=True)
            after = first + canvas.unit if first else 0
            canvas.text(text.strip(), Rect(left + after, top, width - after, line))
        return []

    def key(self, key: int) -> bool:  # noqa: ARG002
        """Ignore keys."""
        return False

    def type(self, text: str) -> None:
        """Ignore typed text."""

    @property
    def _height(self) -> int:
        """The number of lines in a column."""
        return -(-len(self.lines) // self._columns)


class ScrolledText:
    """Wrapped sections of text, each a heading and paragraphs; keys and the wheel scroll."""

    can_focus = True
    LINES = 18

    def __init__(self, text: str) -> None:
        self.text = text
        self.first = 0
        """The first line that is shown."""
        self._count = 0  # lines when it was drawn last

    def height(self, canvas: Canvas, width: int) -> int:  # noqa: ARG002
        """The height of the visible lines and the note below."""
        return round(1.35 * canvas.unit) * (self.LINES + 1) + canvas.unit // 2

    def draw(self, canvas: Canvas, rect: Rect, has_focus: bool, pointer: Point) -> list[Hit]:  # noqa: ARG002
        """Draw the visible lines, headings in bold."""
        lines, height = self._wrapped(canvas, rect.width), round(1.35 * canvas.unit)
        self._count = len(lines)
        self._scroll(0)
        for row, (line, is_heading) in enumerate(lines[self.first : self.first + self.LINES]):
            place = Rect(rect.left, rect.top + row * height, rect.width, height)
            canvas.text(line, place, bold=is_heading)
        below = Rect(rect.left, rect.top + self.LINES * height, rect.width, height)
        if len(lines) > self.LINES:
            last = min(len(lines), self.first + self.LINES)
            note = f"Up and Down scroll: lines {self.first + 1} to {last} of {len(lines)}"
            canvas.text(note, below, canvas.theme.faint, size=0.92)
        return []

    def key(self, key: int) -> bool:
        """Scroll by a line, by a page, or to an end."""
        lines = {
            pygame.K_UP: -1,
            pygame.K_DOWN: 1,
            pygame.K_PAGEUP: -self.LINES,
            pygame.K_PAGEDOWN: self.LINES,
            pygame.K_SPACE: self.LINES,
            pygame.K_HOME: -self._count,
            pygame.K_END: self._count,
        }
        if key not in lines:
            return False
        self._scroll(lines[key])
        return True

    def type(self, text: str) -> None:
        """Ignore typed text."""

    def _scroll(self, lines: int) -> None:
        self.first = max(0, min(self.first + lines, self._count - self.LINES))

    def _wrapped(self, canvas: Canvas, width: int) -> list[tuple[str, bool]]:
        """The lines at a width, each with whether it is a heading; sections are set apart."""
        lines: list[tuple[str, bool]] = []
        for section in self.text.split("\n\n"):
            heading, *paragraphs = section.split("\n")
            lines += [*([("", False)] if lines else []), (heading, True)]
            for paragraph in paragraphs:
                lines += [(line, False) for line in _wrap(canvas, paragraph, width)]
        return lines


def _wrap(canvas: Canvas, text: str, width: int) -> list[str]:
    """The words of a text on lines of a width in pixels."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and canvas.width_of(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
