"""Draws the whole window from the session, and knows afterwards what is where."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pygame import Rect, Surface

from plyground.ui.desktop.boards import Board, Marks
from plyground.ui.desktop.buttons import Button, button_rows
from plyground.ui.desktop.canvas import Canvas
from plyground.ui.desktop.forms import Form
from plyground.ui.desktop.layout import Point, WindowLayout
from plyground.ui.desktop.panel import MoveList, draw_card, draw_status
from plyground.ui.desktop.quoridor_board import QuoridorBoard
from plyground.ui.desktop.reversi_board import ReversiBoard
from plyground.ui.desktop.session import Session
from plyground.ui.desktop.status import status
from plyground.ui.desktop.theme import Theme
from plyground.ui.desktop.widgets import Hit, draw_button
from plyground.ui.view import GameView, PlayerView, QuoridorView, Spot, move_at, spot_of

Do = Callable[[str], object]
"""Told the name of a command that is clicked."""
NOWHERE: Point = (-1.0, -1.0)


class Screen:
    """What is in the window; `hits` says what was drawn where, for clicks and for tests."""

    def __init__(self) -> None:
        self.moves = MoveList()
        self.hits: list[Hit] = []
        self.board: Board | None = None

    def draw(
        self,
        surface: Surface,
        theme: Theme,
        session: Session,
        pointer: Point,
        typed: str,
        form: Form | None,
        do: Do,
    ) -> None:
        """Draw everything."""
        rows, view = button_rows(session), session.view()
        layout = WindowLayout.of(*surface.get_size(), len(rows))
        canvas = Canvas(surface, theme, layout.unit)
        under = NOWHERE if form is not None else pointer
        surface.fill(theme.window)
        self.board = _board_of(view, layout.board, session.shown.flipped)
        refusal = _draw_board(canvas, self.board, session, view, under)
        upper, lower = _seen_players(view, session.shown.flipped)
        draw_card(canvas, layout.upper, view, upper)
        draw_card(canvas, layout.lower, view, lower)
        self.hits = self.moves.draw(canvas, layout.moves, view, session.go_to)
        self._draw_buttons(canvas, layout.buttons, rows, under, do)
        draw_status(canvas, layout.status, status(session, view, refusal, typed))
        if form is not None:
            self.hits = form.draw(canvas, surface.get_rect(), pointer)  # and nothing behind it

    def spot_at(self, point: Point) -> Spot | None:
        """What of the board is there."""
        return None if self.board is None else self.board.spot_at(point)

    def _draw_buttons(
        self, canvas: Canvas, place: Rect, rows: list[list[Button]], pointer: Point, do: Do
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
                    self.hits.append(Hit(name, rect, partial(do, name)))


def _board_of(view: GameView, place: Rect, flipped: bool) -> Board:
    if isinstance(view.board, QuoridorView):
        return QuoridorBoard(view.board, place, flipped)
    return ReversiBoard(view.board, place, flipped)


def _draw_board(
    canvas: Canvas, board: Board, session: Session, view: GameView, pointer: Point
) -> str | None:
    """Draw the board; why the wall under the pointer cannot stand, if there is one that cannot."""
    spot = board.spot_at(pointer) if session.can_move else None
    if spot is not None and _is_standing(view, spot):
        spot = None  # most likely the wall that was just placed
    refusal = None if spot is None else session.refusal(move_at(view.board, spot))
    marks = Marks(
        player=next((each.number for each in view.players if each.is_to_move), 1),
        hover=spot,
        is_refused=refusal is not None,
        hint=spot_of(view.board, session.news.hint) if session.news.hint else None,
    )
    board.draw(canvas, marks)
    return refusal if spot is not None and spot[0] != "move" else None


def _is_standing(view: GameView, spot: Spot) -> bool:
    """Whether a wall is there already."""
    kind, slot = spot
    if not isinstance(view.board, QuoridorView) or kind == "move":
        return False
    return slot in (view.board.h_walls if kind == "h_wall" else view.board.v_walls)


def _seen_players(view: GameView, flipped: bool) -> tuple[PlayerView, PlayerView]:
    """Who is at the top and at the bottom: in Quoridor, those who look from there."""
    one, two = view.players
    is_turned = flipped or not isinstance(view.board, QuoridorView)
    return (one, two) if is_turned else (two, one)
