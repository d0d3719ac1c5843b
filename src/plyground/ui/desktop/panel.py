"""The panel beside the board: both players, the moves, and the status lines."""

from __future__ import annotations

from collections.abc import Callable

from pygame import Rect

from plyground.play.clock import format_time
from plyground.ui.desktop.canvas import Canvas
from plyground.ui.desktop.drawing import BoardDrawing
from plyground.ui.desktop.layout import Point
from plyground.ui.desktop.status import StatusLines
from plyground.ui.desktop.widgets import Hit
from plyground.ui.view import GameView, PlayerView

LINE = 1.6
"""Height of a line of moves, in units."""


def draw_card(canvas: Canvas, rect: Rect, drawing: BoardDrawing, player: PlayerView) -> None:
    """Draw a player: number, name, turn, clock, facts, and the pieces left."""
    theme, unit = canvas.theme, canvas.unit
    outline = theme.accent if player.is_to_move else theme.outline
    canvas.box(rect, theme.panel, unit // 2, outline, max(2, unit // 6) if player.is_to_move else 1)
    inner = rect.inflate(-round(1.2 * unit), -round(0.8 * unit))
    line = Rect(inner.left, inner.top, inner.width, round(1.5 * unit))
    badge = (line.left + 0.7 * unit, line.centery)
    _draw_badge(canvas, badge, drawing, player.number)
    line.left += 2 * unit
    line.width -= 2 * unit
    if player.clock_s is not None:
        clock = format_time(player.clock_s)
        width = canvas.width_of(clock, 1.15, bold=True)
        canvas.text(clock, line, size=1.15, bold=True, align="right")
        line.width -= width + unit // 2
    mark = "▶ " if player.is_to_move else ""
    canvas.text(mark + player.name, line, bold=player.is_to_move)
    facts = Rect(inner.left, line.bottom, inner.width, round(1.2 * unit))
    canvas.text(", ".join(player.facts), facts, theme.faint, size=0.85)
    pieces = Rect(inner.left, facts.bottom, inner.width, inner.bottom - facts.bottom)
    supply = drawing.supply(player.number)
    if supply is not None:
        _draw_supply(canvas, pieces, *supply)


def _draw_badge(canvas: Canvas, centre: Point, drawing: BoardDrawing, number: int) -> None:
    """Draw a player's number on a disc of the colour of the player's pieces."""
    theme, radius = canvas.theme, 0.72 * canvas.unit
    colour, ink = drawing.colours(theme, number)
    canvas.disc(centre, radius, theme.faint)
    canvas.disc(centre, radius - 1, colour)
    place = Rect(0, 0, 2 * canvas.unit, 2 * canvas.unit)
    place.center = round(centre[0]), round(centre[1])
    canvas.text(str(number), place, ink, size=0.8, bold=True, align="centre")


def _draw_supply(canvas: Canvas, rect: Rect, left: int, total: int) -> None:
    """Draw the pieces left as bars, and the feet of those that are used up."""
    pitch = min(canvas.unit, rect.width // max(1, total))
    for number in range(total):
        piece = Rect(rect.left + number * pitch, rect.top, max(2, pitch * 2 // 5), rect.height)
        if number < left:
            canvas.box(piece, canvas.theme.wall, 1)
        else:
            foot = Rect(piece.left, piece.bottom - 2, piece.width, 2)
            canvas.box(foot, canvas.theme.outline)


class MoveList:
    """The moves in two columns, as in records; a click shows the position after a move."""

    def __init__(self) -> None:
        self._scrolled = 0
        self._seen: tuple[int, int] | None = None

    def scroll(self, lines: int) -> None:
        """Scroll by some lines, until the next move."""
        self._scrolled += lines

    def draw(
        self, canvas: Canvas, rect: Rect, view: GameView, go_to: Callable[[int], object]
    ) -> list[Hit]:
        """Draw the moves around the position that is shown; returns the areas to click."""
        theme, unit = canvas.theme, canvas.unit
        canvas.box(rect, theme.panel, unit // 2, theme.outline)
        inner = rect.inflate(-unit, -unit // 2)
        line = round(LINE * unit)
        lines = max(0, inner.height // line)
        shift = view.first_player - 1
        rows = (len(view.moves) + shift + 1) // 2
        if self._seen != (view.ply, len(view.moves)):
            self._seen, self._scrolled = (view.ply, len(view.moves)), 0
        current = max(0, view.ply - 1 + shift) // 2
        first = min(max(0, current - lines // 2), max(0, rows - lines))
        wanted = min(max(0, first + self._scrolled), max(0, rows - lines))
        self._scrolled, first = wanted - first, wanted
        hits = []
        for row in range(first, min(rows, first + lines)):
            place = Rect(inner.left, inner.top + (row - first) * line, inner.width, line)
            number = Rect(place.left, place.top, round(2.2 * unit), line)
            canvas.text(f"{row + 1}.", number, theme.faint, size=0.9, align="right")
            half = (place.width - number.width) // 2
            for side in (0, 1):
                ply = 2 * row + side + 1 - shift
                if 1 <= ply <= len(view.moves):
                    left = number.right + side * half
                    hits.append(_move(canvas, Rect(left, place.top, half, line), view, ply, go_to))
        return hits


def _move(
    canvas: Canvas, rect: Rect, view: GameView, ply: int, go_to: Callable[[int], object]
) -> Hit:
    theme, move = canvas.theme, view.moves[ply - 1]
    is_on = ply == view.ply
    box = rect.inflate(-canvas.unit // 4, -canvas.unit // 6)
    if is_on:
        canvas.box(box, theme.accent, canvas.unit // 4)
    inner = box.inflate(-canvas.unit // 2, 0)
    ink = theme.accent_ink if is_on else theme.text
    canvas.text(move, inner, ink, size=0.95, bold=is_on)
    return Hit(f"move {ply}", rect, lambda: go_to(ply))


def draw_status(canvas: Canvas, rect: Rect, status: StatusLines) -> None:
    """Draw both status lines."""
    first, second, is_error = status.first, status.second, status.is_error
    theme, unit = canvas.theme, canvas.unit
    canvas.box(rect, theme.panel, unit // 2, theme.bad if is_error else theme.outline, 1)
    inner = rect.inflate(-unit, -unit // 3)
    half = inner.height // 2
    upper = Rect(inner.left, inner.top, inner.width, half)
    colour = theme.bad if is_error else theme.text
    canvas.text(("✕ " if is_error else "") + first, upper, colour, bold=True)
    canvas.text(second, upper.move(0, half), theme.faint, size=0.9)
