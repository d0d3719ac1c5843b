"""What `search.py` measured: plain values, and the figures that follow from them."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class DepthTotals:
    """What a search to one depth took, all positions together."""

    depth: int
    nodes: int
    seconds: float | None
    """None if the nodes were only counted."""
    cutoffs: int
    first_move_cutoffs: int
    branching: float
    """The b for which the tree of an average position has b to the power of the depth nodes."""

    @property
    def nodes_per_second(self) -> float | None:
        """None if the nodes were only counted."""
        return self.nodes / self.seconds if self.seconds else None

    @property
    def first_move_cutoff_rate(self) -> float | None:
        """How often the first move tried was the one that cut; None if nothing was cut."""
        return self.first_move_cutoffs / self.cutoffs if self.cutoffs else None


@dataclass(frozen=True, slots=True)
class EngineDepth:
    """What the engine took to finish a depth, with all depths before."""

    depth: int
    start_nodes: int | None
    """From the start of the game; None if the depth was not finished."""
    start_seconds: float | None
    nodes: int | None
    """All positions together; None if the depth was not finished in each, or each proven before."""
    seconds: float | None
    branching: float | None
    """By how much the depth multiplied the nodes, in the positions that are not proven before."""
    proven: int
    """Positions whose result is proven at this depth."""


@dataclass(frozen=True, slots=True)
class SwitchCost:
    """What the engine took to the same depth with one of its parts switched, as ratios."""

    name: str
    on: bool
    """What the switch was set to: the opposite of what it normally is."""
    nodes_ratio: float
    time_ratio: float | None
    """None if the searches were too short to tell."""
    cut_short: int
    """Positions in which the depth was not finished: the ratios would be larger."""


@dataclass(frozen=True, slots=True)
class ThreadSpeed:
    """What several threads do, by the clock on the wall."""

    threads: int
    nodes_per_second: float
    nodes_ratio: float
    """Nodes a second, as a multiple of one thread's."""
    depth_speedup: float
    """How many times sooner than one thread it finishes the same depth (geometric mean)."""
    cores_used: float
    """Processor time a second; fewer than threads if other programs wanted the cores too."""


@dataclass
class BoardReport:
    """Everything measured on one board size."""

    board_size: int
    positions: list[str]
    minimax: list[DepthTotals] = field(default_factory=list)
    alphabeta: dict[str, list[DepthTotals]] = field(default_factory=dict)
    """By the order in which walls are tried; each to the same depth."""
    engine: list[EngineDepth] = field(default_factory=list)
    engine_nodes_per_second: float | None = None
    """None if the searches were too short to tell."""
    engine_first_move_rate: float | None = None
    switch_depth: int = 0
    switch_nodes: int = 0
    switch_seconds: float = 0.0
    switches: list[SwitchCost] = field(default_factory=list)
    threads: list[ThreadSpeed] = field(default_factory=list)
    """Empty if all positions are solved at once."""

    @property
    def pruned(self) -> dict[int, float]:
        """The share of minimax's nodes that alpha-beta does without, by depth."""
        pairs = zip(self.minimax, self.alphabeta["nearest"], strict=False)
        return {full.depth: 1 - cut.nodes / full.nodes for full, cut in pairs}

    @property
    def nodes_per_second(self) -> dict[str, float | None]:
        """By search, at the deepest depth that was searched."""
        searched = [totals for totals in self.minimax if totals.seconds is not None]
        rates = {"minimax": searched[-1].nodes_per_second}
        for order, depths in self.alphabeta.items():
            rates[f"alphabeta_{order}"] = depths[-1].nodes_per_second
        return rates | {"engine": self.engine_nodes_per_second}

    @property
    def first_move_cutoff_rate(self) -> dict[str, float | None]:
        """How often the first move tried was the one that cut, by search."""
        rates = {
            f"alphabeta_{order}": depths[-1].first_move_cutoff_rate
            for order, depths in self.alphabeta.items()
        }
        return rates | {"engine": self.engine_first_move_rate}

    def as_dict(self) -> dict[str, Any]:
        """The report as JSON would have it."""
        derived = {
            "pruned": self.pruned,
            "nodes_per_second": self.nodes_per_second,
            "first_move_cutoff_rate": self.first_move_cutoff_rate,
        }
        return asdict(self) | derived
