"""Generate the puzzles of the package: positions with a single winning move.

    python tools/make_puzzles.py > src/plyground/data/puzzles.jsonl

The positions come from games between engines that sometimes play a random move. Puzzles are sorted
from easy to hard. analysis/puzzle.py defines a puzzle and proves it.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from itertools import count
from typing import Any

from plyground.analysis.puzzle import Puzzle, only_win
from plyground.games import registry
from plyground.search import Engine, SearchLimits

WANTED = {
    # Game and board: number of puzzles of each level.
    ("quoridor", 5): (2, 4, 2),
    ("quoridor", 7): (3, 5, 2),
    ("quoridor", 9): (3, 5, 1),
    ("reversi", 8): (6, 10, 10),
}
EMPTIES = range(8, 15)
"""Reversi: range of empty squares that makes a puzzle readable but not trivial."""


def games(game: str, board: int, rng: random.Random, engine: Engine) -> Iterator[tuple[int, Any]]:
    """Yield the game number and positions of games in which both sides sometimes move at random."""
    rules = registry.get(game)
    for number in count():
        state = rules.start({"Board": str(board)} if game == "quoridor" else {})
        while state.outcome is None:
            if _is_worth_a_look(state):
                yield number, state
            found = engine.search(state, SearchLimits(nodes=3_000))
            errs = rng.random() < 0.25
            state = state.play(rng.choice(state.legal_actions()) if errs else found.best_move)


def _is_worth_a_look(state: Any) -> bool:
    if hasattr(state, "counts"):
        return 64 - sum(state.counts.values()) in EMPTIES and len(state.legal_actions()) >= 4
    # Without a wall the mover can only race, and with many walls left the engine proves nothing.
    left = state.walls_remaining
    return bool(left[state.current_player] > 0 and sum(left.values()) <= state.board_size)


def puzzles(game: str, board: int, wanted: tuple[int, ...], rng: random.Random) -> Iterator[Puzzle]:
    """Yield `wanted` puzzles of each level, at most one from each game."""
    engine = Engine(hash_mb=64, game=game)
    left = dict(enumerate(wanted, 1))
    used = None
    for number, state in games(game, board, rng, engine):
        if number == used:
            continue
        puzzle = only_win(state, engine)
        if puzzle is None or not left[puzzle.level] or len(puzzle.line) < 3:
            continue
        used = number
        left[puzzle.level] -= 1
        print(f"{game} {board}: left to find {left}", file=sys.stderr)
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
        for (game, board), wanted in WANTED.items()
        for puzzle in puzzles(game, board, wanted, random.Random(f"{seed} {game} {board}"))
    ]
    for puzzle in sorted(found, key=lambda puzzle: puzzle.level):
        print(puzzle.text())


if __name__ == "__main__":
    main()
