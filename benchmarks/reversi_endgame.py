"""Solve the large FFO endgame positions and print the time, nodes and speed of each.

With --threads, each position is solved by one thread and by several in turn. The speed-up counts
the time that passes, so it needs an idle machine; other work does not change the nodes.

Example: python benchmarks/reversi_endgame.py 40 44
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time

from plyground import reversi
from plyground.search import solve_endgame

FFO = Path(__file__).parents[1] / "tests" / "data" / "reversi_ffo.json"


@dataclass(frozen=True)
class Run:
    """What solving a position took."""

    score: float
    wall_s: float
    cpu_s: float
    nodes: int

    def text(self) -> str:
        """The columns of the table that follow the position."""
        millions = self.nodes / 1e6
        speed = millions / self.cpu_s
        return f"{self.wall_s:>8.2f} {self.cpu_s:>8.2f} {millions:>9.1f} {speed:>14.1f}"


def solve(state: reversi.State, threads: int) -> Run:
    """Solve a position with an empty table."""
    started, cpu_started = perf_counter(), process_time()
    result = solve_endgame(state, hash_mb=256, threads=threads)
    wall_s, cpu_s = perf_counter() - started, process_time() - cpu_started
    assert result.score is not None
    return Run(result.score.value, wall_s, cpu_s, result.nodes_searched)


def best_run(state: reversi.State, threads: int, repeats: int) -> Run:
    """The run that took the least time, which other work disturbed least."""
    return min((solve(state, threads) for _ in range(repeats)), key=lambda run: run.wall_s)


def main() -> None:
    """Solve the positions and print a line for each number of threads."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("first", type=int, nargs="?", default=40, help="number (default: 40)")
    parser.add_argument("last", type=int, nargs="?", default=44, help="number (default: 44)")
    parser.add_argument("--threads", type=int, default=1, help="threads beside one (default: 1)")
    parser.add_argument("--repeats", type=int, default=1, help="the fastest counts (default: 1)")
    args = parser.parse_args()
    counts = sorted({1, args.threads})
    # The patterns are loaded before the timing.
    solve(reversi.State.parse("-" + 62 * "X" + "O X"), 1)
    totals = {threads: [0.0, 0.0, 0] for threads in counts}
    print("no. empty score threads  seconds    CPU s   M nodes  M nodes/CPU s")
    for position in json.loads(FFO.read_text(encoding="utf-8"))["positions"]:
        if not args.first <= position["id"] <= args.last:
            continue
        state = reversi.State.parse(f"{position['board']} {position['side']}")
        for threads in counts:
            run = best_run(state, threads, args.repeats)
            if run.score != position["score"]:
                raise SystemExit(
                    f"position {position['id']}: expected {position['score']}, got {run.score}"
                )
            for i, amount in enumerate((run.wall_s, run.cpu_s, run.nodes)):
                totals[threads][i] += amount
            print(
                f"{position['id']:>3} {position['empties']:>5} {run.score:>+5.0f} {threads:>7} "
                f"{run.text()}",
                flush=True,
            )
    for threads, (wall_s, cpu_s, nodes) in totals.items():
        millions = nodes / 1e6
        print(f"threads {threads}: {wall_s:.2f} s, {cpu_s:.2f} CPU s, {millions:.1f} M nodes")
    if len(counts) > 1:
        one, several = (totals[threads] for threads in counts)
        print(f"{one[0] / several[0]:.2f} times as fast, {several[2] / one[2] - 1:+.1%} nodes")


if __name__ == "__main__":
    main()
