"""Where the cells and walls of Quoridor's board are."""

from __future__ import annotations

from pygame import Rect

from plyground.games.board import Cell, Spot
from plyground.ui.desktop.grid import Grid
from plyground.ui.desktop.layout import Point


class QuoridorGrid(Grid):
    """Cells with wide gaps, in which walls lie; row 0 is at the bottom or the top."""

    GAP = 0.22
    """Width of a gap, as a share of a cell."""
    REACH = 0.16
    """How far from a gap a point still means the gap, as a share of a cell."""

    def __init__(
        self, place: Rect, size: int, flipped: bool = False, row_0_below: bool = True
    ) -> None:
        super().__init__(place, size, size, self.GAP, row_0_below=row_0_below, flipped=flipped)
        self._slots = size - 1
        """Walls beside each other: one fewer than cells."""

    def wall_rect(self, kind: str, slot: Cell) -> Rect:
        """The rectangle of a wall."""
        down, right = self._turned(slot, self._slots, self._slots)
        left = self.frame.left + self.gap + right * self.pitch
        top = self.frame.top + self.gap + down * self.pitch
        length = 2 * self.cell + self.gap
        if kind == "h_wall":
            return Rect(left, top + self.cell, length, self.gap)
        return Rect(left + self.cell, top, self.gap, length)

    def spot_at(self, point: Point) -> Spot | None:
        """The spot at a point: a cell or, in and near a gap, the wall with the nearest middle.

        Where two gaps cross, it is the wall along the gap in which the point is further from the
        crossing.
        """
        cell = self.cell_at(point)
        if cell is None:
            return None
        slot, away = [], []
        for at in (point[1] - self.frame.top, point[0] - self.frame.left):
            # Gaps cross in their middles, first after the first cell.
            along = (at - self.gap / 2) / self.pitch - 1
            nearest = min(self._slots - 1, max(0, round(along)))
            slot.append(nearest)
            away.append(abs(along - nearest) * self.pitch)
        reach = self.gap / 2 + self.REACH * self.cell
        down_away, right_away = away
        if min(down_away, right_away) > reach:
            return "move", cell
        kind = "h_wall" if down_away <= right_away else "v_wall"
        return kind, self._turned((slot[0], slot[1]), self._slots, self._slots)
