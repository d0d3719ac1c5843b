"""Solve a small board of Quoridor: the winner with perfect play, the plies it takes, and a line.

The solved game has no draw counters; repeated moves draw. The output says if --max-moves
or --no-progress would draw the game before the win. A game whose tables do not fit into --max-mb is
rejected. Large boards can be solved from a position with few walls left.

Example: plyground solve --board 5 --walls 2
"""

from __future__ import annotations

import argparse
import json

from plyground.cli.options import add_board_options, start_from, whole_number
from plyground.cli.progress import clear_progress, show_progress
from plyground.errors import ConfigError
from plyground.games.lines import format_line
from plyground.games.quoridor import State, expect_state
from plyground.hints import counted
from plyground.json_types import JsonObject
from plyground.search.quoridor_solver import MAX_MB, Solution, solve


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
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
    state = expect_state(start_from(args))
    try:
        solution = solve(state, max_mb=args.max_mb, progress=show_tables)
    except MemoryError:
        raise ConfigError(f"no memory for tables of up to {args.max_mb} MB") from None
    finally:
        clear_progress()
    if args.json:
        print(json.dumps(as_dict(solution, state)))
        return 0
    print(solution.start.text().rsplit(" ", 2)[0])
    print(verdict(solution))
    if (plies := drawn_after(state, solution.line)) is not None:
        print(f"the draw rules of these settings end it after {counted(plies, 'ply', 'plies')}")
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
    plies = counted(solution.plies, "ply", "plies")
    return f"player {solution.winner} wins in {plies} with perfect play"


def drawn_after(state: State, line: list[int]) -> int | None:
    """The plies after which a state's settings draw a line; None if its last move wins."""
    for plies, action in enumerate(line):
        if state.game_over:
            return plies
        state = state.play(action)
    return None


def moves(solution: Solution) -> dict[str, int]:
    """Each first move and the plies to the end, negative where its player loses."""
    values = solution.action_values(solution.start)
    return {solution.start.format_move(action): value for action, value in values.items()}


def as_dict(solution: Solution, state: State) -> JsonObject:
    """The solution as a JSON object; the state has the settings of the game."""
    return {
        "position": solution.start.text(),
        "board_size": solution.start.board_size,
        "winner": solution.winner,
        "plies": solution.plies,
        "drawn_after": drawn_after(state, solution.line),
        "line": [*format_line(solution.start, solution.line).split()],
        "moves": {**moves(solution)},
        "positions": solution.positions,
        "memory_bytes": solution.memory_bytes,
        "time_s": solution.time_s,
    }


def numbered(start: State, line: list[int]) -> str:
    """A line with move numbers, as game records have it."""
    words: list[str] = []
    for turn, move in enumerate(format_line(start, line).split(), start.current_player - 1):
        if turn % 2 == 0 or not words:
            words.append(f"{turn // 2 + 1}{'.' if turn % 2 == 0 else '...'}")
        words.append(move)
    return " ".join(words)


def show_tables(done: int, tables: int) -> None:
    """Show how many tables are done."""
    show_progress(
        f"{done:,} of {tables:,} tables, {done / tables:.0%}" if tables else "counting layouts"
    )
