"""Check whether a program speaks the engine protocol, and play games with it.

The checks cover the lines of docs/protocol.md: start, options, positions, limits, both clocks,
stop, ponder, invalid lines, the speed of isready, and the end. A failed check is shown with the
lines that were exchanged, '>' to the program and '<' from it; the exit status is then 1.

Example: plyground check-engine ./theirs
         plyground check-engine 'python3 theirs.py --fast' --game reversi
         plyground check-engine 'cmd=./theirs,option.Hash=64' --preset small --games 4
"""

from __future__ import annotations

import argparse
import json

from plyground.agents.engine_file import EngineProgram
from plyground.arena.engine_check import TIMEOUT_S, EngineChecker
from plyground.cli.options import (
    add_board_options,
    add_game_option,
    positive_seconds,
    start_from,
    whole_number,
)
from plyground.play.worker import one_line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.add_argument("program", metavar="CMD", help="command of the program, as one argument")
    add_game_option(parser)
    add_board_options(parser)
    parser.add_argument(
        "--games",
        type=whole_number(0, 10_000),
        default=20,
        metavar="N",
        help="games against random moves (default: 20)",
    )
    parser.add_argument(
        "--timeout",
        type=positive_seconds,
        default=TIMEOUT_S,
        metavar="S",
        help="seconds for an answer that needs no search, and after a time limit (default: 1)",
    )
    parser.add_argument("--verbose", action="store_true", help="show the lines of every check")
    parser.add_argument("--json", action="store_true", help="print the result as a JSON object")


def run(args: argparse.Namespace) -> int:
    """Run the checks; returns 1 if one failed."""
    program = EngineProgram.of(args.program.removeprefix("engine:"))
    results = []
    for result in EngineChecker(program, start_from(args), args.games, args.timeout).run():
        results.append(result)
        if args.json:
            continue
        mark = "ok  " if result.passed else "FAIL"
        print(f"{mark}  {result.name}: {one_line(result.note)}", flush=True)
        if args.verbose or not result.passed:
            for line in result.lines:
                print(f"        {one_line(line)}")
    failed = sum(not result.passed for result in results)
    if args.json:
        checks = [
            {"name": one.name, "passed": one.passed, "note": one.note, "lines": list(one.lines)}
            for one in results
        ]
        print(json.dumps({"failed": failed, "checks": checks}))
    elif failed:
        print(f"{failed} of {len(results)} checks failed; the protocol is in docs/protocol.md")
    else:
        print(f"all {len(results)} checks passed")
    return 1 if failed else 0
