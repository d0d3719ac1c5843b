"""Fit the parameters of Reversi's evaluation and search to a folder of WTHOR files (.wtb).

reversi-patterns fits the values of the patterns and writes them to a file. The command below made
the package's own file from all 137,548 games; see docs/results.md.

reversi-probcut measures on the same games how well shallow searches predict deep ones.

Example: plyground tune reversi-patterns wthor/ --out reversi_patterns.bin
"""

from __future__ import annotations

import argparse
import random
from dataclasses import fields
from pathlib import Path

from plyground.cli.options import whole_number
from plyground.cli.progress import clear_progress, show_progress
from plyground.errors import ConfigError
from plyground.hints import reason_of
from plyground.search.reversi_patterns import write_patterns
from plyground.tune.reversi_patterns import FitSettings, PatternFit, fit_patterns
from plyground.tune.reversi_probcut import measure_deviation
from plyground.tune.reversi_wthor import read_folder

_OPTIONS = {
    "solve_from": (0, 24, "empty squares from which positions are solved"),
    "steps": (1, 10_000, "conjugate gradient steps of a fit"),
    "own_games": (0, 10**7, "games of the engine against itself in the last round"),
    "rounds": (0, 10, "rounds of such games"),
    "depth": (2, 20, "plies of the searches in such games"),
    "own_solve_from": (0, 24, "empty squares from which positions of such games are solved"),
    "threads": (1, 256, "threads"),
    "seed": (0, 10**9, "seed of random moves and positions"),
}
"""Lowest and highest value, and help."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.add_argument("games", type=Path, metavar="FOLDER", help="folder of .wtb files")
    parser.add_argument("--out", type=Path, metavar="FILE", help="file to write the patterns to")
    parser.add_argument(
        "--positions",
        type=whole_number(2, 10**6),
        default=100,
        metavar="N",
        help="positions at each of five stages of the game, for reversi-probcut (default: 100)",
    )
    parser.add_argument(
        "--limit", type=whole_number(1, 10**9), metavar="N", help="only the first N games"
    )
    defaults = FitSettings()
    for name, (lowest, highest, text) in _OPTIONS.items():
        default = getattr(defaults, name)
        parser.add_argument(
            f"--{name.replace('_', '-')}",
            type=whole_number(lowest, highest),
            default=default,
            metavar="N",
            help=f"{text} (default: {default})",
        )
    for name, near in (("ridge", "zero"), ("smoothing", "those of the phases beside")):
        default = getattr(defaults, name)
        text = f"penalty that keeps values of rare patterns near {near} (default: {default:g})"
        parser.add_argument(f"--{name}", type=float, default=default, metavar="X", help=text)


def run(args: argparse.Namespace) -> int:
    """Fit, with progress on standard error; files are written at the end only."""
    if args.what == "reversi-probcut":
        games = read_folder(args.games, args.limit)
        found = measure_deviation(games, args.positions, random.Random(args.seed), show_stage)
        clear_progress()
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
    fitted = fit_patterns(games, settings, show_stage)
    clear_progress()
    try:
        write_patterns(args.out, fitted.values)
    except OSError as error:
        raise ConfigError(f"cannot write {args.out}: {reason_of(error)}") from error
    print(report(fitted, len(games)))
    print(f"wrote {args.out}, {args.out.stat().st_size:,} bytes")
    return 0


def show_stage(stage: str, done: int, total: int) -> None:
    """Show the progress of a stage."""
    show_progress(f"{stage}: {done:,} of {total:,}")


def report(fit: PatternFit, games: int) -> str:
    """The errors in held-out games, by phase."""
    lines = [f"{games:,} games; error on held-out positions, in discs:"]
    for phase, error in enumerate(fit.errors):
        first = 5 + 4 * phase
        lines.append(f"  {first:>2} to {first + 3:>2} discs  {error:6.2f}")
    return "\n".join(lines)
