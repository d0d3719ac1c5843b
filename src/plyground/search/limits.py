"""When a search stops."""

from __future__ import annotations

import math
from dataclasses import dataclass

from plyground.errors import ConfigError

HIGHEST = {"nodes": 2**63 - 1, "depth": 2**31 - 1, "simulations": 2**31 - 1}
"""What the core can count to."""
LIMIT_NAMES = {"time": "time_s", "nodes": "nodes", "depth": "depth", "sims": "simulations"}
"""Limits as agents' strings and settings name them, and as SearchLimits does."""


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """Limits for any searcher; the first one met ends the search, and None means no limit.

    >>> SearchLimits(time_s=0.5, depth=8).time_s
    0.5
    """

    time_s: float | None = None
    """Seconds for this move."""
    nodes: int | None = None
    """Positions to look at."""
    depth: int | None = None
    """Plies to look ahead, nominally."""
    simulations: int | None = None
    """Tree search simulations."""
    clock_s: float | None = None
    """Seconds left on the player's clock: the searcher itself decides how many to use."""
    increment_s: float = 0.0
    """Seconds that each move adds to the clock."""

    def __post_init__(self) -> None:
        for name in ("time_s", "nodes", "depth", "simulations", "clock_s", "increment_s"):
            value = getattr(self, name)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
                raise ConfigError(f"expected {name} to be a number, got {value!r}")
            if name in ("nodes", "depth", "simulations") and not isinstance(value, int):
                raise ConfigError(f"expected {name} to be a whole number, got {value!r}")
            lowest = 0 if name.endswith("_s") else 1
            if value < lowest:
                raise ConfigError(f"expected {name} to be at least {lowest}, got {value!r}")
            if value > (highest := HIGHEST.get(name, math.inf)):
                raise ConfigError(f"expected {name} to be at most {highest}, got {value!r}")
