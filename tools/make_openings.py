"""Generate the opening books of the package: positions close to even, for one board at a time.

    python tools/make_openings.py --board 9 > openings.txt
    mv openings.txt src/plyground/data/quoridor-openings-9x9.txt

On 6x6 to 9x9 the network judges: random openings of 4 to 8 plies pass if it scores them close to
even, first by a single simulation and then by a search, or by a longer one too with --sims. For a
match between strong players, the searches should be as long as theirs: openings that look even in a
short search are often decided in a long one. The length of an opening is random, so
either player may be the one to move. On 3x3 to 5x5 the solver judges, and every opening is decided;
the ones that last longest are chosen, half of them won by each player if there are enough.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator
from functools import reduce
from itertools import islice

from plyground.agents.zero import ZeroAgent
from plyground.arena.quoridor_openings import random_opening
from plyground.cli.options import whole_number
from plyground.games.lines import format_line
from plyground.games.quoridor import State
from plyground.games.quoridor_config import GameConfig
from plyground.search import SearchLimits
from plyground.search.quoridor_solver import solve

GLANCE = (1, 0.4)
LOOK = (400, 0.12)
"""Simulations by default, and the largest absolute value that passes."""
LARGEST_SOLVED = 5
SOLVED_PLIES = (2, 6)
NETWORK_PLIES = (4, 8)
SOLVED_TRIES = 20_000
"""Random openings on a solved board, of which the longest fights are chosen."""


def different_openings(
    start: State, plies: tuple[int, int], rng: random.Random, tries: int = sys.maxsize
) -> Iterator[tuple[list[int], State]]:
    """Random openings that lead to different unfinished positions."""
    seen: set[str] = set()
    for _ in range(tries):
        line = random_opening(start, rng.randint(*plies), rng)
        state = reduce(State.play, line, start)
        if state.text() not in seen and not state.game_over:
            yield line, state
        seen.add(state.text())


def network_judge(agent: ZeroAgent, sims: int) -> Callable[[State], bool]:
    """A test whether the network scores a position as even, at a glance and in longer searches."""
    looks = dict.fromkeys((GLANCE, LOOK, (sims, LOOK[1])))  # different ones, in this order

    def is_even(state: State) -> bool:
        agent.new_game()
        for simulations, margin in looks:
            score = agent.search(state, SearchLimits(simulations=simulations)).score
            if score is None or abs(score.value) > margin:
                return False
        return True

    return is_even


def even_lines(
    start: State, rng: random.Random, agent: ZeroAgent, sims: int
) -> Iterator[list[int]]:
    """Openings that the network scores as even, as they are found."""
    is_even = network_judge(agent, sims)
    found = different_openings(start, NETWORK_PLIES, rng)
    return (line for line, state in found if is_even(state))


def longest_fights(start: State, rng: random.Random, count: int, tries: int) -> list[list[int]]:
    """Openings of a solved board after which perfect play lasts longest, half won by each side."""
    solution = solve(start.config)
    fights: dict[int | None, list[tuple[int, list[int]]]] = {1: [], 2: [], None: []}
    for line, state in different_openings(start, SOLVED_PLIES, rng, tries):
        value, player = solution.value(state), state.current_player
        winner = None if value == 0 else player if value > 0 else state.get_opponent(player)
        fights[winner].append((abs(value), line))
    for side in fights.values():
        side.sort(key=lambda fight: -fight[0])
    drawn = fights[None][:count]
    share = (count - len(drawn) + 1) // 2
    chosen = drawn + fights[1][:share] + fights[2][:share]
    rest = fights[1][share:] + fights[2][share:]
    chosen += sorted(rest, key=lambda fight: -fight[0])[: max(0, count - len(chosen))]
    return [line for _, line in chosen[:count]]


def main() -> None:
    """Find the openings and print them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--board", type=int, default=9, choices=range(3, 10))
    parser.add_argument("--count", type=int, default=64)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--network", help="file of a network, in place of the one in the package")
    parser.add_argument(
        "--sims",
        type=whole_number(1, 10**7),
        default=LOOK[0],
        help=f"simulations of the last search (default: {LOOK[0]})",
    )
    args = parser.parse_args()
    rng, start = random.Random(args.seed), State(GameConfig.for_size(args.board))
    by = f"Made by: tools/make_openings.py --board {args.board} --count {args.count}"
    if args.board <= LARGEST_SOLVED:
        plies = f"{SOLVED_PLIES[0]} to {SOLVED_PLIES[1]} plies"
        print(f"# Openings of {plies}, all decided: those that last longest in perfect play.")
        lines: Iterator[list[int]] = iter(longest_fights(start, rng, args.count, SOLVED_TRIES))
    else:
        print(f"# Openings of 4 to 8 plies that the network of its day scored within {LOOK[1]} of")
        print(f"# a draw after {args.sims} simulations.")
        by += f" --sims {args.sims}"
        lines = even_lines(start, rng, ZeroAgent(network=args.network, precise=True), args.sims)
    print(f"# {by}", flush=True)
    for found, line in enumerate(islice(lines, args.count), 1):
        print(format_line(start, line), flush=True)
        print(f"\r{found} of {args.count}", end="", file=sys.stderr)
    print(file=sys.stderr)


if __name__ == "__main__":
    main()
