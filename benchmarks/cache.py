"""Measure how much time the analysis cache saves, by analysing one game twice.

    python benchmarks/cache.py [--depth 10] [--game reversi]

Times are CPU time, so other work on the machine matters little. The first pass starts with an empty
cache; the second pass answers every position from it. Then each position is searched one ply
deeper, by an engine with an empty cache and by one that starts from the cached data.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from plyground.agents import make
from plyground.analysis.adviser import adviser_for
from plyground.analysis.cache import AnalysisCache
from plyground.analysis.game_report import analyse_game
from plyground.arena import play_game
from plyground.games import registry
from plyground.play import Record
from plyground.search import SearchLimits


def main() -> None:
    """Play a game between two agents of level normal and time its analyses."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--depth", type=int, default=10)
    usual = registry.default().name
    parser.add_argument("--game", choices=tuple(registry.games()), default=usual)
    args = parser.parse_args()

    game = registry.get(args.game)
    agents = {1: make("normal:seed=1", game), 2: make("normal:seed=2", game)}
    record = play_game(game.start(), agents)
    print(f"{game.name}, {len(record.moves)} moves, {record.outcome}")
    limits = SearchLimits(depth=args.depth)
    deeper = SearchLimits(depth=args.depth + 1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "analysis.sqlite"
        for name in ("cold", "warm"):
            with AnalysisCache(path) as cache:
                adviser = adviser_for(game, cache, "engine")
                started = time.process_time()
                analyse_game(record, adviser, limits)
                show(f"{name}, depth {args.depth}", time.process_time() - started, record)
        for name in ("empty cache", "cached data"):
            spent = 0.0
            for state in record.states()[:-1]:
                with AnalysisCache(path if name != "empty cache" else Path(":memory:")) as cache:
                    adviser = adviser_for(game, cache, "engine")  # with an empty table
                    started = time.process_time()
                    adviser.search(state, deeper)
                    spent += time.process_time() - started
            show(f"{name}, depth {args.depth + 1}", spent, record)


def show(name: str, spent_s: float, record: Record) -> None:
    """Print one line of the table."""
    each_ms = 1000 * spent_s / len(record.states())
    print(f"{name:>32}: {spent_s:8.3f} s, {each_ms:8.2f} ms per position")


if __name__ == "__main__":
    main()
