"""Measure the network's tree search: simulations per second, and the share spent in the tree.

    python benchmarks/play.py

Searches the 9x9 benchmark positions with the shipped network, on one thread and on two. The tree
grows in the core, as in play, or batch by batch through Python. The second way separates the time
inside the evaluator from the rest: leaf selection, features, backup and Python.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.bench.quoridor_positions import positions
from plyground.nets.evaluator import FileEvaluator, NativeEvaluator, load_evaluator
from plyground.search import SearchLimits
from plyground.search.gumbel import GumbelSearch


class Stopwatch:
    """An evaluator that times its calls."""

    def __init__(self, evaluator: FileEvaluator) -> None:
        self.evaluator = evaluator
        self.seconds = 0.0

    def __call__(self, features: NDArray[np.uint8]) -> tuple[NDArray[Any], NDArray[np.float32]]:
        """Evaluate a batch."""
        started = time.perf_counter()
        result = self.evaluator(features)
        self.seconds += time.perf_counter() - started
        return result


def main() -> None:
    """Run the searches and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sims", type=int, default=1000, help="simulations per position")
    parser.add_argument("--batch", type=int, default=4, help="leaves per evaluation")
    parser.add_argument("--network", help="file to use instead of the shipped network")
    args = parser.parse_args()
    print("| threads | the tree grows | simulations/s | per CPU second | outside the network |")
    print("| --- | --- | --- | --- | --- |")
    for threads in (1, 2):
        watch = Stopwatch(load_evaluator(args.network, threads, fast=True))
        search = GumbelSearch(watch, batch=args.batch)
        seconds = measure(search, args.sims, f"{threads} | through Python")
        print(f" {1 - watch.seconds / seconds:.1%} |")
        if isinstance(watch.evaluator, NativeEvaluator):
            search = GumbelSearch(watch, batch=args.batch, grow=watch.evaluator.grow)
            measure(search, args.sims, f"{threads} | in the core")
            print(" |")


def measure(search: GumbelSearch, simulations: int, name: str) -> float:
    """Search all positions and print the speed; returns the seconds taken."""
    done, started, cpu_started = 0, time.perf_counter(), time.process_time()
    for state in positions(9):
        search.clear()
        done += search.search(state, SearchLimits(simulations=simulations)).nodes_searched
    seconds, cpu_seconds = time.perf_counter() - started, time.process_time() - cpu_started
    print(f"| {name} | {done / seconds:,.0f} | {done / cpu_seconds:,.0f} |", end="")
    return seconds


if __name__ == "__main__":
    main()
