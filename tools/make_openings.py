"""Generate the opening book of the package: positions that the network scores close to even.

    python tools/make_openings.py --count 400 > src/plyground/data/quoridor-openings.txt

Filters random openings of 4 to 8 plies, first by a single simulation and then by a search. The
length of an opening is random, so either player may be the one to move.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable
from functools import reduce

from plyground.agents.zero import ZeroAgent
from plyground.arena.quoridor_openings import random_opening
from plyground.games.lines import format_line
from plyground.games.quoridor import State
from plyground.search import SearchLimits

GLANCE = (1, 0.4)
LOOK = (400, 0.12)
"""Simulations, and the largest absolute value that passes."""


def network_judge(agent: ZeroAgent) -> Callable[[State], bool]:
    """A test whether the network scores a position as even, by both the glance and the look."""

    def is_even(state: State) -> bool:
        agent.new_game()
        for simulations, margin in (GLANCE, LOOK):
            score = agent.search(state, SearchLimits(simulations=simulations)).score
            if score is None or abs(score.value) > margin:
                return False
        return True

    return is_even


def main() -> None:
    """Find the openings and print them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=2026)
    args = parser.parse_args()
    rng, start = random.Random(args.seed), State()
    is_even = network_judge(ZeroAgent())
    print(f"# Openings of 4 to 8 plies that the network scores within {LOOK[1]} of a draw")
    print(f"# after {LOOK[0]} simulations. Made by: tools/make_openings.py --count {args.count}")
    seen: set[str] = set()
    found = 0
    while found < args.count:
        line = random_opening(start, rng.randint(4, 8), rng)
        state = reduce(State.play, line, start)
        if state.text() not in seen and not state.game_over and is_even(state):
            found += 1
            print(format_line(start, line), flush=True)
            print(f"\r{found} of {args.count}", end="", file=sys.stderr)
        seen.add(state.text())
    print(file=sys.stderr)


if __name__ == "__main__":
    main()
