"""Solve a position to the end of the game: the result with perfect play, and a perfect game.

Quoridor is solved on small boards, for the winner and the plies. Its solved game has no draw
counters; repeated moves draw. The output says if --max-moves or --no-progress would draw the game
before the win. A game whose tables do not fit into --max-mb is rejected. Large boards can be solved
from a position with few walls left.

Reversi is solved for the score, on 4x4 and 6x6 from the start, on 8x8 from late positions.

Example: plyground solve --board 5 --walls 2
"""

from __future__ import annotations

import argparse
import json

from plyground.cli.options import add_board_options, add_game_option, start_from, whole_number
from plyground.cli.progress import clear_progress, show_progress
from plyground.errors import ConfigError
from plyground.search.quoridor_solver import MAX_MB
from plyground.search.solved_board import numbered


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    add_game_option(parser)
    add_board_options(parser)
    parser.add_argument(
        "--moves", action="store_true", help="also print the value of each first move"
    )
    parser.add_argument(
        "--max-mb",
        type=whole_number(1, 1 << 20),
        default=MAX_MB,
        metavar="MB",
        help=f"maximum size of the tables in MB (default: {MAX_MB})",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Solve, with progress on standard error, and print the solution."""
    state = start_from(args)
    try:
        solved = state.game.solve_board(state, args.max_mb, show_tables)
    except MemoryError:
        raise ConfigError(f"no memory for tables of up to {args.max_mb} MB") from None
    finally:
        clear_progress()
    if args.json:
        print(json.dumps(solved.as_dict()))
        return 0
    print("\n".join(solved.lines()))
    if solved.line:
        print("\n" + numbered(solved.start, solved.line))
    if args.moves:
        moves = solved.moves()
        print("\n" + "\n".join(f"{move:<4} {value}" for move, value in moves.items()))
    return 0


def show_tables(done: int, tables: int) -> None:
    """Show how many tables are done."""
    show_progress(
        f"{done:,} of {tables:,} tables, {done / tables:.0%}" if tables else "counting layouts"
    )
