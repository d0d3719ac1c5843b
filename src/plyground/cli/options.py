"""Options that several subcommands share."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from plyground.errors import ConfigError
from plyground.games import registry
from plyground.quoridor import GameConfig, State


def add_board_options(parser: argparse.ArgumentParser) -> None:
    """Which game to start: a preset, or a board and walls, from the start or a position."""
    presets = tuple(GameConfig.PRESETS)
    parser.add_argument("--preset", choices=presets, help=f"the game: {', '.join(presets)}")
    parser.add_argument("--board", metavar="N", help="rows and columns, 3 to 9")
    parser.add_argument("--walls", metavar="N", help="walls each player starts with")
    parser.add_argument("--position", metavar="TEXT", help="the position to start from")


def board_from(args: argparse.Namespace) -> State:
    """The state that the board options describe."""
    if args.preset is not None and args.board is not None:
        raise ConfigError("expected --preset or --board, got both; a preset has its own board")
    game = registry.get("quoridor")
    settings = {}
    if args.preset is not None:
        settings = game.settings(State(GameConfig.preset(args.preset)))
    for name, value in (("Board", args.board), ("Walls", args.walls)):
        if value is not None:
            settings[name] = value
    state: State = game.start(settings, args.position)
    return state


def whole_number(lowest: int, highest: int) -> Callable[[str], int]:
    """An argparse type: a whole number in this range."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and len(text) < 10):
            raise argparse.ArgumentTypeError(f"expected a whole number, got {text!r}")
        if not lowest <= int(text) <= highest:
            raise argparse.ArgumentTypeError(f"expected {lowest} to {highest}, got {text}")
        return int(text)

    return read
