"""Nodes and times of minimax and alpha-beta by depth, for any game.

The positions come from random games with a fixed seed, so two runs count the same nodes on any
machine. Times are CPU time.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from time import process_time

from plyground.games.base import AnyGame, State
from plyground.json_types import JsonObject
from plyground.search.result import SearchResult
from plyground.search.textbook import alphabeta, minimax

POSITIONS = 20
QUICK_POSITIONS = 5
PLIES = (4, 49)
"""Fewest and most random moves before a position."""
SEED = 1
MOST_NODES = 60_000_000
QUICK_NODES = 300_000
"""Most nodes of one search of all positions; deeper searches are left out."""
MOST_DEPTH = 12

TextbookFunction = Callable[[State, int], SearchResult]


@dataclass(frozen=True, slots=True)
class DepthNodes:
    """One depth; totals over all positions. Minimax is None where its tree is too large."""

    depth: int
    minimax_nodes: int | None
    minimax_ms: float | None
    alphabeta_nodes: int
    alphabeta_ms: float
    branching: float | None
    """Nodes of alpha-beta, divided by those of the depth before (effective branching factor)."""
    minimax_branching: float | None

    @property
    def pruned(self) -> float | None:
        """The share of minimax's nodes that alpha-beta does not visit."""
        if self.minimax_nodes is None:
            return None
        return 1 - self.alphabeta_nodes / self.minimax_nodes

    def as_dict(self) -> JsonObject:
        """The row for JSON."""
        return {**asdict(self), "pruned": self.pruned}


def positions(game: AnyGame, count: int) -> list[State]:
    """Unfinished positions of random games."""
    rng = random.Random(SEED)
    found: list[State] = []
    for _ in range(1000 * count):
        state: State = game.start()
        for action in game.random_opening(state, rng.randint(*PLIES), rng):
            state = state.play(action)
        if state.outcome is None:
            found.append(state)
        if len(found) == count:
            break
    return found or [game.start()]


def measure_depths(
    game: AnyGame, quick: bool = False, progress: Callable[[str], object] = lambda _: None
) -> list[DepthNodes]:
    """Search all positions to depth 1, 2, ... until a search would visit too many nodes."""
    states = positions(game, QUICK_POSITIONS if quick else POSITIONS)
    most = QUICK_NODES if quick else MOST_NODES
    rows: list[DepthNodes] = []
    pruned, full = _Growth(most), _Growth(most)
    while len(rows) < MOST_DEPTH and pruned.is_affordable:
        depth = len(rows) + 1
        progress(f"{game.title}: depth {depth}")
        full_ms = _search_all(minimax, states, depth, full) if full.is_affordable else None
        pruned_ms = _search_all(alphabeta, states, depth, pruned)
        rows.append(
            DepthNodes(
                depth,
                None if full_ms is None else full.nodes[-1],
                full_ms,
                pruned.nodes[-1],
                pruned_ms,
                pruned.branching,
                None if full_ms is None else full.branching,
            )
        )
    return rows


class _Growth:
    """The nodes of a search by depth, and whether the next depth is worth its time."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.nodes: list[int] = []

    @property
    def branching(self) -> float | None:
        return self.nodes[-1] / self.nodes[-2] if len(self.nodes) > 1 else None

    @property
    def is_affordable(self) -> bool:
        return not self.nodes or self.nodes[-1] * (self.branching or 10) <= self.most


def _search_all(
    search: TextbookFunction, states: Sequence[State], depth: int, growth: _Growth
) -> float:
    """Search every position, and return the milliseconds."""
    started = process_time()
    growth.nodes.append(sum(search(state, depth).nodes_searched for state in states))
    return (process_time() - started) * 1000


def format_depths(rows: Sequence[DepthNodes], game: AnyGame, count: int) -> str:
    """The table."""
    lines = [
        f"{game.title}, {count} positions, totals; branching: nodes over those of one depth less",
        f"{'depth':>5}{'minimax':>16}{'ms':>11}{'branching':>11}"
        f"{'alpha-beta':>16}{'ms':>11}{'branching':>11}{'pruned':>9}",
    ]
    for row in rows:
        cells = [f"{row.depth:>5}"]
        cells += _cells(row.minimax_nodes, row.minimax_ms, row.minimax_branching)
        cells += _cells(row.alphabeta_nodes, row.alphabeta_ms, row.branching)
        cells.append(f"{'-' if row.pruned is None else f'{row.pruned:.1%}':>9}")
        lines.append("".join(cells))
    return "\n".join(lines)


def _cells(nodes: int | None, time_ms: float | None, branching: float | None) -> list[str]:
    return [
        f"{'-' if nodes is None else f'{nodes:,}':>16}",
        f"{'-' if time_ms is None else f'{time_ms:,.2f}':>11}",
        f"{'-' if branching is None else f'{branching:.1f}':>11}",
    ]
