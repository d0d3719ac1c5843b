"""Time as the course counts it: a credit for the whole game, which may be overdrawn a little."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from plyground.agents.remote import CUT_S
from plyground.play.clock import Clock, TimeControl

TOLERANCE_S = 0.5
"""What an answer may overdraw; the next call is lost then."""


class CreditClock(Clock):
    """A clock on which an answer may come late by half a second, once.

    Credit below 0 before a call loses, below -0.5 s after it loses at once, and an agent that says
    nothing is cut off one second after its credit. People are `untimed`.
    """

    def __init__(
        self,
        credit_s: float,
        untimed: Iterable[int] = (),
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(TimeControl(credit_s), now)
        for player in untimed:
            self._left[player] = None

    def falls_in(self, player: int) -> float | None:
        """Seconds until a silent agent is cut off."""
        left = self._left_or_owed(player)
        return None if left is None else max(0.0, left + CUT_S)

    def is_late(self, player: int) -> bool:
        """Whether an answer has overdrawn more than is tolerated."""
        left = self._left_or_owed(player)
        return left is not None and left < -TOLERANCE_S

    def is_spent(self, player: int) -> bool:
        """Whether there is no credit left to call an agent with."""
        left = self._left_or_owed(player)
        return left is not None and left < 0

    def charge(self, player: int, spent_s: float) -> None:
        """Take off what a call outside the game took: `initialize`."""
        if (left := self._left[player]) is not None:
            self._left[player] = left - spent_s
