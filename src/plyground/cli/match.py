"""Play a match between two agents and say which is stronger.

Each opening is played twice, with the colours swapped. In Quoridor openings come from the book of
those that the network scores close to even; on boards without a book a short search chooses them.
In Reversi they come from the XOT list.

Example: plyground match engine:time=0.1 minimax:depth=3 --games 40 --workers 2
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path

from plyground.arena import MatchScore, match_openings, play_match, reversi_openings
from plyground.cli.options import (
    add_board_options,
    add_game_option,
    board_from,
    game_from,
    whole_number,
)
from plyground.errors import ConfigError
from plyground.games.base import State
from plyground.play import format_record


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.add_argument("first", help="the agent whose score is shown, such as engine:time=0.1")
    parser.add_argument("second", help="its opponent")
    add_game_option(parser)
    add_board_options(parser)
    parser.add_argument(
        "--games", type=whole_number(2, 1_000_000), default=20, help="an even number (default: 20)"
    )
    parser.add_argument(
        "--workers", type=whole_number(1, 256), default=1, help="games at a time (default: 1)"
    )
    parser.add_argument(
        "--seed", type=whole_number(0, 10**9 - 1), default=1, help="of the openings (default: 1)"
    )
    parser.add_argument("--save", metavar="FILE", help="append the records of all games to a file")
    parser.add_argument("--json", action="store_true", help="print the result as a JSON object")


def run(args: argparse.Namespace) -> int:
    """Play and keep the score; Ctrl-C shows the score so far."""
    if args.games % 2:
        raise ConfigError(f"expected an even number of games, got {args.games}")
    if args.position is not None:
        raise ConfigError("a match makes its own openings; leave out --position")
    openings = openings_for(args)
    score = MatchScore()
    status = 0
    try:
        for game in play_match(args.first, args.second, openings, args.game, workers=args.workers):
            score.add(game)
            if args.save is not None:
                with Path(args.save).open("a", encoding="utf-8") as file:
                    file.write(format_record(game.record) + "\n")
            print(f"\r{score.games}/{args.games}  {score}\x1b[K", end="", file=sys.stderr)
    except KeyboardInterrupt:
        status = 130
    except OSError as error:
        raise ConfigError(f"cannot write {args.save}: {error.strerror}") from error
    print(file=sys.stderr)
    estimate = score.estimate()
    if args.json:
        low, high = estimate.elo_interval
        result = {
            "first": args.first,
            "second": args.second,
            "wins": score.wins,
            "draws": score.draws,
            "losses": score.losses,
            "score": estimate.score,
            "elo": [low, estimate.elo, high],
        }
        print(json.dumps(result))
    else:
        print(f"{args.first} against {args.second}, {score.games} games: {score}")
    return status


def openings_for(args: argparse.Namespace) -> Sequence[State]:
    """An opening for each pair of games."""
    count, rng = args.games // 2, random.Random(args.seed)
    if game_from(args) == "quoridor":
        return match_openings(board_from(args).config, count, rng)
    return reversi_openings(count, rng)
