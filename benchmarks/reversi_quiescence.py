"""Measure what a quiescence search is worth in Reversi, with the textbook alpha-beta.

    python benchmarks/reversi_quiescence.py --games 200

Both players search to the same depth with the same evaluation. One of them extends its leaves:
where a corner can be taken, it looks at these moves, too, and takes the better of their value and
the static one. Games start from random openings, each played twice with the colours swapped.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Callable

from plyground.reversi import PASS, State
from plyground.search import ReversiEvaluator, alphabeta
from plyground.search.reversi_patterns import shipped_patterns

CORNERS = (0, 7, 56, 63)
OPENING_PLIES = 8
MOST_EXTENDED = 4
"""Plies that a line is extended by at most."""


EVALUATIONS: dict[str, Callable[[State], float]] = {
    "classic": ReversiEvaluator().evaluate,
    "patterns": shipped_patterns().evaluate,
}


class Evaluation:
    """A static evaluation with or without extensions, which counts its calls."""

    def __init__(self, static: Callable[[State], float], extends: bool) -> None:
        self.extends = extends
        self.evaluated = 0
        self._static = static

    def __call__(self, state: State) -> float:
        """The value of a position for the player to move."""
        return self._value(state, MOST_EXTENDED if self.extends else 0)

    def _value(self, state: State, plies: int) -> float:
        self.evaluated += 1
        best = self._static(state)
        if plies == 0:
            return best
        for corner in CORNERS:
            if state.is_legal(corner):
                after = state.play(corner)
                if after.outcome is None:
                    best = max(best, -self._value(after, plies - 1))
        return best


def play(start: State, players: dict[int, Evaluation], depth: int) -> float:
    """The points of player 1."""
    state = start
    while state.outcome is None:
        evaluation = players[state.current_player]
        forced = state.legal_actions() == [PASS]
        state = state.play(
            PASS if forced else alphabeta(state, depth, evaluator=evaluation).best_move
        )
    return (1 + (state.score > 0) - (state.score < 0)) / 2


def opening(rng: random.Random) -> State:
    """A position after random moves."""
    state = State()
    for _ in range(OPENING_PLIES):
        state = state.play(rng.choice(state.legal_actions()))
    return state


def main() -> None:
    """Play a match and print the result with its interval."""
    parser = argparse.ArgumentParser(description="Measure a quiescence search in Reversi.")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--depth", type=int, default=2)
    parser.add_argument("--evaluation", choices=EVALUATIONS, default="classic")
    args = parser.parse_args()
    rng = random.Random(1)
    static = EVALUATIONS[args.evaluation]
    extended, plain = Evaluation(static, extends=True), Evaluation(static, extends=False)
    points: list[float] = []
    for _ in range(args.games // 2):
        start = opening(rng)
        points.append(play(start, {1: extended, 2: plain}, args.depth))
        points.append(1 - play(start, {1: plain, 2: extended}, args.depth))
    share = sum(points) / len(points)
    error = 1.96 * math.sqrt(share * (1 - share) / len(points))
    more = extended.evaluated / plain.evaluated - 1
    print(f"depth {args.depth}, {len(points)} games: {share:.1%} +- {error:.1%} with extensions")
    print(f"positions evaluated: {more:+.1%}")


if __name__ == "__main__":
    main()
