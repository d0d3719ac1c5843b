"""A board of squares as text: X and O for the players, + where the player to move can go."""

from __future__ import annotations

from plyground.games.board import Cell, GridBoard
from plyground.ui.terminal.paint import Paint

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def draw(
    board: GridBoard,
    paint: Paint,
    flipped: bool = False,
    indices: bool = False,
    narrow: bool = False,
) -> list[str]:
    """The board with its coordinates, a1 at the top left unless it is flipped.

    With `indices`, rows and columns are also numbered from 0, below and on the right. A square is
    three characters wide, or two if it is narrow; then the last move is not marked.
    """
    rows, columns = list(range(board.rows)), list(range(board.columns))
    if flipped:
        rows.reverse()
        columns.reverse()
    width = len(str(board.rows))
    gap = " " if narrow else "  "
    letters = gap.join(LETTERS[column] for column in columns)
    lines = [paint(f"{' ' * width}{gap}{letters}{gap[1:]}", "faint")]
    lines += [
        paint(f"{row + 1:>{width}} ", "faint")
        + "".join(_square(board, paint, (row, column), narrow) for column in columns)
        for row in rows
    ]
    if indices:
        lines = [
            f"{line} {row}" if row >= 0 else line
            for row, line in zip([-1, *rows], lines, strict=True)
        ]
        numbers = gap.join(str(column) for column in columns)
        lines.append(paint(f"{' ' * width}{gap}{numbers}{gap[1:]}", "faint"))
    return lines


def _square(board: GridBoard, paint: Paint, cell: Cell, narrow: bool) -> str:
    player = board.pieces.get(cell)
    if player is None:
        is_target = cell in board.targets
        sign, style = (
            ("+", "felt_target") if is_target else ("." if paint.is_plain else "·", "felt")
        )
    else:
        sign = ("XO" if paint.is_plain else "●○")[player - 1]
        style = ("black", "white")[player - 1]
    if narrow:
        return paint(f"{sign} ", style)
    return paint(f"[{sign}]" if player and cell == board.last else f" {sign} ", style)
