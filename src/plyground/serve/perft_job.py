"""Perft on a thread of its own, which can be stopped."""

from __future__ import annotations

from collections.abc import Callable

from plyground.games.base import State
from plyground.serve.background_job import BackgroundJob

CHUNK_PLIES = 3
"""Plies counted between two checks for a stop: milliseconds."""


class PerftJob(BackgroundJob[int | None]):
    """Counts the move paths of a length; `on_end` receives the count, or None after a stop."""

    def __init__(self, state: State, depth: int, on_end: Callable[[int | None], object]) -> None:
        self._state, self._depth = state, depth
        super().__init__("plyground-perft", on_end)

    def _work(self) -> int | None:
        count = self._count(self._state, self._depth)
        return None if self.is_stopped else count

    def _count(self, state: State, depth: int) -> int:
        if depth <= CHUNK_PLIES or state.outcome is not None:
            return state.perft(depth)
        total = 0
        for action in state.legal_actions():
            if self.is_stopped:
                break
            total += self._count(state.play(action), depth - 1)
        return total
