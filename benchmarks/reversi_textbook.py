"""Count nodes and measure speed of the textbook searches on Reversi.

    python benchmarks/reversi_textbook.py

Positions come from random games with a fixed seed. Times are CPU time.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from time import process_time

from plyground.reversi import State
from plyground.search import SearchResult, alphabeta, minimax

POSITIONS = 20


def positions() -> list[State]:
    """Positions 4 to 49 plies into random games."""
    rng = random.Random(1)
    found: list[State] = []
    while len(found) < POSITIONS:
        state = State()
        for _ in range(rng.randrange(4, 50)):
            if not state.game_over:
                state = state.play(rng.choice(state.legal_actions()))
        if not state.game_over:
            found.append(state)
    return found


def measure(search: Callable[[State, int], SearchResult], depth: int) -> int:
    """Search every position, print the speed, return the nodes."""
    states = positions()
    started = process_time()
    nodes = sum(search(state, depth).nodes_searched for state in states)
    seconds = process_time() - started
    rate = nodes / seconds / 1e6
    print(f"{search.__name__:<10} depth {depth}: {nodes:>11,} nodes, {rate:.1f} M nodes/s")
    return nodes


def main() -> None:
    """Run minimax and alpha-beta to the same depth, then alpha-beta deeper."""
    full, pruned = measure(minimax, 5), measure(alphabeta, 5)
    print(f"pruned at depth 5: {1 - pruned / full:.1%}")
    measure(alphabeta, 8)


if __name__ == "__main__":
    main()
