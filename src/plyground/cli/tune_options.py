"""What the kinds of `plyground tune` share: options, progress, plots and the match at the end."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from plyground.arena.store import Store
from plyground.arena.table import format_pair
from plyground.cli.arena import play
from plyground.cli.options import add_cluster_options, whole_number
from plyground.cli.tournament_screen import openings_screen
from plyground.errors import ConfigError
from plyground.tune.candidates import check_match


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """Settings, and where the results go."""
    parser.add_argument("config", type=Path, metavar="CONFIG", help="a YAML file of settings")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FOLDER", help="where the run's files go"
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        dest="overrides",
        metavar="KEY=VALUE",
        help="change a setting; may be given several times",
    )


def add_match_option(parser: argparse.ArgumentParser) -> None:
    """How the result is checked."""
    parser.add_argument(
        "--match",
        type=even_number,
        default=400,
        metavar="N",
        help="games of the match at the end, an even number, 0 for none (default: 400)",
    )


def play_match(
    candidate: str, reference: str, settings: Mapping[str, Any], games: int, store: Store
) -> int:
    """Check the result by a match, and print what that says; 130 if it was stopped."""
    with openings_screen() as on_found:
        match = check_match(candidate, reference, settings, games, store, on_found)
    status = play(match)
    print(format_pair(match.scores), flush=True)
    return stopped() if status else 0


def even_number(text: str) -> int:
    """An argparse type: games in pairs."""
    number = whole_number(0, 10**6)(text)
    if number % 2:
        raise argparse.ArgumentTypeError(f"expected an even number, got {text}")
    return number


def add_workers_options(parser: argparse.ArgumentParser) -> None:
    """Who plays the games."""
    parser.add_argument(
        "--workers",
        type=whole_number(1, 1024),
        metavar="N",
        help="games at a time (default: 1; on a Ray cluster as many as there is room for)",
    )
    add_cluster_options(parser)


def workers_from(args: argparse.Namespace) -> list[str]:
    """The same as settings, like those of `--set`."""
    found = {name: getattr(args, name) for name in ("workers", "backend", "address")}
    return [f"{name}={value}" for name, value in found.items() if value is not None]


def show_progress(what: str, done: int, total: int) -> None:
    """Overwrite one line of a terminal."""
    if sys.stderr.isatty():
        print(f"\r{done:,} of {total:,} {what}\x1b[K", end="", file=sys.stderr, flush=True)


def clear_progress() -> None:
    """Leave no trace of it."""
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def stopped() -> int:
    """Say how to go on; 130, as for any command that was interrupted."""
    clear_progress()
    print("stopped; the same command goes on", file=sys.stderr)
    return 130


def draw(plot: Callable[[], object]) -> None:
    """Draw a plot; where that does not work, everything else is worth no less."""
    try:
        plot()
    except ConfigError as error:
        print(f"no plot: {error}", file=sys.stderr)
