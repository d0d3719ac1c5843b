"""Proofs of Quoridor by the alpha-beta engine, which sees races to their end.

A position counts as lost only if the search refuted every legal move (docs/search.md).
"""

from __future__ import annotations

from plyground.analysis.proof import Proof
from plyground.games.quoridor import State
from plyground.search import Engine, SearchLimits

NODES = (1_000, 20_000, 400_000)
"""Nodes of the searches that look for a proof: a short one first, then longer ones."""
MOST_NODES = 2_000_000
"""Nodes of all searches of a prover together, so that no position keeps a server busy."""
HASH_MB = 4


class QuoridorProver:
    """Looks for forced wins of either side, with at most this many nodes in one search."""

    def __init__(self, most_nodes: int = NODES[-1]) -> None:
        self._engine = Engine(HASH_MB)
        self._nodes = sorted({min(nodes, most_nodes) for nodes in NODES})
        self._left = MOST_NODES

    def prove(self, state: State) -> Proof | None:
        """Who wins by force; None if no search finds out, or if all nodes are used up."""
        for nodes in self._nodes:
            if self._left <= 0:
                return None
            found = self._engine.search(state, SearchLimits(nodes=nodes))
            self._left -= found.nodes_searched
            if found.win_in is not None:
                mover = state.current_player
                return Proof(mover if found.win_in > 0 else 3 - mover, found.best_move)
        return None

    def clear(self) -> None:
        """Clear the engine's table, and allow all nodes again."""
        self._engine.clear()
        self._left = MOST_NODES
