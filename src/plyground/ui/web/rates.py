"""How fast somebody may go on: so many at once, and so many a second after that."""

from __future__ import annotations

import time
from collections.abc import Callable


class Rate:
    """A bucket of tokens that fills by itself.

    >>> rate = Rate(per_s=1, at_once=2, now=lambda: 0.0)
    >>> [rate.take() for _ in range(3)]
    [True, True, False]
    """

    def __init__(
        self, per_s: float, at_once: int, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._per_s = per_s
        self._at_once = at_once
        self._now = now
        self._left = float(at_once)
        self._at = now()

    def take(self) -> bool:
        """Take a token if there is one."""
        now = self._now()
        self._left = min(self._at_once, self._left + (now - self._at) * self._per_s)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
