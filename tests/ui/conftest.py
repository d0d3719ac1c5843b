"""Fixtures of the tests of screens."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from plyground.play import LiveGame

if TYPE_CHECKING:
    from tests.ui.window_user import OpenWindow, WindowUser


@pytest.fixture
def open_window(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[OpenWindow]:
    """Open a window on a game: `open_window(live, size=(480, 400))` returns its user."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.chdir(tmp_path)
    from plyground.ui.desktop.session import WindowSession
    from plyground.ui.desktop.theme import THEMES
    from plyground.ui.desktop.window import Window
    from plyground.ui.game_host import GameHost
    from plyground.ui.view import DisplayOptions
    from tests.ui.window_user import WindowUser

    users: list[WindowUser] = []

    def open_one(
        live: LiveGame,
        size: tuple[int, int] = (480, 400),
        *,
        is_locked: bool = False,
        now: Callable[[], float] = time.monotonic,
        paths: bool = False,
    ) -> WindowUser:
        options = DisplayOptions(targets=True, paths=paths)
        session = WindowSession(GameHost(live), options, is_locked=is_locked, now=now)
        session.start()
        users.append(WindowUser(Window(session, THEMES["light"], size)))
        return users[-1]

    yield open_one
    for user in users:
        user.session.leave()
        user.live.close()
        user.window.close()
