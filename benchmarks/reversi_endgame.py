"""Solve the large FFO endgame positions and print the CPU time, nodes and speed of each.

Example: python benchmarks/reversi_endgame.py 40 44
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import process_time

from plyground import reversi
from plyground.search import solve_endgame

FFO = Path(__file__).parents[1] / "tests" / "data" / "reversi_ffo.json"


def main(first: int = 40, last: int = 44) -> None:
    """Solve the positions from number `first` to number `last`."""
    # The patterns are loaded before the timing.
    solve_endgame(reversi.State.parse("-" + 62 * "X" + "O X"))
    total_s = 0.0
    print("no. empty score  seconds    M nodes  M nodes/s")
    for position in json.loads(FFO.read_text(encoding="utf-8"))["positions"]:
        if not first <= position["id"] <= last:
            continue
        state = reversi.State.parse(f"{position['board']} {position['side']}")
        started = process_time()
        result = solve_endgame(state, hash_mb=256)
        spent_s = process_time() - started
        total_s += spent_s
        assert result.score is not None
        discs = result.score.value
        if discs != position["score"]:
            raise SystemExit(
                f"position {position['id']}: expected {position['score']}, got {discs}"
            )
        nodes = result.nodes_searched / 1e6
        print(
            f"{position['id']:>3} {position['empties']:>5} {discs:>+5.0f} {spent_s:>8.2f} "
            f"{nodes:>10.1f} {nodes / spent_s:>10.1f}",
            flush=True,
        )
    print(f"{total_s:.2f} s in total")


if __name__ == "__main__":
    main(*(int(number) for number in sys.argv[1:3]))
