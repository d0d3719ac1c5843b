"""A rate limit: a burst at once, then a steady number a second."""

from __future__ import annotations

import time
from collections.abc import Callable


class RateLimiter:
    """A token bucket.

    >>> rate = RateLimiter(per_s=1, at_once=2, now=lambda: 0.0)
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
