"""`plyground tune grid`: every combination of some options of an agent, in one tournament.

By default it is a gauntlet: all configurations play the same reference, the agent with its own
options. Its cost is linear in the number of configurations, and each gets an interval of its own
from pairs of games. A round robin (`format: round-robin`) compares them with each other.

The best of many configurations was partly lucky, so a match from other openings checks it:
`check_match` in `candidates.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from plyground.arena.config import ArenaConfig
from plyground.arena.crosstable import Crosstable
from plyground.arena.estimate import elo_estimate
from plyground.arena.rating import Rating, Tally, fit_ratings
from plyground.config import Settings
from plyground.errors import ConfigError
from plyground.tune.candidates import with_options
from plyground.tune.settings import arena_names, build, check_agent, check_mapping, load_settings

_OWN = ("agent", "grid", "reference")
MOST = 10_000
"""The most configurations of a grid."""
ELO_LIMIT = 800.0
"""Elo that stands for a score of 0% or 100%, which would be infinite."""


@dataclass(frozen=True)
class GridConfig:
    """The settings of a grid; `arena` has those of its tournament."""

    grid: Mapping[str, Sequence[float]]
    """Options of the agent, each with the values to try."""
    agent: str = "minimax:depth=2"
    """The agent's string."""
    reference: str | None = None
    """The opponent of all configurations; None for the agent with its own options."""
    arena: Settings | None = None

    def __post_init__(self) -> None:
        check_agent("agent", self.agent)
        if self.reference is not None:
            check_agent("reference", self.reference)
        if not check_mapping("grid", self.grid):
            raise ConfigError("expected grid to name at least one option")
        for name, values in self.grid.items():
            if not isinstance(values, list | tuple) or not values:
                raise ConfigError(f"expected a list of values for {name} of grid, got {values!r}")
            for value in values:
                if type(value) not in (int, float):
                    raise ConfigError(f"expected numbers for {name} of grid, got {value!r}")
            if len(set(values)) < len(values):
                raise ConfigError(f"expected different values for {name} of grid, got {values!r}")
        if len(self.points()) > MOST:
            raise ConfigError(f"expected up to {MOST:,} configurations, got {len(self.points()):,}")
        if (played := self.tournament().format) not in ("round-robin", "gauntlet"):
            raise ConfigError(f"expected the format round-robin or gauntlet, got {played!r}")

    @classmethod
    def load(cls, path: str | Path, overrides: list[str]) -> GridConfig:
        """Read a YAML file, with overrides like `games=100`."""
        shared = arena_names(without=("agents", "sprt"))
        settings = load_settings(path, [*_OWN, *shared], overrides)
        arena = {name: settings.pop(name) for name in shared if name in settings}
        return build(cls, {**settings, "arena": arena}, path)

    def points(self) -> list[dict[str, float]]:
        """The configurations: every combination, with the last option changing fastest."""
        return [
            dict(zip(self.grid, values, strict=True)) for values in product(*self.grid.values())
        ]

    def tournament(self) -> ArenaConfig:
        """The tournament of all configurations, the reference first."""
        agents = [with_options(self.agent, point) for point in self.points()]
        settings: Settings = {"format": "gauntlet", "games": 100, **(self.arena or {})}
        return ArenaConfig.of({**settings, "agents": [self.reference or self.agent, *agents]})


@dataclass(frozen=True)
class GridRow:
    """The result of one configuration."""

    agent: str
    options: dict[str, float]
    elo: Rating
    """Elo above the reference."""
    score: float
    """The share of points."""
    games: int
    forfeits: int = 0
    """Games that it lost by forfeit."""
    has_forfeits: bool = False
    """Whether any of its games was lost by forfeit, by either side."""


def grid_rows(config: GridConfig, crosstable: Crosstable) -> list[GridRow]:
    """The configurations that have played, best first."""
    reference, *agents = crosstable.agents
    is_gauntlet = config.tournament().format == "gauntlet"
    # The reference may not have played yet.
    tallies = [*crosstable.tallies(), Tally(reference, reference, 0, 0, 0)]
    ratings = None if is_gauntlet else fit_ratings(tallies, reference)
    rows: list[GridRow] = []
    for agent, options in zip(agents, config.points(), strict=True):
        wins, draws, losses = crosstable.counts(agent)
        games = wins + draws + losses
        if games == 0:
            continue
        if ratings is None:
            # From pairs: two configurations that play alike share the points of most pairs.
            found = elo_estimate(crosstable.pair_scores(agent, reference))
            elo = Rating(found.elo, *found.elo_interval)
        else:
            elo = ratings.players[agent]
        forfeits = crosstable.forfeits(agent).total(), crosstable.has_forfeits(agent)
        rows.append(GridRow(agent, options, elo, (wins + draws / 2) / games, games, *forfeits))
    return sorted(rows, key=lambda row: -row.elo.elo)


def mean_elo(rows: Sequence[GridRow], where: Mapping[str, float]) -> float:
    """The mean Elo of all configurations with these values of some options."""
    found = [
        max(-ELO_LIMIT, min(ELO_LIMIT, row.elo.elo))
        for row in rows
        if all(row.options[name] == value for name, value in where.items())
    ]
    return sum(found) / len(found) if found else float("nan")
