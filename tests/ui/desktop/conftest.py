"""A window that nobody sees, and a person who clicks and types in it through real events."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pygame
import pytest

from plyground.play import LiveGame
from plyground.ui.desktop.session import Session
from plyground.ui.desktop.theme import THEMES
from plyground.ui.desktop.window import Window
from plyground.ui.desktop.wishes import Shown
from plyground.ui.table import Table
from plyground.ui.view import spot_of

PATIENCE_S = 60


class Person:
    """Somebody at a window: everything they do goes through the toolkit's events."""

    def __init__(self, window: Window) -> None:
        self.window = window
        self.session = window.session
        self.post()

    @property
    def live(self) -> LiveGame:
        return self.session.live

    def post(self, *events: pygame.event.Event) -> None:
        """Let something happen, and the window look at it."""
        for event in events:
            pygame.event.post(event)
        self.window.frame()

    def point_of(self, move: str) -> tuple[int, int]:
        """Where a move is on the screen: for a wall, beside its middle, which two walls share."""
        grid: Any = self.window.screen.board.grid  # type: ignore[union-attr]
        spot = spot_of(self.session.view().board, move)
        assert spot is not None
        kind, cell = spot
        if kind == "move":
            return grid.cell_rect(cell).center
        x, y = grid.wall_rect(kind, cell).center
        return (x + grid.cell // 2, y) if kind == "h_wall" else (x, y + grid.cell // 2)

    def hover(self, point: tuple[int, int]) -> None:
        self.post(
            pygame.Event(pygame.MOUSEMOTION, pos=point, rel=(0, 0), buttons=(0, 0, 0), touch=False)
        )

    def click_at(self, point: tuple[int, int]) -> None:
        self.hover(point)
        self.post(
            pygame.Event(pygame.MOUSEBUTTONDOWN, pos=point, button=1, touch=False),
            pygame.Event(pygame.MOUSEBUTTONUP, pos=point, button=1, touch=False),
        )

    def click(self, move: str) -> None:
        self.click_at(self.point_of(move))

    def press(self, name: str) -> None:
        """Click what has that name: a button, a choice, a move of the list."""
        places = [hit.rect.center for hit in self.window.screen.hits if hit.name == name]
        assert places, (name, [hit.name for hit in self.window.screen.hits])
        self.click_at(places[-1])

    def key(self, key: int, ctrl: bool = False) -> None:
        mod = pygame.KMOD_LCTRL if ctrl else 0
        self.post(pygame.Event(pygame.KEYDOWN, key=key, mod=mod, unicode="", scancode=0))

    def type(self, text: str) -> None:
        self.post(*(pygame.Event(pygame.TEXTINPUT, text=letter) for letter in text))

    def wait_for(self, is_so: Callable[[], bool]) -> None:
        """Look at the window until something is so."""
        end = time.monotonic() + PATIENCE_S
        while not is_so():
            assert time.monotonic() < end, self.session.news.note
            self.window.frame(0.005)

    @property
    def image(self) -> bytes:
        """What is on the screen."""
        return self.window.surface.get_buffer().raw


@pytest.fixture
def sit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[..., Person]]:
    """Sit down at a window on a game: `sit(live, size=(480, 400))`."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.chdir(tmp_path)
    people: list[Person] = []

    def open_window(
        live: LiveGame,
        size: tuple[int, int] = (480, 400),
        *,
        is_locked: bool = False,
        now: Callable[[], float] = time.monotonic,
        **shown: bool,
    ) -> Person:
        session = Session(Table(live), Shown(**shown), is_locked=is_locked, now=now)
        session.start()
        people.append(Person(Window(session, THEMES["light"], size)))
        return people[-1]

    yield open_window
    for person in people:
        person.session.leave()
        person.live.close()
        person.window.close()
