"""The clocks of both players. A clock counts time; its owner decides when a player loses."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from typing import TypeAlias

from plyground.errors import ConfigError, NotationError
from plyground.search.limits import SearchLimits
from plyground.search.time_control import TimeControl

__all__ = [
    "Clock",
    "Controls",
    "TimeControl",
    "both",
    "control_tags",
    "format_clocks",
    "format_time",
    "parse_clocks",
    "parse_control_tags",
]

Controls: TypeAlias = Mapping[int, TimeControl | None]
"""The time control of each player; None for a player without a clock."""


def both(control: TimeControl | Controls | None) -> dict[int, TimeControl | None]:
    """The controls of both players, from one for both or one for each."""
    if isinstance(control, Mapping):
        return {player: control.get(player) for player in (1, 2)}
    return {1: control, 2: control}


class Clock:
    """Counts the time of the player to move; without a time control it never runs out.

    The players may have different controls, and a player may have none.
    """

    def __init__(
        self,
        control: TimeControl | Controls | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.controls = both(control)
        self._now = now
        self._left: dict[int, float | None] = {
            player: None if own is None else own.base_s for player, own in self.controls.items()
        }
        self._played = {1: 0, 2: 0}
        self.margins = {1: 0.0, 2: 0.0}
        """Seconds by which each player may overstep the clock."""
        self._running: int | None = None
        self._since = 0.0

    @property
    def running(self) -> int | None:
        """The player whose time runs; None while the clock is paused."""
        return self._running

    def start(self, player: int) -> None:
        """Start a player's time, or let it run on."""
        if self._running == player:
            return
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
        """Both clocks, or the time per move, for a search; None if the player has no clock."""
        if (left := self.left(player)) is None:
            return None
        control, opponent = self.controls[player], self.controls[3 - player]
        if control is not None and control.per_move:
            return SearchLimits(time_s=control.move_time_s)
        return SearchLimits(
            clock_s=left,
            increment_s=0.0 if control is None else control.increment_s,
            opponent_clock_s=self.left(3 - player),
            opponent_increment_s=0.0 if opponent is None else opponent.increment_s,
            moves_to_go=None if control is None else control.moves_to_go(self._played[player]),
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
        """Stop after a move, add its time, and return the seconds that the move took."""
        player, spent = self._running, self.spent()
        self.pause()
        if player is not None:
            if self.margins[player] and (left := self._left[player]) is not None:
                self._left[player] = max(left, 0.0)
            self._add(player)
        return spent

    def count_move(self, player: int) -> None:
        """Count a move that was made before the clock started; it adds no time."""
        self._played[player] += 1

    def charge_move(self, player: int, spent_s: float) -> None:
        """Count a move of a record: deduct its time, and add what the control adds."""
        if (left := self._left[player]) is not None:
            self._left[player] = max(0.0, left - spent_s)
        self._add(player)

    def _add(self, player: int) -> None:
        """Count a move, and add what the control adds after it."""
        self._played[player] += 1
        left, control = self._left[player], self.controls[player]
        if left is not None and control is not None:
            self._left[player] = control.after_move(left, self._played[player])

    def snapshot(self) -> dict[int, float | None]:
        """The time left to both players, for `restore`."""
        return {player: self.left(player) for player in (1, 2)}

    def restore(
        self, left: Mapping[int, float | None], played: Mapping[int, int] | None = None
    ) -> None:
        """Stop the clock; set the time left to both players, and the moves they have played."""
        self._running = None
        self._left = dict(left)
        if played is not None:
            self._played = dict(played)


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


def control_tags(controls: Controls) -> dict[str, str]:
    """The tags of a record for the time controls.

    >>> control_tags({1: TimeControl(60), 2: TimeControl(60)})
    {'TimeControl': '60'}
    >>> control_tags({1: TimeControl(60), 2: None})
    {'TimeControl1': '60'}
    """
    if controls[1] == controls[2]:
        return {} if controls[1] is None else {"TimeControl": str(controls[1])}
    return {f"TimeControl{player}": str(own) for player, own in controls.items() if own is not None}


def parse_control_tags(tags: Mapping[str, str]) -> dict[int, TimeControl | None]:
    """Parse what `control_tags` writes."""
    found: dict[int, TimeControl | None] = {}
    for player in (1, 2):
        name = f"TimeControl{player}"
        if name not in tags:
            name = "TimeControl"
        try:
            found[player] = TimeControl.parse(tags[name]) if name in tags else None
        except ConfigError as error:
            raise NotationError(f"bad tag {name}: {error}") from None
    return found


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
