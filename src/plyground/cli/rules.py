"""Explain the rules of a game: the aim, the moves, the end, and how moves are written.

The numbers are those of the board that the options choose.

Example: plyground rules
         plyground rules quoridor --preset small
         plyground rules reversi
"""

from __future__ import annotations

import argparse
import shutil

from plyground.cli.options import new_start_from
from plyground.cli.setting_options import add_setting_options
from plyground.games import registry
from plyground.ui.text import format_rules

WIDEST = 80
"""Columns of the text on a wide terminal."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    games, usual = tuple(registry.games()), registry.default().name
    parser.add_argument(
        "game",
        nargs="?",
        choices=games,
        default=usual,
        help=f"{' or '.join(games)} (default: {usual})",
    )
    add_setting_options(parser)


def run(args: argparse.Namespace) -> int:
    """Print the rules."""
    width = min(WIDEST, shutil.get_terminal_size().columns)
    print("\n".join(format_rules(new_start_from(args), width)))
    return 0
