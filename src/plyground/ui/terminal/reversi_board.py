"""Reversi's board as text: X black, O white, + where the player to move may play."""

from __future__ import annotations

from plyground.ui.terminal.paint import Paint
from plyground.ui.view import Cell, ReversiView


def draw(view: ReversiView, paint: Paint, flipped: bool = False) -> list[str]:
    """The board with its coordinates, a1 at the top left unless it is flipped."""
    order = list(range(view.size))
    if flipped:
        order.reverse()
    letters = "  ".join("abcdefgh"[column] for column in order)
    lines = [paint(f"   {letters} ", "faint")]
    lines += [
        paint(f"{row + 1} ", "faint") + "".join(_square(view, paint, (row, col)) for col in order)
        for row in order
    ]
    return lines


def _square(view: ReversiView, paint: Paint, cell: Cell) -> str:
    player = view.discs.get(cell)
    if player is None:
        if cell in view.targets:
            return paint(" + ", "felt_target")
        return paint(" . " if paint.is_plain else " · ", "felt")
    sign = "XO"[player - 1] if paint.is_plain else "●○"[player - 1]
    text = f"[{sign}]" if cell == view.last else f" {sign} "
    return paint(text, ("black", "white")[player - 1])
