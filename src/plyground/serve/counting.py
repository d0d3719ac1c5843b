"""Perft on a thread of its own, which can be stopped."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

AT_ONCE = 3
"""Plies that are counted without a look at whether anybody still wants to know: milliseconds."""


class Counting:
    """Counts the move paths of a length; `on_end` hears how many, or None if it was stopped."""

    holds = False
    """It never keeps its answer back."""

    def __init__(self, state: Any, depth: int, on_end: Callable[[int | None], object]) -> None:
        self._on_end = on_end
        self._stop = threading.Event()
        self._is_dropped = False
        self.is_running = True
        self._thread = threading.Thread(
            target=self._run, args=(state, depth), name="plyground-perft", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Give up soon."""
        self._stop.set()

    @property
    def is_stopped(self) -> bool:
        """Whether it was told to end, and will soon."""
        return self._stop.is_set()

    def wait(self) -> None:
        """Until whoever asked has heard of its end."""
        self._thread.join()

    def drop(self) -> None:
        """Give up, and wait for that; nobody hears of it."""
        self._is_dropped = True
        self._stop.set()
        self._thread.join()

    def _run(self, state: Any, depth: int) -> None:
        count: int | None = self._count(state, depth)
        if self._stop.is_set():
            count = None
        self.is_running = False
        if not self._is_dropped:
            self._on_end(count)

    def _count(self, state: Any, depth: int) -> int:
        if depth <= AT_ONCE:
            return int(state.perft(depth))
        total = 0
        for action in state.legal_actions():
            if self._stop.is_set():
                break
            total += self._count(state.play(action), depth - 1)
        return total
