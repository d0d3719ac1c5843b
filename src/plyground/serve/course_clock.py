"""The course's clock: a credit of seconds for the whole game, with a small overdraft."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from plyground.agents.course_remote import GRACE_S
from plyground.play.clock import Clock, TimeControl

OVERDRAFT_S = 0.5
"""Seconds that one answer may overdraw; the next call then loses."""


class CourseClock(Clock):
    """A clock on which a player's last answer may be half a second late.

    A player loses when the credit is below 0 before a call, or below -0.5 s after one. An agent
    that does not answer is cut off one second after its credit. Players in `untimed` have no clock.
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

    def flag_falls_in(self, player: int) -> float | None:
        """Seconds until a silent agent is cut off."""
        left = self._balance(player)
        return None if left is None else max(0.0, left + GRACE_S)

    def is_late(self, player: int) -> bool:
        """Whether an answer exceeded the overdraft."""
        left = self._balance(player)
        return left is not None and left < -OVERDRAFT_S

    def is_out_of_time(self, player: int) -> bool:
        """Whether the credit is used up before a call."""
        left = self._balance(player)
        return left is not None and left < 0

    def charge(self, player: int, spent_s: float) -> None:
        """Deduct the seconds of a call outside the game: `initialize`."""
        if (left := self._left[player]) is not None:
            self._left[player] = left - spent_s
