"""The window and its event loop; it draws when something has changed.

The loop never waits for an agent. Agents search on threads of the live game, and their events are
put into a queue that the session empties once per frame.
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
from plyground.ui.desktop.renderer import OUTSIDE, WindowRenderer
from plyground.ui.desktop.session import CONFIRM_S, WindowSession
from plyground.ui.desktop.theme import THEMES, Theme
from plyground.ui.desktop.widgets import hit_at
from plyground.ui.game_host import GameHost
from plyground.ui.view import DisplayOptions

FRAME_S = 0.02
"""Longest wait for an event before the session is updated, in seconds."""
CLOCK_S = 0.1
"""Seconds between two drawings of running clocks."""
SHARE = 0.72
"""Height of a new window as a share of the screen's, so that it suits a screen of any density."""
ASPECT = 1.4
"""Width of a new window, relative to its height."""
FASTER = 1.5
"""Factor of the keys + and -."""
LONGEST_MOVE = 8
"""Letters that can be typed as a move."""


def show(
    live: LiveGame,
    *,
    is_locked: bool = True,
    theme: str = "light",
    size: tuple[int, int] | None = None,
    title: str = "Plyground",
    options: DisplayOptions | None = None,
) -> None:
    """Show a live game in a window until the window is closed.

    People move for the seats without an agent. A locked game stays under the caller's control: its
    window can neither take moves back nor begin another game, and the game goes on after the window
    is closed. Must be called on the main thread.
    """
    session = WindowSession(GameHost(live), options, is_locked=is_locked)
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
    options: DisplayOptions | None = None,
) -> None:
    """Replay the games of a file in a window until the window is closed.

    The file holds records, or is the store of a tournament. A running replay shows a move every
    `pace_s` seconds.
    """
    session = WindowSession(GameHost(LiveGame({1: Seat(), 2: Seat()})), options)
    try:
        session.open(path, pace_s)
        Window(session, THEMES[theme], size, title).run()
    finally:
        session.leave()


class Window:
    """A window that shows a session."""

    def __init__(
        self,
        session: WindowSession,
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
        self.renderer = WindowRenderer()
        self._pointer: Point = OUTSIDE
        self._is_stale = True
        self._drawn_s = 0.0
        self._escaped_s = -CONFIRM_S

    @property
    def surface(self) -> Surface:
        """The pixels of the window."""
        return self._window.get_surface()

    def resize(self, size: tuple[int, int]) -> None:
        """Change the size of the window."""
        self._window.size = size

    def run(self) -> None:
        """Show the window until it is closed."""
        try:
            while not self.session.is_leaving:
                self.frame(FRAME_S)
        finally:
            self.close()

    def close(self) -> None:
        """Close the window."""
        self._window.destroy()
        pygame.display.quit()

    def frame(self, wait_s: float = 0.0) -> None:
        """Wait for events for at most this time, handle them, and draw if something changed."""
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
        self.renderer.draw(
            self.surface,
            self.theme,
            self.session,
            self._pointer,
            self.typed,
            self.form,
            self.run_command,
        )
        self._window.flip()

    def run_command(self, name: str) -> None:
        """Run a command, or show why it cannot be run."""
        self.session.attempt(lambda: COMMANDS[name].run(self))

    def show_form(self, form: Form) -> None:
        """Show a form."""
        self.form = form

    def change_theme(self) -> None:
        """Change from light to dark, or back."""
        names = list(THEMES)
        self.theme = THEMES[names[(names.index(self.theme.name) + 1) % len(names)]]

    # Event handlers.

    def _handle(self, event: Event) -> None:
        self._is_stale = True
        if event.type in (pygame.QUIT, pygame.WINDOWCLOSE):
            self.session.is_leaving = True
        elif event.type == pygame.MOUSEMOTION:
            self._pointer = self._pixels(event.pos)
        elif event.type == pygame.WINDOWLEAVE:
            self._pointer = OUTSIDE
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_LEFT:
            self._pointer = self._pixels(event.pos)
            self._click(self._pointer)
        elif event.type == pygame.MOUSEWHEEL:
            self._wheel(event.y)
        elif event.type == pygame.KEYDOWN:
            self._key(event)
        elif event.type == pygame.TEXTINPUT:
            self._text(event.text)
        elif event.type == pygame.DROPFILE:
            self.session.attempt(lambda: self.session.open(Path(event.file)))

    def _pixels(self, position: tuple[int, int]) -> Point:
        """A position on the surface, which has more pixels than points on a dense screen."""
        width, height = self.surface.get_size()
        points = self._window.size
        return position[0] * width / points[0], position[1] * height / points[1]

    def _click(self, point: Point) -> None:
        if (hit := hit_at(self.renderer.hits, point)) is not None:
            hit.action()
        elif self.form is None and (spot := self.renderer.spot_at(point)) is not None:
            self.typed = ""
            self.session.attempt(lambda: self.session.play_at(spot))

    def _wheel(self, clicks: int) -> None:
        """Scroll the form or the list of moves."""
        if self.form is None:
            self.renderer.moves.scroll(-clicks)
            return
        for _ in range(abs(clicks)):
            self.form.key(pygame.K_UP if clicks > 0 else pygame.K_DOWN)

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
            self.session.attempt(lambda: command.run(self))

    def _text(self, text: str) -> None:
        """Type letters and digits into the form, or else into the move."""
        if pygame.key.get_mods() & (pygame.KMOD_CTRL | pygame.KMOD_META):
            return
        if self.form is not None:
            self.form.type(text)
        elif text in ("+", "-"):
            self.session.change_pace(1 / FASTER if text == "+" else FASTER)
        elif text.isascii() and text.isalnum():
            self.typed = (self.typed + text.lower())[:LONGEST_MOVE]

    def _escape(self) -> None:
        """Clear the typed move, or close what covers the newest position; twice: leave."""
        session, now_s = self.session, self.session.now()
        if self.typed:
            self.typed = ""
        elif session.puzzles is not None:
            session.close_puzzles()
        elif session.ply is not None:
            session.go_to(len(session.live.moves))
        elif session.replay is not None and session.has_game:
            session.close_replay()
        elif now_s - self._escaped_s < CONFIRM_S:
            session.is_leaving = True
        else:
            self._escaped_s = now_s
            session.messages.show("press Escape again to leave")

    def _clocks_are_due(self) -> bool:
        live = self.session.live
        is_covered = self.session.replay is not None or self.session.puzzles is not None
        runs = live.is_timed and live.outcome is None and not is_covered
        return runs and time.monotonic() - self._drawn_s >= CLOCK_S


def _usual_size() -> tuple[int, int]:
    _, height = pygame.display.get_desktop_sizes()[0]
    return round(height * SHARE * ASPECT), round(height * SHARE)
