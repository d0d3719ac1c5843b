"""Measure how much time the three caches of minimax:order=dijkstra save, on the same games.

    python benchmarks/minimax_cache.py [--games 20] [--depth 4] [--board 9]

The agent plays games against three other agents from random openings: without caches, with empty
caches, and again with the caches of the file. The last run deletes the best moves first, so that
only the evaluations and children are left. Times are CPU time of the agent's moves. All runs must
play the same games.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import tempfile
import time
from pathlib import Path

from plyground.agents import DijkstraAgent, make
from plyground.quoridor import GameConfig, State
from plyground.search.quoridor_minimax_cache import MinimaxCache

OPPONENTS = ("pathfinder", "minimax:depth=2,weights=tuned", "normal")


def main() -> None:
    """Play the games four times and print a line for each run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--depth", type=int, help="a fixed depth (default: 3 to 5)")
    parser.add_argument("--board", type=int, default=9)
    args = parser.parse_args()
    start = State(GameConfig(board_size=args.board))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "minimax.sqlite"
        games = run("no caches", None, start, args)
        for name in ("first run", "second run", "second run, best moves deleted"):
            if "deleted" in name:
                delete_best_moves(path)
            assert run(name, path, start, args) == games, "the caches changed a move"


def run(name: str, path: Path | None, start: State, args: argparse.Namespace) -> list[str]:
    """Play all games, print the time, and return the last positions."""
    ends, moves, spent = [], 0, 0.0
    begun = time.process_time()
    cache = None if path is None else MinimaxCache(path)
    opened = time.process_time() - begun
    agent = DijkstraAgent(depth=args.depth, cache=cache or False)
    for number in range(args.games):
        opponent = make(OPPONENTS[number % len(OPPONENTS)])
        state = start
        for action in start.game.random_opening(start, 4, random.Random(number)):
            state = state.play(action)
        while not state.game_over:
            if state.current_player == 1 + number % 2:
                begun = time.process_time()
                action = agent.select_action(state)
                spent += time.process_time() - begun
                moves += 1
            else:
                action = opponent.select_action(state)
            state = state.play(action)
        ends.append(state.text())
    begun = time.process_time()
    if cache is not None:
        cache.close()
    closed = time.process_time() - begun
    print(
        f"{name:<32}{spent:8.3f} s, {1000 * spent / moves:7.3f} ms a move; "
        f"open {opened:.3f} s, close {closed:.3f} s",
        end="",
    )
    print() if path is None else print(f"; {describe(path)}")
    return ends


def describe(path: Path) -> str:
    """The sizes of the caches."""
    with MinimaxCache(path) as cache:
        sizes = cache.sizes()
    return (
        f"{sizes.best_moves:,} best moves, {sizes.evaluations:,} evaluations, "
        f"{sizes.children:,} children, {sizes.bytes / 1e6:.1f} MB"
    )


def delete_best_moves(path: Path) -> None:
    """Leave only the evaluations and children."""
    database = sqlite3.connect(path)
    database.execute("DELETE FROM best_moves")
    database.commit()
    database.close()


if __name__ == "__main__":
    main()
