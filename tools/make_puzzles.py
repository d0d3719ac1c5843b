"""Generate the puzzles of the package: positions with a single winning move.

    python tools/make_puzzles.py > src/plyground/data/puzzles.jsonl

The positions come from games between engines that sometimes play a random move. Puzzles are sorted
from easy to hard. analysis/puzzle.py defines a puzzle and proves it.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count

from plyground import quoridor, reversi
from plyground.analysis.puzzle import Puzzle
from plyground.games.base import State
from plyground.search import Engine, SearchLimits

EMPTIES = range(8, 15)
"""Reversi: range of empty squares that makes a puzzle readable but not trivial."""


@dataclass(frozen=True)
class PuzzleSource:
    """Where puzzles come from."""

    name: str
    start: State
    wanted: tuple[int, int, int]
    """Number of puzzles of each level."""
    is_candidate: Callable[[State], bool]
    """Whether a position may make a puzzle; proving that takes much longer."""


def is_quoridor_candidate(state: State) -> bool:
    """Whether walls matter, but are few."""
    assert isinstance(state, quoridor.State)
    # Without a wall the mover can only race, and with many walls left the engine proves nothing.
    left = state.walls_remaining
    return left[state.current_player] > 0 and sum(left.values()) <= state.board_size


def is_reversi_candidate(state: State) -> bool:
    """Whether the game is near its end, with some moves to choose from."""
    assert isinstance(state, reversi.State)
    return 64 - sum(state.counts.values()) in EMPTIES and len(state.legal_actions()) >= 4


def quoridor_source(size: int, *wanted: int) -> PuzzleSource:
    """Puzzles of Quoridor on a board of that size."""
    start = quoridor.State(quoridor.GameConfig.for_size(size))
    easy, medium, hard = wanted
    return PuzzleSource(f"quoridor {size}", start, (easy, medium, hard), is_quoridor_candidate)


SOURCES = (
    quoridor_source(5, 2, 4, 2),
    quoridor_source(7, 3, 5, 2),
    quoridor_source(9, 3, 5, 1),
    PuzzleSource("reversi 8", reversi.State(), (6, 10, 10), is_reversi_candidate),
)


def positions(
    source: PuzzleSource, rng: random.Random, engine: Engine
) -> Iterator[tuple[int, State]]:
    """Yield the game number and positions of games in which both sides sometimes move at random."""
    for number in count():
        state = source.start
        while state.outcome is None:
            if source.is_candidate(state):
                yield number, state
            found = engine.search(state, SearchLimits(nodes=3_000))
            errs = rng.random() < 0.25
            state = state.play(rng.choice(state.legal_actions()) if errs else found.best_move)


def puzzles(source: PuzzleSource, rng: random.Random) -> Iterator[Puzzle]:
    """Yield the wanted puzzles of each level, at most one from each game."""
    engine = Engine(hash_mb=64)
    left = dict(enumerate(source.wanted, 1))
    used = None
    for number, state in positions(source, rng, engine):
        if number == used:
            continue
        puzzle = state.game.find_puzzle(state)
        if puzzle is None or not left[puzzle.level] or len(puzzle.line) < 3:
            continue
        used = number
        left[puzzle.level] -= 1
        print(f"{source.name}: left to find {left}", file=sys.stderr)
        yield puzzle
        if not any(left.values()):
            return


def main() -> None:
    """Find the puzzles and print them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=2026)
    seed = parser.parse_args().seed
    found = [
        puzzle
        for source in SOURCES
        for puzzle in puzzles(source, random.Random(f"{seed} {source.name}"))
    ]
    for puzzle in sorted(found, key=lambda puzzle: puzzle.level):
        print(puzzle.text())


if __name__ == "__main__":
    main()
