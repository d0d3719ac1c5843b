"""Where everything is, in pixels: pure geometry, which draws nothing and knows no rules.

Everything grows with the window, text included, so that it is as sharp and as readable on a
screen of any density. Cells and gaps are whole pixels.
"""

from __future__ import annotations

from dataclasses import dataclass

from pygame import Rect

from plyground.games.quoridor import Kind
from plyground.ui.view import Cell, Spot

Point = tuple[float, float]

SMALLEST = (480, 400)
SMALLEST_TEXT = 12
BESIDE = 15
"""Units that the panel is wide at least at the side of the board."""
BELOW = 23
"""Units that it is high below the board."""


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
        """The layout of a window of that size, with so many rows of buttons."""
        unit = max(SMALLEST_TEXT, round(min(width / 60, height / 42)))
        pad = unit // 2
        status = Rect(pad, height - 3 * unit - pad, width - 2 * pad, 3 * unit)
        area = Rect(pad, pad, width - 2 * pad, status.top - 2 * pad)
        # Wherever the panel leaves more room for the board.
        is_wide = area.width - BESIDE * unit >= area.height - BELOW * unit
        board, upper, lower, rest = (_beside if is_wide else _below)(area, unit, pad)
        rows = button_rows * (2 * unit + pad // 2)
        buttons = Rect(rest.left, rest.bottom - rows, rest.width, rows)
        moves = Rect(rest.left, rest.top, rest.width, max(0, buttons.top - pad - rest.top))
        return cls(unit, board, upper, lower, moves, buttons, status)


def _beside(area: Rect, unit: int, pad: int) -> tuple[Rect, Rect, Rect, Rect]:
    """Board, two cards, and what is left between them, at the right of the board."""
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
    """The same, below the board, with the cards side by side."""
    side = min(area.width, area.height - BELOW * unit)
    board = Rect(area.left + (area.width - side) // 2, area.top, side, side)
    half = (area.width - pad) // 2
    card = round(4.8 * unit)
    upper = Rect(area.left, board.bottom + pad, half, card)
    lower = Rect(area.right - half, board.bottom + pad, half, card)
    top = upper.bottom + pad
    return board, upper, lower, Rect(area.left, top, area.width, area.bottom - top)


class Grid:
    """A square board of cells with gaps between them, whole pixels all, in the middle of its place.

    `row_0_below` says whether row 0 is at the bottom; a flipped board is turned by half.
    """

    def __init__(
        self, place: Rect, size: int, gap_share: float, row_0_below: bool, flipped: bool
    ) -> None:
        self.size = size
        self._rows_up = row_0_below != flipped
        self._columns_left = flipped
        self.labels = max(SMALLEST_TEXT, place.width // 28)
        """Pixels for the coordinates, on all sides, so that the board stays in the middle."""
        room = min(place.width, place.height) - 2 * self.labels
        self.gap = max(2, round(room / (size * (1 + gap_share)) * gap_share))
        self.cell = max(1, (room - self.gap * (size + 1)) // size)
        side = self.cell * size + self.gap * (size + 1)
        self.frame = Rect(0, 0, side, side)
        """The board with its outer gap."""
        self.frame.center = place.center

    @property
    def pitch(self) -> int:
        """From one cell to the next."""
        return self.cell + self.gap

    def cell_rect(self, cell: Cell) -> Rect:
        """Where a cell is."""
        down, right = self._seen(cell, self.size)
        left = self.frame.left + self.gap + right * self.pitch
        top = self.frame.top + self.gap + down * self.pitch
        return Rect(left, top, self.cell, self.cell)

    def cell_at(self, point: Point) -> Cell | None:
        """The cell under a point, with half of the gaps around it; None off the board."""
        if not self.frame.collidepoint(point):
            return None
        down, right = (
            min(self.size - 1, max(0, int((at - self.gap / 2) // self.pitch)))
            for at in (point[1] - self.frame.top, point[0] - self.frame.left)
        )
        return self._seen((down, right), self.size)

    def label_rects(self, index: int) -> tuple[Rect, Rect]:
        """Where the letter of a column and the number of a row stand."""
        cell = self.cell_rect((index, index))
        letter = Rect(cell.left, self.frame.bottom, cell.width, self.labels)
        number = Rect(self.frame.left - self.labels, cell.top, self.labels, cell.height)
        return letter, number

    def _seen(self, cell: Cell, size: int) -> Cell:
        """Rows down and columns right of a cell as it is seen, and back: it undoes itself."""
        row, column = cell
        return (
            size - 1 - row if self._rows_up else row,
            size - 1 - column if self._columns_left else column,
        )


class QuoridorGrid(Grid):
    """Quoridor's board, where walls lie in the gaps."""

    GAP = 0.22
    """Of a cell."""
    REACH = 0.16
    """Of a cell: how far from a gap it still is the gap that is meant."""

    def __init__(self, place: Rect, size: int, flipped: bool = False) -> None:
        super().__init__(place, size, self.GAP, row_0_below=True, flipped=flipped)

    def wall_rect(self, kind: Kind, slot: Cell) -> Rect:
        """Where a wall lies."""
        down, right = self._seen(slot, self.size - 1)
        left = self.frame.left + self.gap + right * self.pitch
        top = self.frame.top + self.gap + down * self.pitch
        long = 2 * self.cell + self.gap
        if kind == "h_wall":
            return Rect(left, top + self.cell, long, self.gap)
        return Rect(left + self.cell, top, self.gap, long)

    def spot_at(self, point: Point) -> Spot | None:
        """What a point means: a cell, or in and beside a gap the wall whose middle is nearest.

        Where two gaps cross, the wall runs the way in which the point is further from the crossing.
        """
        cell = self.cell_at(point)
        if cell is None:
            return None
        slot, away = [], []
        for at in (point[1] - self.frame.top, point[0] - self.frame.left):
            # Posts are in the middles of the gaps, the first after the first cell.
            along = (at - self.gap / 2) / self.pitch - 1
            nearest = min(self.size - 2, max(0, round(along)))
            slot.append(nearest)
            away.append(abs(along - nearest) * self.pitch)
        reach = self.gap / 2 + self.REACH * self.cell
        down_away, right_away = away
        if min(down_away, right_away) > reach:
            return "move", cell
        kind: Kind = "h_wall" if down_away <= right_away else "v_wall"
        return kind, self._seen((slot[0], slot[1]), self.size - 1)


class ReversiGrid(Grid):
    """Reversi's board: cells alone, with lines between them."""

    GAP = 0.03

    def __init__(self, place: Rect, size: int, flipped: bool = False) -> None:
        super().__init__(place, size, self.GAP, row_0_below=False, flipped=flipped)

    def spot_at(self, point: Point) -> Spot | None:
        """The cell under a point."""
        cell = self.cell_at(point)
        return None if cell is None else ("move", cell)
