"""Where the parts of the window are, in pixels: geometry without drawing or rules.

Everything grows with the window, text included, so that it is sharp and readable on a screen of
any density. The cells of boards are in `grid.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

from pygame import Rect

Point = tuple[float, float]

SMALLEST = (480, 400)
SMALLEST_TEXT = 12
BESIDE = 15
"""Smallest width of the panel beside the board, in units."""
BELOW = 23
"""Height of the panel below the board, in units."""


@dataclass(frozen=True, slots=True)
class WindowLayout:
    """The parts of the window; `unit` is the height of its text."""

    unit: int
    board: Rect
    upper: Rect
    """The card of the player at the top of the board."""
    lower: Rect
    moves: Rect
    buttons: Rect
    status: Rect

    @classmethod
    def of(cls, width: int, height: int, button_rows: int) -> WindowLayout:
        """The layout of a window of this size, with this number of rows of buttons."""
        unit = max(SMALLEST_TEXT, round(min(width / 60, height / 42)))
        pad = unit // 2
        status = Rect(pad, height - 3 * unit - pad, width - 2 * pad, 3 * unit)
        area = Rect(pad, pad, width - 2 * pad, status.top - 2 * pad)
        # The panel goes where it leaves more room for the board.
        is_wide = area.width - BESIDE * unit >= area.height - BELOW * unit
        board, upper, lower, rest = (_beside if is_wide else _below)(area, unit, pad)
        rows = button_rows * (2 * unit + pad // 2)
        buttons = Rect(rest.left, rest.bottom - rows, rest.width, rows)
        moves = Rect(rest.left, rest.top, rest.width, max(0, buttons.top - pad - rest.top))
        return cls(unit, board, upper, lower, moves, buttons, status)


def _beside(area: Rect, unit: int, pad: int) -> tuple[Rect, Rect, Rect, Rect]:
    """The board, both cards, and the space between them, right of the board."""
    side = min(area.height, area.width - BESIDE * unit - pad)
    width = min(area.width - side - pad, 30 * unit)
    left = area.left + (area.width - side - pad - width) // 2
    board = Rect(left, area.top + (area.height - side) // 2, side, side)
    card = round(4.8 * unit)
    panel = Rect(board.right + pad, area.top, width, area.height)
    upper = Rect(panel.left, panel.top, width, card)
    lower = Rect(panel.left, panel.bottom - card, width, card)
    rest = Rect(panel.left, upper.bottom + pad, width, lower.top - upper.bottom - 2 * pad)
    return board, upper, lower, rest


def _below(area: Rect, unit: int, pad: int) -> tuple[Rect, Rect, Rect, Rect]:
    """The same below the board, with the cards side by side."""
    side = min(area.width, area.height - BELOW * unit)
    board = Rect(area.left + (area.width - side) // 2, area.top, side, side)
    half = (area.width - pad) // 2
    card = round(4.8 * unit)
    upper = Rect(area.left, board.bottom + pad, half, card)
    lower = Rect(area.right - half, board.bottom + pad, half, card)
    top = upper.bottom + pad
    return board, upper, lower, Rect(area.left, top, area.width, area.bottom - top)
