"""Find the numbers of Reversi's evaluation and search, from a folder of WTHOR files (.wtb).

reversi-patterns fits the values of the patterns, and writes them to a file. The one that comes with
the package was made by the command below from all 137,548 games; docs/results.md says more.

reversi-probcut measures on the same games how well shallow searches foretell deep ones.

Example: plyground tune reversi-patterns wthor/ --out reversi_patterns.bin
"""

from __future__ import annotations

import argparse
import random
import sys
from dataclasses import fields
from pathlib import Path

from plyground.cli.options import whole_number
from plyground.errors import ConfigError
from plyground.search.reversi_patterns import write_patterns
from plyground.tune.reversi_patterns import Fit, FitSettings, fit_patterns
from plyground.tune.reversi_probcut import measure_deviation
from plyground.tune.wthor import read_folder

_RANGES = {
    "solve_from": (0, 24),
    "steps": (1, 10_000),
    "overlap": (0, 60),
    "deviations": (0, 60),
    "weight": (1, 100),
    "depth": (2, 20),
    "threads": (1, 256),
    "seed": (0, 10**9),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.add_argument("games", type=Path, metavar="FOLDER", help="where the .wtb files are")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="the file to write the patterns to"
    )
    parser.add_argument(
        "--positions",
        type=whole_number(2, 10**6),
        default=100,
        metavar="N",
        help="for reversi-probcut, positions at each of five stages of the game (default: 100)",
    )
    parser.add_argument(
        "--limit", type=whole_number(1, 10**9), metavar="N", help="use the first N games only"
    )
    defaults = FitSettings()
    for name, (lowest, highest) in _RANGES.items():
        default = getattr(defaults, name)
        parser.add_argument(
            f"--{name.replace('_', '-')}",
            type=whole_number(lowest, highest),
            default=default,
            metavar="N",
            help=f"default: {default}",
        )
    ridge = defaults.ridge
    parser.add_argument("--ridge", type=float, default=ridge, metavar="X", help=f"default: {ridge}")


def run(args: argparse.Namespace) -> int:
    """Fit, with progress on standard error; nothing is written before the end."""
    if args.what == "reversi-probcut":
        games = read_folder(args.games, args.limit)
        found = measure_deviation(games, args.positions, random.Random(args.seed), show_progress)
        print(file=sys.stderr)
        print(
            f"base {found.base:.0f}, per square {found.per_square:.1f}, per ply {found.per_ply:.1f}"
        )
        return 0
    return fit(args)


def fit(args: argparse.Namespace) -> int:
    """Fit the patterns and write them."""
    if args.out is None:
        raise ConfigError("expected --out FILE to write the patterns to")
    if not args.out.parent.is_dir():
        raise ConfigError(f"expected a folder for --out, got {str(args.out.parent)!r}")
    if args.out.is_dir():
        raise ConfigError(f"expected a file for --out, got the folder {str(args.out)!r}")
    settings = FitSettings(**{item.name: getattr(args, item.name) for item in fields(FitSettings)})
    games = read_folder(args.games, args.limit)
    fitted = fit_patterns(games, settings, show_progress)
    print(file=sys.stderr)
    try:
        write_patterns(args.out, fitted.values)
    except OSError as error:
        raise ConfigError(f"cannot write {args.out}: {error.strerror}") from error
    print(report(fitted, len(games)))
    print(f"wrote {args.out}, {args.out.stat().st_size:,} bytes")
    return 0


def show_progress(what: str, done: int, count: int) -> None:
    """Overwrite one line."""
    print(f"\r{what}: {done:,} of {count:,}\x1b[K", end="", file=sys.stderr, flush=True)


def report(fit: Fit, games: int) -> str:
    """The errors on held-out games, by phase."""
    lines = [f"{games:,} games; error on held-out positions, in discs:"]
    for phase, error in enumerate(fit.errors):
        first = 5 + 4 * phase
        lines.append(f"  {first:>2} to {first + 3:>2} discs  {error:6.2f}")
    return "\n".join(lines)
