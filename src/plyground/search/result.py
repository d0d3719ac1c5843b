"""What a search found."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The outcome of a search, with the statistics a benchmark needs.

    The score is from the side to move, in the searcher's own units; `win_in` says if it is proven.
    """

    best_move: int
    """The action to play."""
    score: float
    """Of the position, for the side to move; not a number where the searcher does not tell."""
    depth: int
    """Plies searched, nominally."""
    pv: list[int]
    """The line both sides are expected to follow, `best_move` first."""
    nodes_searched: int
    """Positions looked at."""
    time_ms: float
    """Wall-clock milliseconds."""
    win_in: int | None = None
    """Plies to a proven win for the side to move; negative for a proven loss; None if unproven."""
    exact: bool = False
    """The score is the value of the position with best play to the end, no estimate."""
    cutoffs: int = 0
    """Positions in which a move was good enough to skip the rest."""
    first_move_cutoffs: int = 0
    """Of these, where that was the first move tried."""
    table_probes: int = 0
    table_hits: int = 0
    deepest: int = 0
    """The longest line looked at, in plies."""
    nodes_by_depth: list[int] = field(default_factory=list)
    """Positions looked at in total when each depth was finished."""

    def after(self, action: int) -> SearchResult:
        """This as the value of the action that led here, for whoever played it.

        >>> SearchResult(7, 1.5, 4, [7], 100, 2.0, win_in=-2).after(3).win_in
        3
        """
        win_in = None
        if self.win_in is not None:
            win_in = -self.win_in - 1 if self.win_in > 0 else -self.win_in + 1
        return replace(
            self,
            best_move=action,
            score=-self.score,
            depth=self.depth + 1,
            pv=[action, *self.pv],
            win_in=win_in,
        )

    @property
    def tells(self) -> bool:
        """Whether anything is said of what the position is worth."""
        return self.win_in is not None or not math.isnan(self.score)

    @property
    def nodes_per_second(self) -> float:
        """Positions looked at per second."""
        return self.nodes_searched / self.time_ms * 1000 if self.time_ms > 0 else 0.0

    @property
    def first_move_cutoff_rate(self) -> float:
        """How often the first move tried was the one that cut: the measure of move ordering."""
        return self.first_move_cutoffs / self.cutoffs if self.cutoffs else 0.0

    @property
    def effective_branching_factor(self) -> float:
        """The b for which a full tree of this depth would have as many nodes."""
        if self.depth < 1 or self.nodes_searched < 1:
            return 0.0
        return float(self.nodes_searched ** (1.0 / self.depth))
