"""Label positions of Reversi for the fit of the patterns, by self-play.

Games start from the XOT list. The engine plays them to a small depth, with random moves in between.
From many positions of a game, up to two more random moves lead to a position to label: a search
meets positions after bad moves far more often than players do. Its label is the mean score of
searches to two successive depths, or the exact score in the last squares.

Each process writes parts of its own, one after the other; a part that exists is not made again.
`correct_reversi_patterns.py` reads them.

Example: python tools/make_reversi_positions.py positions/ --seconds 360 --processes 10
"""

from __future__ import annotations

import argparse
import random
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from plyground import _core
from plyground.arena.reversi_openings import xot_lines
from plyground.files import atomic_write
from plyground.games.reversi import State, parse_transcript
from plyground.search.reversi_patterns import read_patterns, shipped_patterns

PART = 5000
"""Positions in a part."""
SOLVED = 15
"""Most empty squares of a position that is solved."""
PLAY_DEPTHS = (3, 4, 5)
RANDOM_SHARES = (0.02, 0.08, 0.2)
"""Shares of random moves, of which each game takes one."""
LABELLED_SHARE = 0.4
"""Share of a game's positions from which a labelled one is reached."""
RANDOM_PLIES = (0, 1, 1, 1, 2, 2)
HUNDREDTHS = 100
STEP = 50
"""Estimates are rounded to half discs, far below their error, so that the files are smaller."""
Row = tuple[int, int, int]
"""Discs of the side to move, discs of the other, and the score in hundredths of a disc."""


class Labeller:
    """Plays games and labels positions of them."""

    def __init__(self, patterns: _core.ReversiPatterns, depth: int, seed: str) -> None:
        """Search to `depth` and one ply less."""
        self._engine = _core.ReversiEngine(8, 1, patterns, {})
        self._depth = depth
        self._rng = random.Random(seed)
        self._lines = xot_lines()

    def game(self) -> list[Row]:
        """Play a game and label positions of it."""
        rng = self._rng
        state = State()
        for action in parse_transcript(rng.choice(self._lines)):
            state = state.play(action)
        share, depth = rng.choice(RANDOM_SHARES), rng.choice(PLAY_DEPTHS)
        rows: list[Row] = []
        while not state.game_over:
            if rng.random() < LABELLED_SHARE and (row := self._label_near(state)) is not None:
                rows.append(row)
            if rng.random() < share:
                action = rng.choice(state.legal_actions())
            else:
                action = self._engine.search(state, depth=depth)["best_move"]
            state = state.play(action)
        return rows

    def _label_near(self, state: State) -> Row | None:
        for _ in range(self._rng.choice(RANDOM_PLIES)):
            if state.game_over:
                return None
            state = state.play(self._rng.choice(state.legal_actions()))
        if state.game_over or len(state.legal_actions()) == 0 or state.is_legal(64):
            return None
        board = state.text().split()[0]
        mine = "X" if state.current_player == 1 else "O"
        own = sum(1 << square for square, disc in enumerate(board) if disc == mine)
        taken = sum(1 << square for square, disc in enumerate(board) if disc != "-")
        return own, taken & ~own, self._score(state, board.count("-"))

    def _score(self, state: State, empties: int) -> int:
        if empties <= SOLVED:
            return round(HUNDREDTHS * float(self._engine.search(state)["score"]))
        scores: dict[int, float] = {}

        def note(report: dict[str, Any]) -> None:
            scores.setdefault(report["depth"], report["score"])

        self._engine.search(state, depth=self._depth, progress=note)
        mean = (scores[self._depth] + scores[self._depth - 1]) / 2
        return STEP * round(HUNDREDTHS * mean / STEP)


def make_parts(out: Path, process: int, settings: tuple[float, int, int, int, str]) -> int:
    """Write parts until the time is over; returns the number of positions."""
    seconds, parts, depth, seed, file = settings
    patterns = read_patterns(file) if file else shipped_patterns()
    started = monotonic()
    part = made = 0
    while part < parts and monotonic() - started < seconds:
        path = out / f"{seed}-{process}-{part}.npz"
        if not path.exists():
            labeller = Labeller(patterns, depth, path.name)
            rows: list[Row] = []
            while len(rows) < PART and monotonic() - started < seconds:
                rows += labeller.game()
            write(path, rows)
            made += len(rows)
        part += 1
    return made


def write(path: Path, rows: list[Row]) -> None:
    """Write a part atomically."""
    with atomic_write(path) as file:
        np.savez_compressed(
            file,
            own=np.array([row[0] for row in rows], np.uint64),
            other=np.array([row[1] for row in rows], np.uint64),
            score=np.array([row[2] for row in rows], np.int16),
        )


def main() -> None:
    """Run the processes and print what they made."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path, help="folder of the parts")
    parser.add_argument("--seconds", type=float, default=60, help="time to spend (default: 60)")
    parser.add_argument("--processes", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--parts", type=int, default=1000, help="most parts of a process")
    parser.add_argument("--depth", type=int, default=10, help="plies of a search (default: 10)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the games (default: 1)")
    parser.add_argument("--patterns", default="", help="pattern values (default: the package's)")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    settings = (args.seconds, args.parts, args.depth, args.seed, args.patterns)
    with ProcessPoolExecutor(args.processes) as pool:
        jobs = [pool.submit(make_parts, args.out, i, settings) for i in range(args.processes)]
        print(f"{sum(job.result() for job in jobs):,} positions in {args.out}")


if __name__ == "__main__":
    main()
