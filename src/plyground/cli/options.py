"""Options that several subcommands share."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from plyground.errors import ConfigError
from plyground.games import registry
from plyground.games.base import State
from plyground.quoridor import GameConfig
from plyground.quoridor import State as QuoridorState


def add_game_option(parser: argparse.ArgumentParser) -> None:
    """Which game it is about; `game_from` and `start_from` read it."""
    games = tuple(registry.GAMES)
    parser.add_argument(
        "--game",
        choices=games,
        default=games[0],
        help=f"{' or '.join(games)} (default: {games[0]})",
    )


def add_board_options(parser: argparse.ArgumentParser) -> None:
    """Where to start: Quoridor's preset, or its board and walls; the start or a position."""
    presets = tuple(GameConfig.PRESETS)
    parser.add_argument("--preset", choices=presets, help=f"Quoridor's: {', '.join(presets)}")
    parser.add_argument("--board", metavar="N", help="Quoridor's rows and columns, 3 to 9")
    parser.add_argument("--walls", metavar="N", help="walls each player of Quoridor starts with")
    parser.add_argument("--position", metavar="TEXT", help="the position to start from")


def game_from(args: argparse.Namespace) -> str:
    """The game's name; an error if options that are another game's were given."""
    name: str = getattr(args, "game", "quoridor")
    if name != "quoridor":
        for option in ("preset", "board", "walls"):
            if getattr(args, option, None) is not None:
                raise ConfigError(f"--{option} is an option of quoridor; leave it out for {name}")
    return name


def board_from(args: argparse.Namespace) -> QuoridorState:
    """The state of Quoridor that the board options describe."""
    if args.preset is not None and args.board is not None:
        raise ConfigError("expected --preset or --board, got both; a preset has its own board")
    game = registry.get("quoridor")
    settings = {}
    if args.preset is not None:
        settings = game.settings(QuoridorState(GameConfig.preset(args.preset)))
    for name, value in (("Board", args.board), ("Walls", args.walls)):
        if value is not None:
            settings[name] = value
    state: QuoridorState = game.start(settings, args.position)
    return state


def start_from(args: argparse.Namespace) -> State:
    """The state of any game that the game and board options describe."""
    name = game_from(args)
    if name == "quoridor":
        return board_from(args)
    state: State = registry.get(name).start({}, args.position)
    return state


def add_cluster_options(parser: argparse.ArgumentParser) -> None:
    """Where games are played; no defaults, so that a file's settings stand."""
    parser.add_argument(
        "--backend",
        choices=("local", "ray"),
        help="where games are played: here (the default), or by workers on a Ray cluster",
    )
    parser.add_argument(
        "--address",
        metavar="HOST:PORT",
        help="the cluster (ray), or auto for the one this machine is in; if not given, a new one",
    )


def whole_number(lowest: int, highest: int) -> Callable[[str], int]:
    """An argparse type: a whole number in this range."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and len(text) < 10):
            raise argparse.ArgumentTypeError(f"expected a whole number, got {text!r}")
        if not lowest <= int(text) <= highest:
            raise argparse.ArgumentTypeError(f"expected {lowest} to {highest}, got {text}")
        return int(text)

    return read


def seconds(text: str) -> float:
    """An argparse type: a time from 0 to an hour."""
    try:
        time_s = float(text)
    except ValueError:
        time_s = -1.0
    if not 0 <= time_s <= 3600:
        raise argparse.ArgumentTypeError(f"expected seconds from 0 to 3600, got {text!r}")
    return time_s
