"""Measure how far the values of networks are from those of deep searches, in undecided positions.

    python benchmarks/value_errors.py
    python benchmarks/value_errors.py my.npz other.npz --positions 500 --sims 1 128

The positions come from games on 9x9 of the judge with itself, with 200 simulations a move and some
weaker moves, from openings of the book, up to where the game is decided. The judge, by default the
package's network, then searches each of them deeply. A row has the errors of a network's searches
with one number of simulations; one simulation is the network alone. A match tells more about
strength, but needs hours for what this shows in minutes.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from plyground.agents import ZeroAgent
from plyground.arena.quoridor_openings import book
from plyground.cli.options import whole_number
from plyground.errors import ConfigError
from plyground.quoridor import State
from plyground.search import SearchLimits

QUICK = SearchLimits(simulations=200)
DECIDED = 0.97
"""The value from which on the rest of a game is not used."""
WEAKER = 0.15
"""Share of the moves that are one of the three visited most, at random."""
STEP = 3
"""Plies from one position to the next: neighbours have nearly the same value."""


def positions(judge: ZeroAgent, count: int, rng: random.Random) -> list[State]:
    """Different positions of undecided games."""
    openings = list(book(State()))
    found: dict[str, State] = {}
    while len(found) < count:
        for ply, state in enumerate(undecided(judge, rng.choice(openings), rng)):
            if ply % STEP == 0:
                found[state.text()] = state
    return [*found.values()][:count]


def undecided(judge: ZeroAgent, state: State, rng: random.Random) -> Iterator[State]:
    """The positions of one game until the judge calls it decided."""
    judge.new_game()
    while not state.game_over:
        if abs(value(judge, state, QUICK)) > DECIDED:
            return
        yield state
        moves = sorted(judge.tree_search.moves(), key=lambda move: -move["visits"])
        chosen = rng.choice(moves[:3]) if rng.random() < WEAKER else moves[0]
        state = state.play(chosen["action"])


def value(agent: ZeroAgent, state: State, limits: SearchLimits) -> float:
    """The value of a search for the player to move; 1 or -1 if it has a proof."""
    score = agent.search(state, limits).score
    assert score is not None
    return score.value if score.win_in is None else float(np.sign(score.win_in))


def values(agent: ZeroAgent, states: list[State], simulations: int) -> NDArray[np.float64]:
    """The values of fresh searches."""
    found = []
    for state in states:
        agent.new_game()
        found.append(value(agent, state, SearchLimits(simulations=simulations)))
    return np.array(found)


def main() -> None:
    """Search, and print a row for each network and number of simulations."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("networks", nargs="*", help="files (default: the package's)")
    parser.add_argument("--sims", type=whole_number(1, 10**7), nargs="+", default=[1, 32, 128, 512])
    parser.add_argument("--positions", type=whole_number(2, 10**6), default=300)
    parser.add_argument("--judge", help="file of the network that judges")
    parser.add_argument("--judge-sims", type=whole_number(1, 10**7), default=8000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    agents = [(path or "the package", ZeroAgent(network=path)) for path in args.networks or [None]]
    judge = ZeroAgent(network=args.judge)
    for agent in (judge, *(agent for _, agent in agents)):
        agent.warm_up(State())  # a file that cannot be read is told before the long searches
    states = positions(judge, args.positions, random.Random(args.seed))
    truth = values(judge, states, args.judge_sims)
    print(f"{len(states)} positions, judged by {args.judge_sims} simulations")
    print("| network | simulations | mean square of errors | mean error | correlation |")
    print("| --- | --- | --- | --- | --- |")
    for name, agent in agents:
        for sims in args.sims:
            found = values(agent, states, sims)
            errors = found - truth
            parts = (np.mean(errors**2), np.mean(np.abs(errors)), np.corrcoef(found, truth)[0, 1])
            shown = " | ".join(f"{part:.3f}" for part in parts)
            print(f"| {name} | {sims} | {shown} |", flush=True)


if __name__ == "__main__":
    try:
        main()
    except ConfigError as error:
        sys.exit(str(error))
