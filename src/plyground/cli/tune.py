"""Tune the parameters of evaluations and searches by games.

Each method has its own --help; docs/tuning.md compares them.

Example: plyground tune td td-small --out runs/td-small
"""

from __future__ import annotations

import argparse

from plyground.cli import tune_grid, tune_reversi, tune_spsa, tune_td

KINDS = {
    "td": (tune_td, "learn the weights of Quoridor's evaluation from self-play"),
    "grid": (tune_grid, "try every combination of some options of an agent"),
    "spsa": (tune_spsa, "tune many options of an agent at once"),
    "reversi-patterns": (tune_reversi, "fit the values of Reversi's patterns to games"),
    "reversi-probcut": (tune_reversi, "measure how well shallow searches predict deep ones"),
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
    """Run the chosen method."""
    return int(KINDS[args.what][0].run(args))
