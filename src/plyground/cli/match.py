"""Play a match between two agents and estimate which is stronger.

Each opening is played twice, with colours swapped. Quoridor's openings come from a book of
positions close to even for every board with its usual walls; otherwise a short search finds them.
Reversi's come from the XOT list. `plyground arena` plays any number of agents, keeps the games, and
can be stopped and continued.

An agent that does not start, crashes, hangs, exceeds its time or plays an illegal move loses that
game by forfeit. The exit status is 1 if an agent lost every game by forfeit, or failed to start
three times in a row.

Example: plyground match engine:time=0.1 minimax:depth=3 --games 40 --workers 2
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from plyground.arena.config import ArenaConfig
from plyground.arena.store import Store
from plyground.arena.summary import format_pair, summarize_pair
from plyground.arena.task import GameResult
from plyground.cli.arena import (
    INTERRUPTED,
    add_condition_options,
    play,
    prepare,
    report_failures,
    settings_from,
)
from plyground.cli.options import whole_number
from plyground.errors import ConfigError
from plyground.hints import reason_of
from plyground.play import format_record


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.add_argument("first", help="agent whose score is shown, e.g. engine:time=0.1")
    parser.add_argument("second", help="its opponent")
    parser.add_argument(
        "--games",
        type=whole_number(2, 1_000_000),
        default=20,
        metavar="N",
        help="number of games, even (default: 20)",
    )
    parser.add_argument(
        "--workers",
        type=whole_number(1, 1024),
        default=1,
        metavar="N",
        help="games in parallel (default: 1)",
    )
    add_condition_options(parser)
    parser.add_argument(
        "--pgn", "--save", dest="save", metavar="FILE", help="file to append the games' records to"
    )
    parser.add_argument("--json", action="store_true", help="print the result as a JSON object")


def run(args: argparse.Namespace) -> int:
    """Play the match and print the score; after Ctrl-C the score so far."""
    config = ArenaConfig.of(settings_from(args) | {"agents": (args.first, args.second)})

    def save(game: GameResult) -> None:
        if args.save is not None:
            try:
                with Path(args.save).open("a", encoding="utf-8") as file:
                    file.write(format_record(game.record) + "\n")
            except OSError as error:
                raise ConfigError(f"cannot write {args.save}: {reason_of(error)}") from error

    with Store(":memory:") as store:
        tournament = prepare(config, store, log=args.log)
        status = play(tournament, save, args.ratinginterval)
        if status == INTERRUPTED:
            print("stopped; this is the score so far", file=sys.stderr)
        if args.json:
            failures = {"failures": [*tournament.failures()]}
            print(json.dumps(summarize_pair(tournament.crosstable) | failures))
        else:
            print(format_pair(tournament.crosstable))
        return status or report_failures(tournament)
