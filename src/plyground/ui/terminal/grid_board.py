"""A board of squares as text: X and O for the players, + where the player to move can go."""

from __future__ import annotations

from plyground.games.board import Cell, GridBoard
from plyground.ui.terminal.paint import Paint

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def draw(board: GridBoard, paint: Paint, flipped: bool = False, indices: bool = False) -> list[str]:
    """The board with its coordinates, a1 at the top left unless it is flipped.

    With `indices`, rows and columns are also numbered from 0, below and on the right.
    """
    rows, columns = list(range(board.rows)), list(range(board.columns))
    if flipped:
        rows.reverse()
        columns.reverse()
    width = len(str(board.rows))
    letters = "  ".join(LETTERS[column] for column in columns)
    lines = [paint(f"{' ' * width}  {letters} ", "faint")]
    lines += [
        paint(f"{row + 1:>{width}} ", "faint")
        + "".join(_square(board, paint, (row, column)) for column in columns)
        for row in rows
    ]
    if indices:
        lines = [
            f"{line} {row}" if row >= 0 else line
            for row, line in zip([-1, *rows], lines, strict=True)
        ]
        lines.append(paint(" " * width + "".join(f"{column:>3}" for column in columns), "faint"))
    return lines


def _square(board: GridBoard, paint: Paint, cell: Cell) -> str:
    player = board.pieces.get(cell)
    if player is None:
        if cell in board.targets:
            return paint(" + ", "felt_target")
        return paint(" . " if paint.is_plain else " · ", "felt")
    sign = "XO"[player - 1] if paint.is_plain else "●○"[player - 1]
    text = f"[{sign}]" if cell == board.last else f" {sign} "
    return paint(text, ("black", "white")[player - 1])
