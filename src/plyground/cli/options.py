"""Options that several subcommands share."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from plyground.cli.setting_options import add_setting_options, settings_given
from plyground.games import registry
from plyground.games.base import AnyGame, State


def add_game_option(parser: argparse.ArgumentParser) -> None:
    """Add `--game`, which `game_from` and `start_from` read."""
    games, usual = tuple(registry.games()), registry.default().name
    parser.add_argument(
        "--game",
        choices=games,
        default=usual,
        help=f"{' or '.join(games)} (default: {usual})",
    )


def add_board_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the start position: a preset or settings, and a position."""
    add_setting_options(parser)
    parser.add_argument("--position", metavar="TEXT", help="position to start from")


def game_from(args: argparse.Namespace) -> AnyGame:
    """The game that the options name."""
    return registry.find(vars(args).get("game"))


def start_from(args: argparse.Namespace) -> State:
    """The start position that the options describe."""
    given, game = vars(args), game_from(args)
    state: State = game.start_from(
        given.get("preset"), settings_given(args), given.get("position"), given.get("rules")
    )
    return state


def new_start_from(args: argparse.Namespace) -> State:
    """The start position that the options describe, with the defaults for people."""
    game, given = game_from(args), settings_given(args)
    if start_options(args) != given:  # a preset, a position or a file
        return start_from(args)
    settings = {game.find_setting(name): value for name, value in given.items()}
    state: State = game.start(game.new_settings(settings))
    return state


def start_options(args: argparse.Namespace) -> dict[str, str]:
    """The options that describe the start position, as they were given."""
    given = {name: vars(args).get(name) for name in ("preset", "position", "rules")}
    found = {name: value for name, value in given.items() if value is not None}
    return found | settings_given(args)


def add_crash_options(parser: argparse.ArgumentParser) -> None:
    """Add what follows a failure of an agent; without a default, so that a file's stands."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--on-crash",
        choices=("continue", "stop"),
        help="action after an agent fails to start, crashes, hangs or breaks the protocol: restart "
        "it for the next game (continue, the default), or end the run (stop)",
    )
    group.add_argument(
        "--recover",
        action="store_const",
        const="continue",
        dest="on_crash",
        help="the same as --on-crash continue, as in cutechess",
    )


def add_cluster_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for where games are played; without defaults, so that a file's stand."""
    parser.add_argument(
        "--backend",
        choices=("local", "ray"),
        help="where games are played: in local processes (default) or on a Ray cluster",
    )
    parser.add_argument(
        "--address",
        metavar="HOST:PORT",
        help="address of the Ray cluster, or auto for this machine's (default: start a new one)",
    )


def whole_number(lowest: int, highest: int) -> Callable[[str], int]:
    """An argparse type: a whole number in this range."""

    def read(text: str) -> int:
        is_number = text.isascii() and text.isdecimal() and len(text) < 20
        if not is_number or not lowest <= int(text) <= highest:
            raise argparse.ArgumentTypeError(
                f"expected a whole number from {lowest} to {highest}, got {text!r}"
            )
        return int(text)

    return read


def seconds(text: str) -> float:
    """An argparse type: a time from 0 to an hour."""
    return _read_seconds(text, 0)


def positive_seconds(text: str) -> float:
    """An argparse type: a time from a millisecond to an hour."""
    return _read_seconds(text, 0.001)


def _read_seconds(text: str, lowest: float) -> float:
    try:
        time_s = float(text)
    except ValueError:
        time_s = -1.0
    if not lowest <= time_s <= 3600:
        raise argparse.ArgumentTypeError(f"expected seconds from {lowest} to 3600, got {text!r}")
    return time_s
