"""The clocks of both players. A clock counts time; its owner decides when a player loses."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from plyground.errors import ConfigError, NotationError
from plyground.search.limits import SearchLimits

LONGEST_S = 86_400


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Seconds for the game of each player, and the increment in seconds for every move.

    >>> TimeControl.parse("300+5")
    TimeControl(base_s=300.0, increment_s=5.0)
    >>> str(TimeControl(90))
    '90'
    """

    base_s: float
    increment_s: float = 0.0

    def __post_init__(self) -> None:
        if not 0 < self.base_s <= LONGEST_S or not 0 <= self.increment_s <= LONGEST_S:
            raise ConfigError(
                f"expected a time above 0 and up to {LONGEST_S} seconds, "
                f"got {self.base_s:g}+{self.increment_s:g}"
            )

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Read `300` or `300+5`, both in seconds."""
        number = r"([0-9]{1,9}(?:\.[0-9]{1,3})?)"
        match = re.fullmatch(rf"{number}(?:\+{number})?", text)
        if not match:
            raise ConfigError(f"expected a time such as '300' or '300+5' in seconds, got {text!r}")
        return cls(float(match[1]), float(match[2] or 0))

    def __str__(self) -> str:
        base = f"{self.base_s:g}"
        return f"{base}+{self.increment_s:g}" if self.increment_s else base


class Clock:
    """Counts the time of the player to move; without a time control it never runs out."""

    def __init__(
        self, control: TimeControl | None = None, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.control = control
        self._now = now
        base = None if control is None else control.base_s
        self._left: dict[int, float | None] = {1: base, 2: base}
        self.margins = {1: 0.0, 2: 0.0}
        """Seconds by which each player may overstep the clock."""
        self._running: int | None = None
        self._since = 0.0

    @property
    def running(self) -> int | None:
        """The player whose time runs; None while the clock is paused."""
        return self._running

    def start(self, player: int) -> None:
        """Start a player's time."""
        self.pause()
        self._running, self._since = player, self._now()

    def pause(self) -> None:
        """Stop the clock and keep the time used so far."""
        if self._running is not None:
            self._left[self._running] = self._balance(self._running)
            self._running = None

    def spent(self) -> float:
        """Seconds since the running player's time started."""
        return 0.0 if self._running is None else self._now() - self._since

    def left(self, player: int) -> float | None:
        """Seconds left to a player, never below 0; None without a control."""
        left = self._balance(player)
        return None if left is None else max(0.0, left)

    def _balance(self, player: int) -> float | None:
        left = self._left[player]
        if left is None:
            return None
        return left - (self.spent() if player == self._running else 0.0)

    def search_limits(self, player: int) -> SearchLimits | None:
        """Both clocks, for the search of a player's move; None if the player has no clock."""
        if (left := self.left(player)) is None:
            return None
        increment = 0.0 if self.control is None else self.control.increment_s
        return SearchLimits(
            clock_s=left,
            increment_s=increment,
            opponent_clock_s=self.left(3 - player),
            opponent_increment_s=increment,
        )

    def flag_falls_in(self, player: int) -> float | None:
        """Seconds until a player who does not move loses on time; None if there is no limit."""
        left = self._balance(player)
        return None if left is None else max(0.0, left + self.margins[player])

    def is_late(self, player: int) -> bool:
        """Whether a move that a player makes now comes too late."""
        return self.flag_falls_in(player) == 0.0

    def is_out_of_time(self, player: int) -> bool:  # noqa: ARG002
        """Whether a player has lost on time before the next move."""
        return False

    def press(self) -> float:
        """Stop after a move, add the increment, and return the seconds that the move took."""
        player, spent = self._running, self.spent()
        self.pause()
        left = None if player is None else self._left[player]
        if player is not None and left is not None and self.control is not None:
            if self.margins[player]:
                left = max(left, 0.0)
            self._left[player] = left + self.control.increment_s
        return spent

    def snapshot(self) -> dict[int, float | None]:
        """The time left to both players, for `restore`."""
        return {player: self.left(player) for player in (1, 2)}

    def restore(self, left: Mapping[int, float | None]) -> None:
        """Stop the clock and set the time left to both players."""
        self._running = None
        self._left = dict(left)


def format_time(seconds: float) -> str:
    """Format a time as clocks show it, with tenths in the last ten seconds.

    >>> format_time(83.2), format_time(9.87), format_time(3725)
    ('1:23', '0:09.8', '1:02:05')
    """
    minutes, rest = divmod(seconds, 60)
    if seconds < 10:
        return f"0:0{int(seconds * 10) / 10:.1f}"
    if minutes < 60:
        return f"{int(minutes)}:{int(rest):02}"
    return f"{int(minutes // 60)}:{int(minutes % 60):02}:{int(rest):02}"


def format_clocks(left: Mapping[int, float | None]) -> str:
    """Format both clocks for the tag of a record, in seconds.

    >>> format_clocks({1: 83.52, 2: 120.0})
    '83.5/120.0'
    """
    return "/".join(f"{left[player] or 0.0:.1f}" for player in (1, 2))


def parse_clocks(text: str) -> dict[int, float | None]:
    """Parse what `format_clocks` writes."""
    match = re.fullmatch(r"([0-9]{1,7}(?:\.[0-9])?)/([0-9]{1,7}(?:\.[0-9])?)", text)
    if not match:
        raise NotationError(f"bad tag Clock: expected seconds such as '83.5/120.0', got {text!r}")
    return {1: float(match[1]), 2: float(match[2])}
