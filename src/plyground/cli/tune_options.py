"""What the methods of `plyground tune` share: options, plots and the final match."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from plyground.arena.forfeits import ForfeitNotices
from plyground.arena.store import Store
from plyground.arena.summary import format_pair
from plyground.arena.task import GameResult
from plyground.cli.arena import INTERRUPTED, play, report_failures
from plyground.cli.options import add_cluster_options, add_crash_options, whole_number
from plyground.cli.progress import clear_progress
from plyground.cli.tournament_screen import openings_screen
from plyground.config import Settings
from plyground.errors import ConfigError
from plyground.tune.candidates import check_match


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for the settings and the output folder."""
    parser.add_argument(
        "config",
        type=Path,
        metavar="CONFIG",
        help="YAML file of settings, or the name of one of the package's (td-small)",
    )
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FOLDER", help="output folder of the run"
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        dest="overrides",
        metavar="KEY=VALUE",
        help="setting that overrides the file's; may be repeated",
    )


def add_match_option(parser: argparse.ArgumentParser) -> None:
    """Add the option for the match that checks the result."""
    parser.add_argument(
        "--match",
        type=even_number,
        default=400,
        metavar="N",
        help="games of the final match, an even number, 0 for none (default: 400)",
    )


def play_match(candidate: str, reference: str, settings: Settings, games: int, store: Store) -> int:
    """Check a candidate by a match and print the result; returns the exit status."""
    with openings_screen() as on_found:
        match = check_match(candidate, reference, settings, games, store, on_found)
    status = play(match)
    print(format_pair(match.crosstable), flush=True)
    return stopped() if status else report_failures(match)


def even_number(text: str) -> int:
    """An argparse type: a number of games in pairs."""
    number = whole_number(0, 10**6)(text)
    if number % 2:
        raise argparse.ArgumentTypeError(f"expected an even number, got {text}")
    return number


def add_workers_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for where games are played, and what follows a failure of an agent."""
    add_crash_options(parser)
    parser.add_argument(
        "--workers",
        type=whole_number(1, 1024),
        metavar="N",
        help="games in parallel (default: 1; on a Ray cluster one per CPU)",
    )
    add_cluster_options(parser)


def workers_from(args: argparse.Namespace) -> Settings:
    """These options as settings of a tournament."""
    found = {name: vars(args)[name] for name in ("workers", "backend", "address", "on_crash")}
    return {name: value for name, value in found.items() if value is not None}


def print_notice(notices: ForfeitNotices, game: GameResult) -> None:
    """Print a line for the first forfeit of each kind."""
    if (line := notices.line(game)) is not None:
        clear_progress()
        print(line, file=sys.stderr)


def stopped() -> int:
    """Print how to continue; returns 130, the status of an interrupted command."""
    clear_progress()
    print("stopped; the same command continues", file=sys.stderr)
    return INTERRUPTED


def draw(plot: Callable[[], object]) -> None:
    """Draw a plot; if that fails, print why and carry on."""
    try:
        plot()
    except ConfigError as error:
        print(f"no plot: {error}", file=sys.stderr)
