"""Draws the whole window from the session, and remembers what is where."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pygame import Rect, Surface

from plyground.games.board import Spot
from plyground.ui.desktop.boards import make_drawing
from plyground.ui.desktop.buttons import ButtonRow, button_rows
from plyground.ui.desktop.canvas import Canvas
from plyground.ui.desktop.drawing import BoardDrawing, Marks
from plyground.ui.desktop.forms import Form
from plyground.ui.desktop.layout import Point, WindowLayout
from plyground.ui.desktop.panel import MoveList, draw_card, draw_status
from plyground.ui.desktop.session import WindowSession
from plyground.ui.desktop.status import status_lines
from plyground.ui.desktop.theme import Theme
from plyground.ui.desktop.widgets import Hit, draw_button
from plyground.ui.view import DisplayOptions, GameView, PlayerView

RunCommand = Callable[[str], object]
"""Called with the name of the command whose button is clicked."""
OUTSIDE: Point = (-1.0, -1.0)
"""The pointer when it is not in the window."""


class WindowRenderer:
    """Draws the window; `hits` and `board` say what was drawn where, for clicks and for tests."""

    def __init__(self) -> None:
        self.moves = MoveList()
        self.hits: list[Hit] = []
        self.board: BoardDrawing | None = None

    def draw(
        self,
        surface: Surface,
        theme: Theme,
        session: WindowSession,
        pointer: Point,
        typed: str,
        form: Form | None,
        run: RunCommand,
    ) -> None:
        """Draw everything."""
        rows, view, options = button_rows(session), session.view(), session.options
        layout = WindowLayout.of(*surface.get_size(), len(rows))
        canvas = Canvas(surface, theme, layout.unit)
        behind = OUTSIDE if form is not None else pointer
        surface.fill(theme.window)
        self.board = make_drawing(view.board, layout.board, options.flipped, options.indices)
        illegal = _draw_board(canvas, self.board, session, view, behind)
        upper, lower = _players_by_place(view, options)
        draw_card(canvas, layout.upper, self.board, upper)
        draw_card(canvas, layout.lower, self.board, lower)
        self.hits = self.moves.draw(canvas, layout.moves, view, session.go_to)
        self._draw_buttons(canvas, layout.buttons, rows, behind, run)
        draw_status(canvas, layout.status, status_lines(session, view, illegal, typed))
        if form is not None:
            self.hits = form.draw(canvas, surface.get_rect(), pointer)  # nothing behind it counts

    def spot_at(self, point: Point) -> Spot | None:
        """The spot of the board at a point."""
        return None if self.board is None else self.board.spot_at(point)

    def _draw_buttons(
        self, canvas: Canvas, place: Rect, rows: list[ButtonRow], pointer: Point, run: RunCommand
    ) -> None:
        gap = canvas.unit // 4
        height = (place.height + gap) // len(rows)
        for number, row in enumerate(rows):
            width = (place.width + gap) / len(row)
            for column, button in enumerate(row):
                left = place.left + round(column * width)
                right = place.left + round((column + 1) * width) - gap
                rect = Rect(left, place.top + number * height, right - left, height - gap)
                draw_button(
                    canvas,
                    rect,
                    button.label,
                    pointer,
                    is_on=button.is_on,
                    is_enabled=button.is_enabled,
                )
                if button.is_enabled:
                    name = button.command
                    self.hits.append(Hit(name, rect, partial(run, name)))


def _draw_board(
    canvas: Canvas, drawing: BoardDrawing, session: WindowSession, view: GameView, pointer: Point
) -> str | None:
    """Draw the board; returns why the piece under the pointer cannot be placed, if it cannot."""
    spot = drawing.spot_at(pointer) if session.can_move else None
    if spot is not None and drawing.is_taken(spot):
        spot = None  # most likely the piece that was just placed
    illegal = None if spot is None else session.why_illegal_at(view, spot)
    hint = session.messages.hint
    marks = Marks(
        player=next((each.number for each in view.players if each.is_to_move), 1),
        hover=spot,
        is_illegal=illegal is not None,
        hint=None if hint is None or not session.can_move else view.spot_of(hint),
    )
    drawing.draw(canvas, marks)
    return illegal if spot is not None and spot[0] != "move" else None


def _players_by_place(view: GameView, options: DisplayOptions) -> tuple[PlayerView, PlayerView]:
    """The players at the top and at the bottom."""
    one, two = view.players
    return (two, one) if options.first_is_lower(view.state) else (one, two)
