"""Solve a small board exactly: who wins with perfect play, in how many plies, and how.

There are no draw counters; repeating moves draws. A game whose tables do not fit in --max-mb is
refused. Large boards can be solved from a position on in which few walls are left.

Example: plyground solve --board 5 --walls 2
"""

from __future__ import annotations

import argparse
import json
import sys

from plyground.cli.options import add_board_options, board_from, whole_number
from plyground.errors import ConfigError
from plyground.quoridor import State, action_to_notation
from plyground.search.solver import MAX_MB, Solution, solve


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    add_board_options(parser)
    parser.add_argument("--moves", action="store_true", help="show the value of each first move")
    parser.add_argument(
        "--max-mb",
        type=whole_number(1, 1 << 20),
        default=MAX_MB,
        metavar="MB",
        help=f"memory that the tables may take (default: {MAX_MB})",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Solve, with progress on standard error, and print what was found."""
    state = board_from(args)
    try:
        solution = solve(state, max_mb=args.max_mb, progress=show_progress)
    except MemoryError:
        raise ConfigError(f"no memory for tables of up to {args.max_mb} MB") from None
    finally:
        clear_progress()
    if args.json:
        print(json.dumps(as_dict(solution)))
        return 0
    print(solution.start.text().rsplit(" ", 2)[0])
    print(verdict(solution))
    size_mb = solution.memory_bytes / 2**20
    print(
        f"{solution.positions:,} positions in {solution.time_s:.2f} s, {size_mb:,.1f} MB of tables"
    )
    if solution.line:
        print("\n" + numbered(solution.start, solution.line))
    if args.moves:
        print("\n" + "\n".join(f"{move:<4} {value}" for move, value in moves(solution).items()))
    return 0


def verdict(solution: Solution) -> str:
    """The result in one sentence."""
    if solution.winner is None:
        return "a draw with perfect play"
    return f"player {solution.winner} wins in {solution.plies} plies with perfect play"


def moves(solution: Solution) -> dict[str, int]:
    """Each first move and the plies to the end, negative where its player loses."""
    size = solution.start.board_size
    values = solution.action_values(solution.start)
    return {action_to_notation(action, size): value for action, value in values.items()}


def as_dict(solution: Solution) -> dict[str, object]:
    """Everything there is to tell."""
    size = solution.start.board_size
    return {
        "position": solution.start.text(),
        "board_size": size,
        "winner": solution.winner,
        "plies": solution.plies,
        "line": [action_to_notation(action, size) for action in solution.line],
        "moves": moves(solution),
        "positions": solution.positions,
        "memory_bytes": solution.memory_bytes,
        "time_s": solution.time_s,
    }


def numbered(start: State, line: list[int]) -> str:
    """A line as game records have it."""
    words: list[str] = []
    for turn, action in enumerate(line, start.current_player - 1):
        if turn % 2 == 0 or not words:
            words.append(f"{turn // 2 + 1}{'.' if turn % 2 == 0 else '...'}")
        words.append(action_to_notation(action, start.board_size))
    return " ".join(words)


def show_progress(done: int, tables: int) -> None:
    """Overwrite one line of the terminal, if there is one."""
    if sys.stderr.isatty():
        text = (
            f"{done:,} of {tables:,} tables, {done / tables:.0%}" if tables else "counting layouts"
        )
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def clear_progress() -> None:
    """Leave no trace of it."""
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
