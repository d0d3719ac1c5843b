"""Limits of a search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from plyground.checks import check_range

HIGHEST = {"nodes": 2**63 - 1, "depth": 2**31 - 1, "simulations": 2**31 - 1}
"""The largest numbers of the core."""
MOST_SECONDS = 1e9
"""The longest time of any limit, 31 years: what the core can count in nanoseconds."""
LONGEST_WAIT_S = 1e6
"""The longest time to wait at once: the system counts milliseconds in 32 bits."""
LIMIT_NAMES = {"time": "time_s", "nodes": "nodes", "depth": "depth", "sims": "simulations"}
"""Names of limits in agents' strings and settings, and their fields of SearchLimits."""
_MOVES_PLANNED = 20
"""Moves among which the time left on a clock is shared."""
_OVERHEAD_S = 0.01
"""Seconds of the clock that are reserved for everything but the search."""


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """Limits for any searcher: the first that is reached ends the search; None is no limit.

    >>> SearchLimits(time_s=0.5, depth=8).time_s
    0.5
    """

    time_s: float | None = None
    """Seconds for this move."""
    nodes: int | None = None
    """Positions to search."""
    depth: int | None = None
    """Plies to search, nominally."""
    simulations: int | None = None
    """Simulations of a tree search."""
    clock_s: float | None = None
    """Seconds left on the player's clock; the searcher decides how many to use."""
    increment_s: float = 0.0
    """Seconds that each move adds to the clock."""
    opponent_clock_s: float | None = None
    """Seconds left on the opponent's clock; None if it has none."""
    opponent_increment_s: float = 0.0
    """Seconds that each move of the opponent adds to its clock."""
    moves_to_go: int | None = None
    """Moves until the clock gets time for the next session; None for the whole game."""

    def __post_init__(self) -> None:
        if self.moves_to_go is not None:
            check_range("moves_to_go", self.moves_to_go, 1)
        seconds_fields = "time_s", "clock_s", "increment_s"
        for name in (*HIGHEST, *seconds_fields, "opponent_clock_s", "opponent_increment_s"):
            if (value := getattr(self, name)) is not None:
                _check(name, name, value)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> SearchLimits:
        """Limits by their names in `LIMIT_NAMES`, which messages use too; None means no limit.

        >>> SearchLimits.of({"time": 0.5, "sims": None}).time_s
        0.5
        """
        for name, value in values.items():
            if value is not None:
                _check(LIMIT_NAMES[name], name, value)
        return cls(**{LIMIT_NAMES[name]: value for name, value in values.items()})

    @property
    def limits_move(self) -> bool:
        """Whether anything except a clock limits the search of a move."""
        return any(
            limit is not None for limit in (self.time_s, self.nodes, self.depth, self.simulations)
        )

    def with_clock_of(self, other: SearchLimits) -> SearchLimits:
        """These limits with the clocks of other limits.

        >>> SearchLimits(depth=4).with_clock_of(SearchLimits(clock_s=60.0)).clock_s
        60.0
        """
        return replace(
            self,
            clock_s=other.clock_s,
            increment_s=other.increment_s,
            opponent_clock_s=other.opponent_clock_s,
            opponent_increment_s=other.opponent_increment_s,
            moves_to_go=other.moves_to_go,
        )

    def capped(self, time_s: float | None) -> SearchLimits:
        """These limits with at most `time_s` seconds for the move; None changes nothing."""
        if time_s is None or (self.time_s is not None and self.time_s <= time_s):
            return self
        return replace(self, time_s=time_s)

    def time_budget(self, clock_parts: float | None = None) -> tuple[float | None, float | None]:
        """Seconds after which a search must end, and after which it starts no new depth.

        With a clock, a move takes about a twentieth of the time left and most of the increment, up
        to three times as much to finish a depth, and at most half of the time left. With fewer
        than twenty moves to go, it takes an even share of the time left.

        With `clock_parts` (`Game.clock_parts`), a move uses up its part of the time left.
        """
        if self.clock_s is None:
            return self.time_s, None
        if clock_parts is not None:
            part, _ = self.clock_shares(clock_parts)
            return part if self.time_s is None else min(part, self.time_s), None
        aim, most = self.clock_shares(_MOVES_PLANNED)
        hard = min(3 * aim, most)
        if self.time_s is not None:
            hard = min(hard, self.time_s)
        return hard, aim / 2

    def clock_shares(self, moves_planned: float) -> tuple[float, float]:
        """Seconds of the clock for a usual move, and the most for any move.

        A usual move takes its share of the time left and most of the increment. The time left is
        shared among `moves_planned` moves, or fewer if the next session is nearer.
        """
        left = max((self.clock_s or 0.0) - _OVERHEAD_S, 0.001)
        moves = moves_planned if self.moves_to_go is None else self.moves_to_go
        share = left / min(moves, moves_planned)
        return min(share + 0.8 * self.increment_s, left / 2), left / 2


def _check(field: str, name: str, value: object) -> None:
    """Raise a ConfigError unless a value suits a field; `name` is what the user calls it."""
    if field in HIGHEST:
        check_range(name, value, 1, HIGHEST[field])
    else:
        check_range(name, value, 0, MOST_SECONDS, float)


DEFAULT_LIMITS = SearchLimits(time_s=1.0)
"""The limits of a search that was given none."""
