"""Perft on a thread of its own, which can be stopped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from plyground.serve.stoppable import Stoppable

AT_ONCE = 3
"""Plies that are counted without a look at whether anybody still wants to know: milliseconds."""


class Counting(Stoppable[int | None]):
    """Counts the move paths of a length; `on_end` hears how many, or None if it was stopped."""

    def __init__(self, state: Any, depth: int, on_end: Callable[[int | None], object]) -> None:
        self._state, self._depth = state, depth
        super().__init__("plyground-perft", on_end)

    def _work(self) -> int | None:
        count = self._count(self._state, self._depth)
        return None if self.is_stopped else count

    def _count(self, state: Any, depth: int) -> int:
        if depth <= AT_ONCE:
            return int(state.perft(depth))
        total = 0
        for action in state.legal_actions():
            if self.is_stopped:
                break
            total += self._count(state.play(action), depth - 1)
        return total
