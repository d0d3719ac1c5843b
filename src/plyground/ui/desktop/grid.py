"""Where the cells of a board are, in whole pixels: geometry without drawing or rules."""

from __future__ import annotations

from pygame import Rect

from plyground.games.board import Cell, Spot
from plyground.ui.desktop.layout import SMALLEST_TEXT, Point


class Grid:
    """A board of cells with gaps between them, in the middle of its place.

    `row_0_below` says whether row 0 is at the bottom. A flipped board is turned by 180 degrees.
    """

    def __init__(
        self,
        place: Rect,
        rows: int,
        columns: int,
        gap_share: float,
        row_0_below: bool,
        flipped: bool,
    ) -> None:
        self.rows = rows
        self.columns = columns
        self._rows_up = row_0_below != flipped
        self._columns_left = flipped
        self.labels = max(SMALLEST_TEXT, place.width // 28)
        """Pixels for the coordinates, on all sides, so that the board stays in the middle."""
        width, height = place.width - 2 * self.labels, place.height - 2 * self.labels
        pitch = min(width / columns, height / rows)
        self.gap = max(2, round(pitch / (1 + gap_share) * gap_share))
        across, down = width - self.gap * (columns + 1), height - self.gap * (rows + 1)
        self.cell = max(1, min(across // columns, down // rows))
        """Pixels of a cell's side."""
        self.frame = Rect(0, 0, *(self.pitch * count + self.gap for count in (columns, rows)))
        """The board with its outer gap."""
        self.frame.center = place.center

    @property
    def pitch(self) -> int:
        """Pixels from one cell to the next."""
        return self.cell + self.gap

    def cell_rect(self, cell: Cell) -> Rect:
        """The rectangle of a cell."""
        down, right = self._turned(cell, self.rows, self.columns)
        left = self.frame.left + self.gap + right * self.pitch
        top = self.frame.top + self.gap + down * self.pitch
        return Rect(left, top, self.cell, self.cell)

    def cell_at(self, point: Point) -> Cell | None:
        """The cell at a point, with half of the gaps around it; None off the board."""
        if not self.frame.collidepoint(point):
            return None
        down, right = (
            min(count - 1, max(0, int((at - self.gap / 2) // self.pitch)))
            for at, count in (
                (point[1] - self.frame.top, self.rows),
                (point[0] - self.frame.left, self.columns),
            )
        )
        return self._turned((down, right), self.rows, self.columns)

    def letter_rect(self, column: int) -> Rect:
        """Where the letter of a column stands, below the board."""
        cell = self.cell_rect((0, column))
        return Rect(cell.left, self.frame.bottom, cell.width, self.labels)

    def number_rect(self, row: int) -> Rect:
        """Where the number of a row stands, left of the board."""
        cell = self.cell_rect((row, 0))
        return Rect(self.frame.left - self.labels, cell.top, self.labels, cell.height)

    def top_rect(self, column: int) -> Rect:
        """The place of a label above a column."""
        rect = self.letter_rect(column)
        rect.bottom = self.frame.top
        return rect

    def right_rect(self, row: int) -> Rect:
        """The place of a label on the right of a row."""
        rect = self.number_rect(row)
        rect.left = self.frame.right
        return rect

    def _turned(self, cell: Cell, rows: int, columns: int) -> Cell:
        """Translate a cell to rows down and columns right on the screen, or back."""
        row, column = cell
        return (
            rows - 1 - row if self._rows_up else row,
            columns - 1 - column if self._columns_left else column,
        )


class SquareGrid(Grid):
    """Squares with thin lines between them; row 0 is at the top."""

    GAP = 0.03
    """Width of a line, as a share of a cell."""

    def __init__(self, place: Rect, rows: int, columns: int, flipped: bool = False) -> None:
        super().__init__(place, rows, columns, self.GAP, row_0_below=False, flipped=flipped)

    def spot_at(self, point: Point) -> Spot | None:
        """The cell at a point."""
        cell = self.cell_at(point)
        return None if cell is None else ("move", cell)
