"""A person at a window without a display, who clicks and types through real events."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

import pygame

from plyground.play import LiveGame
from plyground.ui.desktop.quoridor_grid import QuoridorGrid
from plyground.ui.desktop.replay import GameReplay
from plyground.ui.desktop.window import Window

TIMEOUT_S = 60


class WindowUser:
    """Uses a window; all input goes through the toolkit's events."""

    def __init__(self, window: Window) -> None:
        self.window = window
        self.session = window.session
        self.post()

    @property
    def live(self) -> LiveGame:
        return self.session.live

    @property
    def replay(self) -> GameReplay:
        assert self.session.replay is not None
        return self.session.replay

    @property
    def message(self) -> str:
        return self.session.messages.text

    @property
    def moves(self) -> list[str]:
        return [move.text for move in self.live.moves]

    @property
    def image(self) -> bytes:
        """The pixels of the window."""
        return bytes(self.window.surface.get_buffer().raw)

    def hint(self) -> str | None:
        return self.session.messages.hint

    def form_error(self) -> str:
        """The error that the open form shows."""
        assert self.window.form is not None
        return self.window.form.error

    def post(self, *events: pygame.event.Event) -> None:
        """Post events and let the window handle them."""
        for event in events:
            pygame.event.post(event)
        self.window.frame()

    def point_of(self, move: str) -> tuple[int, int]:
        """Where a move is in the window; for a wall, off its middle, which two walls share."""
        assert self.window.renderer.board is not None
        grid = self.window.renderer.board.grid
        spot = self.session.view().spot_of(move)
        assert spot is not None
        kind, cell = spot
        if kind == "move":
            x, y = grid.cell_rect(cell).center
            return x, y
        assert isinstance(grid, QuoridorGrid)
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
        """Click a button, a choice or a move of the list by its name."""
        hits = self.window.renderer.hits
        places = [hit.rect.center for hit in hits if hit.name == name]
        assert places, (name, [hit.name for hit in hits])
        self.click_at(places[-1])

    def key(self, key: int, ctrl: bool = False) -> None:
        mod = pygame.KMOD_LCTRL if ctrl else 0
        self.post(pygame.Event(pygame.KEYDOWN, key=key, mod=mod, unicode="", scancode=0))

    def type(self, text: str) -> None:
        self.post(*(pygame.Event(pygame.TEXTINPUT, text=letter) for letter in text))

    def wait_for(self, condition: Callable[[], bool]) -> None:
        """Let the window run until a condition is true."""
        end = time.monotonic() + TIMEOUT_S
        while not condition():
            assert time.monotonic() < end, self.message
            self.window.frame(0.005)


class OpenWindow(Protocol):
    """The fixture `open_window`."""

    def __call__(
        self,
        live: LiveGame,
        size: tuple[int, int] = (480, 400),
        *,
        is_locked: bool = False,
        now: Callable[[], float] = time.monotonic,
        paths: bool = False,
    ) -> WindowUser: ...
