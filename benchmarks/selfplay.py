"""Measure how fast self-play grows its trees, with random evaluations instead of a network.

    python benchmarks/selfplay.py --games 4096 --simulations 64 --threads 2

Prints leaves per second, including their features: the rate at which the cores can feed a network.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from plyground.games import registry


def main() -> None:
    """Run for the given time and print the counts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    usual = registry.default().name
    parser.add_argument("--game", choices=tuple(registry.games()), default=usual)
    parser.add_argument("--games", type=int, default=2048)
    parser.add_argument("--simulations", type=int, default=64)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=10.0)
    options = parser.parse_args()
    game = registry.get(options.game)
    start = game.start()
    pool = game.make_selfplay(
        start, games=options.games, threads=options.threads, simulations=options.simulations
    )
    actions, width = game.action_count(start), game.encoding().feature_bytes
    rng = np.random.default_rng(1)
    size = pool.size(0)
    logits = [rng.uniform(0, 4, (pool.size(i % 2), actions)).astype(np.float16) for i in range(14)]
    values = [np.zeros(pool.size(half), np.float32) for half in range(2)]
    features = [np.zeros((pool.size(half), width), np.uint8) for half in range(2)]
    for half in range(2):
        pool.step(half, None, None, features[half])
    steps, rows = 0, 0
    wall, cpu = time.perf_counter(), time.process_time()
    while time.perf_counter() - wall < options.seconds:
        for half in range(2):
            pool.step(half, logits[(2 * steps + half) % 14], values[half], features[half])
        steps += 1
        rows += len(pool.drain(10**6)["game"])
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    leaves = steps * (size + pool.size(1))
    print(f"{leaves} leaves, {rows} rows from {pool.stats()['games']} finished games")
    print(f"{leaves / wall:,.0f} leaves/s on {options.threads} threads")
    print(f"{leaves / cpu:,.0f} leaves per CPU second, {cpu / leaves * 1e6:.2f} microseconds each")


if __name__ == "__main__":
    main()
