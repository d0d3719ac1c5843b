"""The window and its loop: takes events, hands them on, and draws when something has changed.

Nothing here waits for an agent. Agents think on threads of the live game; what they tell lies in a
queue that the session empties once a frame.
"""

from __future__ import annotations

import time
from pathlib import Path

import pygame
from pygame import Surface
from pygame.event import Event

from plyground.errors import ConfigError
from plyground.play.live_game import LiveGame
from plyground.play.seat import Seat
from plyground.ui.desktop.commands import COMMANDS, command_for
from plyground.ui.desktop.forms import Form
from plyground.ui.desktop.icon import icon
from plyground.ui.desktop.layout import SMALLEST, Point
from plyground.ui.desktop.screen import NOWHERE, Screen
from plyground.ui.desktop.session import Session
from plyground.ui.desktop.theme import THEMES, Theme
from plyground.ui.desktop.widgets import hit_at
from plyground.ui.table import Table
from plyground.ui.view import move_at

FRAME_S = 0.02
"""How long to wait for an event before looking after other things."""
CLOCK_S = 0.1
"""How often clocks are drawn while they run."""
SHARE = 0.72
"""Of the screen's height, for a new window: so it is large enough on a screen of any density."""
CONFIRM_S = 3.0
"""How soon a second Escape has to come to leave."""


def show(
    live: LiveGame,
    *,
    is_locked: bool = True,
    theme: str = "light",
    size: tuple[int, int] | None = None,
    title: str = "Plyground",
) -> None:
    """Show a game in progress in a window, until that is closed.

    People move in the seats that are theirs. A locked game belongs to whoever runs it: nobody takes
    back or begins another in its window, and it goes on when the window is closed. Has to be called
    on the program's first thread.
    """
    session = Session(Table(live), is_locked=is_locked)
    session.start()
    try:
        Window(session, THEMES[theme], size, title).run()
    finally:
        session.leave()


def show_games(
    path: Path,
    *,
    pace_s: float | None = None,
    theme: str = "light",
    size: tuple[int, int] | None = None,
    title: str = "Plyground",
) -> None:
    """Replay the games of a file in a window, until that is closed.

    The file holds records, or is the store of a tournament. A replay that runs shows a move every
    `pace_s` seconds.
    """
    session = Session(Table(LiveGame({1: Seat(), 2: Seat()})))
    try:
        session.open(path, pace_s)
        Window(session, THEMES[theme], size, title).run()
    finally:
        session.leave()


class Window:
    """A window on a session."""

    def __init__(
        self,
        session: Session,
        theme: Theme,
        size: tuple[int, int] | None = None,
        title: str = "Plyground",
    ) -> None:
        try:
            pygame.display.init()
            self._window = pygame.Window(
                title, size or _usual_size(), resizable=True, allow_high_dpi=True
            )
        except pygame.error as error:
            raise ConfigError(f"cannot open a window: {error}") from error
        self._window.minimum_size = SMALLEST
        self._window.set_icon(icon())
        pygame.key.set_repeat(400, 60)
        pygame.key.start_text_input()
        self.session = session
        self.theme = theme
        self.form: Form | None = None
        self.typed = ""
        self.screen = Screen()
        self._pointer: Point = NOWHERE
        self._is_stale = True
        self._drawn_s = 0.0
        self._escaped_s = -CONFIRM_S

    @property
    def surface(self) -> Surface:
        """All its pixels."""
        return self._window.get_surface()

    def resize(self, size: tuple[int, int]) -> None:
        """Make it larger or smaller."""
        self._window.size = size

    def run(self) -> None:
        """Show it until somebody closes it."""
        try:
            while not self.session.is_leaving:
                self.frame(FRAME_S)
        finally:
            self.close()

    def close(self) -> None:
        """Take the window away."""
        self._window.destroy()
        pygame.display.quit()

    def frame(self, wait_s: float = 0.0) -> None:
        """Take in what happened, for at most so long, and draw if there is something new."""
        first = pygame.event.wait(max(1, round(wait_s * 1000)))
        for event in (first, *pygame.event.get()):
            if event.type != pygame.NOEVENT:
                self._handle(event)
        is_new = self.session.update()
        if is_new or self._is_stale or self._clocks_are_due():
            self.draw()

    def draw(self) -> None:
        """Draw everything."""
        self._is_stale = False
        self._drawn_s = time.monotonic()
        if self.form is not None and not self.form.is_open:
            self.form = None
        self.screen.draw(
            self.surface, self.theme, self.session, self._pointer, self.typed, self.form, self.do
        )
        self._window.flip()

    def do(self, name: str) -> None:
        """Carry out a command, or say why it cannot be done."""
        self.session.attempt(lambda: COMMANDS[name].act(self))

    def ask(self, form: Form) -> None:
        """Show a form."""
        self.form = form

    def change_theme(self) -> None:
        """Light to dark, or back."""
        names = list(THEMES)
        self.theme = THEMES[names[(names.index(self.theme.name) + 1) % len(names)]]

    # What events do.

    def _handle(self, event: Event) -> None:
        self._is_stale = True
        if event.type in (pygame.QUIT, pygame.WINDOWCLOSE):
            self.session.is_leaving = True
        elif event.type == pygame.MOUSEMOTION:
            self._pointer = self._pixels(event.pos)
        elif event.type == pygame.WINDOWLEAVE:
            self._pointer = NOWHERE
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_LEFT:
            self._pointer = self._pixels(event.pos)
            self._click(self._pointer)
        elif event.type == pygame.MOUSEWHEEL:
            self.screen.moves.scroll(-event.y)
        elif event.type == pygame.KEYDOWN:
            self._key(event)
        elif event.type == pygame.TEXTINPUT:
            self._text(event.text)
        elif event.type == pygame.DROPFILE:
            self.session.attempt(lambda: self.session.open(Path(event.file)))

    def _pixels(self, position: tuple[int, int]) -> Point:
        """Where that is on the surface, which has more pixels than points on a dense screen."""
        width, height = self.surface.get_size()
        points = self._window.size
        return position[0] * width / points[0], position[1] * height / points[1]

    def _click(self, point: Point) -> None:
        if (hit := hit_at(self.screen.hits, point)) is not None:
            hit.act()
        elif self.form is None and (spot := self.screen.spot_at(point)) is not None:
            self.typed = ""
            # The board may be another by now than the one that was drawn and clicked at.
            self.session.attempt(
                lambda: self.session.play(move_at(self.session.view().board, spot))
            )

    def _key(self, event: Event) -> None:
        ctrl = bool(event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META))
        if self.form is not None:
            self.form.key(event.key)
        elif event.key == pygame.K_ESCAPE:
            self._escape()
        elif self.typed and event.key == pygame.K_BACKSPACE:
            self.typed = self.typed[:-1]
        elif self.typed and event.key in (pygame.K_RETURN, pygame.K_KP_ENTER):
            move, self.typed = self.typed, ""
            self.session.attempt(lambda: self.session.play(move))
        elif (command := command_for(event.key, ctrl)) is not None:
            self.session.attempt(lambda: command.act(self))

    def _text(self, text: str) -> None:
        """Letters and digits are a move, unless there is a form to type into."""
        if pygame.key.get_mods() & (pygame.KMOD_CTRL | pygame.KMOD_META):
            return
        if self.form is not None:
            self.form.type(text)
        elif text in ("+", "-"):
            self.session.change_pace(1 / 1.5 if text == "+" else 1.5)
        elif text.isascii() and text.isalnum():
            self.typed = (self.typed + text.lower())[:8]

    def _escape(self) -> None:
        """Leave whatever is in front; the window itself only when asked twice."""
        session, now_s = self.session, self.session.now()
        if self.typed:
            self.typed = ""
        elif session.ply is not None:
            session.ply = None
        elif session.replay is not None and session.has_game:
            session.close_replay()
        elif now_s - self._escaped_s < CONFIRM_S:
            session.is_leaving = True
        else:
            self._escaped_s = now_s
            session.news.say("Escape again leaves")

    def _clocks_are_due(self) -> bool:
        live = self.session.live
        runs = live.control is not None and live.outcome is None and self.session.replay is None
        return runs and time.monotonic() - self._drawn_s >= CLOCK_S


def _usual_size() -> tuple[int, int]:
    _, height = pygame.display.get_desktop_sizes()[0]
    return round(height * SHARE * 1.4), round(height * SHARE)
