"""Correct the pattern values of Reversi by positions of `make_reversi_positions.py`.

For each phase up to --discs, corrections are fitted to what the given values leave unexplained.
A ridge penalty keeps the values of configurations that are rare among the positions as they are.
Corrected values are rounded, far below their error, so that the file is smaller. The last
twentieth of each part is held out to measure the error.

Example: python tools/correct_reversi_patterns.py wthor.bin positions/ reversi_patterns.bin
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from plyground import _core
from plyground.games.reversi import State
from plyground.search.reversi_patterns import read_values, write_patterns

Part = tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.int16]]
"""Discs of the side to move, of the other, and scores in hundredths of a disc."""
OVERLAP = 12
"""Discs by which positions may lie outside a phase and still be used to correct it."""
COUNTED = ((0, 4), (3, 2), (OVERLAP, 1))
"""How often a position counts that lies outside by at most that number of discs."""
STEPS = 12
ROUNDING = 8
HELD_OUT = 20


def read_parts(folder: Path) -> list[Part]:
    """The parts of a folder, in the order of their names."""
    parts: list[Part] = []
    for path in sorted(folder.glob("*.npz")):
        with np.load(path) as part:
            parts.append((part["own"], part["other"], part["score"]))
    return parts


def state_of(own: int, other: int) -> State:
    """The position."""
    squares = ("X" if own >> i & 1 else "O" if other >> i & 1 else "-" for i in range(64))
    return State.parse("".join(squares) + " X")


def rms(values: NDArray[np.int8]) -> float:
    """The root mean square; NaN if there are none."""
    return float("nan") if len(values) == 0 else float(np.sqrt(np.mean(values.astype(float) ** 2)))


def main() -> None:
    """Correct the phases, print their errors before and after, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("values", type=Path, help="file of `plyground tune reversi-patterns`")
    parser.add_argument("positions", type=Path, help="folder of parts")
    parser.add_argument("out", type=Path, help="file to write")
    parser.add_argument("--ridge", type=float, default=80, help="penalty (default: 80)")
    parser.add_argument("--discs", type=int, default=40, help="most discs (default: 40)")
    args = parser.parse_args()
    parts = read_parts(args.positions)
    own, other, score = (np.concatenate([part[i] for part in parts]) for i in range(3))
    states = [state_of(int(mine), int(theirs)) for mine, theirs in zip(own, other, strict=True)]
    discs = np.array([sum(state.counts.values()) for state in states])
    held_out = np.concatenate(
        [np.arange(len(part[0])) >= len(part[0]) * (1 - 1 / HELD_OUT) for part in parts]
    )
    phases = _core.REVERSI_PATTERN_PHASES
    values = read_values(args.values).reshape(phases, -1)
    for phase in range(1, phases):
        lowest = 5 + phase * _core.REVERSI_DISCS_PER_PHASE
        highest = lowest + _core.REVERSI_DISCS_PER_PHASE - 1
        if highest > args.discs:
            break
        away = np.maximum(lowest - discs, discs - highest).clip(0)
        near = np.flatnonzero(away <= OVERLAP)
        # The values of this phase judge positions of all phases.
        patterns = _core.ReversiPatterns(np.tile(values[phase], phases))
        rest = np.zeros(len(states), np.int8)
        for i in near:
            unexplained = score[i] / 100 - patterns.evaluate(states[i])
            rest[i] = round(max(-127, min(127, unexplained)))
        train = near[~held_out[near]]
        counts = np.select([away[train] <= most for most, _ in COUNTED], [n for _, n in COUNTED])
        train = np.repeat(train, counts)
        fit = _core.ReversiPatternFit(
            own[train], other[train], rest[train], np.ones(len(rest[train]), np.float32), args.ridge
        )
        for _ in range(STEPS):
            fit.step()
        test = np.flatnonzero((away == 0) & held_out)
        after = fit.error(own[test], other[test], rest[test])
        print(f"{lowest:>2} to {highest:>2} discs: {rms(rest[test]):.2f} before, {after:.2f} after")
        corrected = values[phase] + 100 * fit.values()
        values[phase] = (ROUNDING * np.round(corrected / ROUNDING)).astype(np.int16)
    write_patterns(args.out, values.reshape(-1))
    print(f"{len(own):,} positions; wrote {args.out}, {args.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
