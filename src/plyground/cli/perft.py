"""Count the move paths of each length from a position, to check the rules and their speed.

Example: plyground perft 4 --preset small --divide
"""

from __future__ import annotations

import argparse
import json
from time import perf_counter

from plyground.cli.options import add_board_options, add_game_option, start_from, whole_number
from plyground.errors import ConfigError
from plyground.games.base import State


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.add_argument("depth", type=whole_number(0, 99), help="largest number of plies")
    add_game_option(parser)
    add_board_options(parser)
    parser.add_argument(
        "--divide", action="store_true", help="also print the count for each first move"
    )
    parser.add_argument(
        "--hash-mb",
        type=whole_number(0, 1 << 20),
        default=0,
        metavar="MB",
        help="size of the table of counted positions in MB (default: 0, no table)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Count depth by depth, printing as it goes."""
    state = start_from(args)
    try:
        count(state, args)
    except MemoryError:
        raise ConfigError(f"no memory for a table of {args.hash_mb} MB") from None
    except OverflowError as error:
        raise ConfigError(f"cannot count that deep: {error}") from None
    return 0


def count(state: State, args: argparse.Namespace) -> None:
    """Print the number of paths for each length up to the depth."""
    depths = []
    if not args.json:
        print(f"{state.text()}\n\n{'depth':>5}  {'leaves':>20}  {'seconds':>9}  {'leaves/s':>14}")
    for depth in range(min(1, args.depth), args.depth + 1):
        started = perf_counter()
        leaves = state.perft(depth, args.hash_mb)
        seconds = perf_counter() - started
        depths.append({"depth": depth, "leaves": leaves, "seconds": seconds})
        if not args.json:
            rate = leaves / seconds if seconds else 0
            print(f"{depth:>5}  {leaves:>20,}  {seconds:>9.3f}  {rate:>14,.0f}", flush=True)
    divided = divide(state, args) if args.divide and args.depth else {}
    if args.json:
        report = {"position": state.text(), "hash_mb": args.hash_mb, "depths": depths}
        print(json.dumps(report | ({"divide": divided} if args.divide else {})))
    elif divided:
        print()
        for move, leaves in divided.items():
            print(f"{move:<5}  {leaves:>20,}")


def divide(state: State, args: argparse.Namespace) -> dict[str, int]:
    """The paths behind each first move; their sum is the whole count."""
    return {
        state.format_move(action): state.play(action).perft(args.depth - 1, args.hash_mb)
        for action in state.legal_actions()
    }
