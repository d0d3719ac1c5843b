"""What the analysis cache saves: a game is analysed twice, first without anything known.

    python benchmarks/cache.py [--depth 10] [--game reversi]

Times are processor time, so that a busy machine changes little. The second pass answers every
position from the file; the third searches two plies deeper, and so has to search again.
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
from plyground.arena.match import play_game
from plyground.games import registry
from plyground.search import SearchLimits


def main() -> None:
    """Play a game between two levels, and analyse it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--depth", type=int, default=10)
    parser.add_argument("--game", choices=tuple(registry.GAMES), default="quoridor")
    args = parser.parse_args()

    start = registry.get(args.game).start({})
    agents = {1: make("normal", args.game), 2: make("normal", args.game)}
    record = play_game(start, agents, args.game)
    print(f"{args.game}, {len(record.moves)} moves, {record.outcome}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "analysis.sqlite"
        for name, depth in (("cold", args.depth), ("warm", args.depth), ("deeper", args.depth + 2)):
            with AnalysisCache(path) as cache:
                adviser = adviser_for(args.game, cache)
                started = time.process_time()
                analyse_game(record, adviser, SearchLimits(depth=depth))
                spent = time.process_time() - started
            each_ms = 1000 * spent / len(record.states())
            print(f"{name:>6}, depth {depth:>2}: {spent:8.3f} s, {each_ms:8.2f} ms a position")


if __name__ == "__main__":
    main()
