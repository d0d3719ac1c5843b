"""Play a match between two agents and say which is stronger.

Each opening is played twice, with the colours swapped. In Quoridor openings come from the book of
those that the network scores close to even; on boards without a book a short search chooses them.
In Reversi they come from the XOT list. `plyground arena` does the same for any number of agents,
keeps the games and can be stopped and continued.

Example: plyground match engine:time=0.1 minimax:depth=3 --games 40 --workers 2
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from plyground.arena.config import ArenaConfig
from plyground.arena.store import Store
from plyground.arena.table import as_dict, format_pair
from plyground.arena.task import Finished
from plyground.cli.arena import add_condition_options, play, prepare, settings_from
from plyground.cli.options import whole_number
from plyground.errors import ConfigError
from plyground.play import format_record


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.add_argument("first", help="the agent whose score is shown, such as engine:time=0.1")
    parser.add_argument("second", help="its opponent")
    parser.add_argument(
        "--games", type=whole_number(2, 1_000_000), default=20, help="an even number (default: 20)"
    )
    parser.add_argument(
        "--workers", type=whole_number(1, 1024), default=1, help="games at a time (default: 1)"
    )
    add_condition_options(parser)
    parser.add_argument("--save", metavar="FILE", help="append the records of all games to a file")
    parser.add_argument("--json", action="store_true", help="print the result as a JSON object")


def run(args: argparse.Namespace) -> int:
    """Play and keep the score; Ctrl-C shows the score so far."""
    config = ArenaConfig.of(settings_from(args) | {"agents": (args.first, args.second)})

    def save(game: Finished) -> None:
        if args.save is not None:
            try:
                with Path(args.save).open("a", encoding="utf-8") as file:
                    file.write(format_record(game.record) + "\n")
            except OSError as error:
                raise ConfigError(f"cannot write {args.save}: {error.strerror}") from error

    with Store(":memory:") as store:
        tournament = prepare(config, store)
        status = play(tournament, save)
        if status:
            print("stopped; this is the score so far", file=sys.stderr)
        if args.json:
            print(json.dumps(as_dict(tournament.scores)["pair"]))
        else:
            print(format_pair(tournament.scores))
    return status
