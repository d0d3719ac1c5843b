"""Find the numbers that evaluations and searches use, from games.

Each kind has its own --help; docs/tuning.md says when to take which.

Example: plyground tune td configs/tune/td-small.yaml --out runs/td-small
"""

from __future__ import annotations

import argparse

from plyground.cli import tune_grid, tune_reversi, tune_spsa, tune_td

KINDS = {
    "td": (tune_td, "learn the weights of Quoridor's evaluation from self-play"),
    "grid": (tune_grid, "try every combination of some settings of an agent"),
    "spsa": (tune_spsa, "tune many numbers of an agent at once"),
    "reversi-patterns": (tune_reversi, "fit the values of Reversi's patterns to games"),
    "reversi-probcut": (tune_reversi, "measure how well shallow searches foretell deep ones"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    kinds = parser.add_subparsers(dest="what", metavar="what", required=True)
    for name, (module, summary) in KINDS.items():
        kind = kinds.add_parser(
            name,
            help=summary,
            description=module.__doc__,
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(kind)


def run(args: argparse.Namespace) -> int:
    """Run the kind that was asked for."""
    return int(KINDS[args.what][0].run(args))
