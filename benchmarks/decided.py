"""Measure how much of self-play is spent on games that are decided.

    python benchmarks/decided.py configs/train/boards.yaml
    python benchmarks/decided.py configs/train/boards.yaml --set close_openings=0.9 \\
        --set quick_decided=0.85

The package's network, or that of --network, plays games on the largest board of the settings, as in
training but on one core. A row tells which share of the first positions, and of all positions that
a network would learn from, have values of the search beyond a number.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace

import numpy as np

from plyground.cli.options import seconds
from plyground.errors import ConfigError
from plyground.nets import load_evaluator
from plyground.train.config import TrainConfig, step_value
from plyground.train.selfplay import HALVES, make_pool

BEYOND = (0.5, 0.8, 0.9, 0.95, 0.98)


def main() -> None:
    """Play, and print the shares."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("settings", help="as for `plyground train`")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--network", help="file of a network, in place of the one in the package")
    parser.add_argument("--games", type=int, default=64, help="games at a time (default: 64)")
    parser.add_argument("--seconds", type=seconds, default=120, help="to play (default: 120)")
    args = parser.parse_args()
    config = TrainConfig.load(args.settings, args.set)
    config = replace(config, boards=(), games=args.games, threads=1, value_lambda=0.0)
    evaluate = load_evaluator(args.network, game=config.game, fast=True)
    pool = make_pool(config)
    pool.set("simulations", int(step_value(config.simulations, config.seconds)))
    shape = (config.games // HALVES, config.encoding.feature_bytes)
    features = [np.zeros(shape, np.uint8) for _ in range(HALVES)]
    for half in range(HALVES):
        pool.step(half, None, None, features[half])
    started = time.perf_counter()
    while time.perf_counter() - started < args.seconds:
        for half in range(HALVES):
            pool.step(half, *evaluate(features[half]), features[half])
    evaluations, games = (pool.stats()[name] for name in ("evaluations", "games"))
    if not games:
        sys.exit(f"expected a game to end within {args.seconds:g} s, none did: give more --seconds")
    rows = pool.drain(1 << 24)
    order = np.lexsort((rows["ply"], rows["game"]))
    values = np.abs(rows["root_value"])[order]
    _, first = np.unique(rows["game"][order], return_index=True)
    print(
        f"{games} games, {len(values)} positions, {evaluations / len(values):.0f} evaluations each"
    )
    print(f"| values beyond | {' | '.join(map(str, BEYOND))} |")
    print("| --- |" + " --- |" * len(BEYOND))
    for name, found in (("first positions", values[first]), ("positions", values)):
        print(f"| {name} | {' | '.join(f'{np.mean(found > at):.0%}' for at in BEYOND)} |")


if __name__ == "__main__":
    try:
        main()
    except ConfigError as error:
        sys.exit(str(error))
