"""The measurements of `quoridor_search.py`, and figures derived from them."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

from plyground.json_types import JsonObject


@dataclass(frozen=True, slots=True)
class DepthTotals:
    """Totals of searches to one depth, over all positions."""

    depth: int
    nodes: int
    seconds: float | None
    """None if the nodes were counted without a search."""
    cutoffs: int
    first_move_cutoffs: int
    branching: float
    """The b for which the tree of an average position has b ** depth nodes."""

    @property
    def nodes_per_second(self) -> float | None:
        """Speed; None if the nodes were counted without a search."""
        return self.nodes / self.seconds if self.seconds else None

    @property
    def first_move_cutoff_rate(self) -> float | None:
        """Share of cutoffs by the first move tried; None without cutoffs."""
        return self.first_move_cutoffs / self.cutoffs if self.cutoffs else None


@dataclass(frozen=True, slots=True)
class EngineDepth:
    """What the engine needed to finish a depth, including all earlier depths."""

    depth: int
    start_nodes: int | None
    """From the start of the game; None if the depth was not finished."""
    start_seconds: float | None
    nodes: int | None
    """Total of all positions; None if one was neither finished at this depth nor proven before."""
    seconds: float | None
    branching: float | None
    """Factor of nodes over the previous depth, for positions that are not proven before."""
    proven: int
    """Positions proven at this depth."""


@dataclass(frozen=True, slots=True)
class SwitchCost:
    """The cost of searching to the same depth with one switch changed, as ratios."""

    name: str
    on: bool
    """The switch's value, the opposite of its default."""
    nodes_ratio: float
    time_ratio: float | None
    """None if the searches were too short to time."""
    cut_short: int
    """Positions in which the depth was not finished, so the true ratios are larger."""


@dataclass(frozen=True, slots=True)
class ThreadSpeed:
    """Speed with several threads, in wall-clock time."""

    threads: int
    nodes_per_second: float
    nodes_ratio: float
    """Nodes per second, as a multiple of one thread's."""
    depth_speedup: float
    """Speedup of the time to the same depth over one thread (geometric mean)."""
    cores_used: float
    """CPU seconds per second; below the number of threads if other programs use the cores."""


@dataclass
class BoardReport:
    """All measurements of one board size."""

    board_size: int
    positions: list[str]
    minimax: list[DepthTotals] = field(default_factory=list)
    alphabeta: dict[str, list[DepthTotals]] = field(default_factory=dict)
    """By wall order, all to the same depth."""
    engine: list[EngineDepth] = field(default_factory=list)
    engine_nodes_per_second: float | None = None
    """None if the searches were too short to time."""
    engine_first_move_rate: float | None = None
    switch_depth: int = 0
    switch_nodes: int = 0
    switch_seconds: float = 0.0
    switches: list[SwitchCost] = field(default_factory=list)
    threads: list[ThreadSpeed] = field(default_factory=list)
    """Empty if all positions are proven at once."""

    @property
    def pruned(self) -> dict[int, float]:
        """The share of minimax's nodes that alpha-beta prunes, by depth."""
        pairs = zip(self.minimax, self.alphabeta["nearest"], strict=False)
        return {full.depth: 1 - cut.nodes / full.nodes for full, cut in pairs}

    @property
    def nodes_per_second(self) -> dict[str, float | None]:
        """Speed by search, at the deepest depth searched."""
        searched = [totals for totals in self.minimax if totals.seconds is not None]
        rates = {"minimax": searched[-1].nodes_per_second}
        for order, depths in self.alphabeta.items():
            rates[f"alphabeta_{order}"] = depths[-1].nodes_per_second
        return rates | {"engine": self.engine_nodes_per_second}

    @property
    def first_move_cutoff_rate(self) -> dict[str, float | None]:
        """Share of cutoffs by the first move tried, by search."""
        rates = {
            f"alphabeta_{order}": depths[-1].first_move_cutoff_rate
            for order, depths in self.alphabeta.items()
        }
        return rates | {"engine": self.engine_first_move_rate}

    def as_dict(self) -> JsonObject:
        """The report as JSON."""
        derived = {
            "pruned": self.pruned,
            "nodes_per_second": self.nodes_per_second,
            "first_move_cutoff_rate": self.first_move_cutoff_rate,
        }
        return asdict(self) | derived
