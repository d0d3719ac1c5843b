"""Measure the speed of the rules or the searches, or summarize the boards in one table.

Example: plyground bench search --quick
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path

from plyground.bench import depth_table, quoridor_search, quoridor_summary, rules
from plyground.bench.quoridor_positions import BOARD_SIZES
from plyground.bench.quoridor_search_plot import check_plot, write_plot
from plyground.bench.quoridor_search_table import format_report
from plyground.cli.info import collect
from plyground.cli.options import whole_number
from plyground.cli.progress import clear_progress, show_progress
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.machine import available_cores
from plyground.study.markdown import format_markdown


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parts = parser.add_subparsers(dest="what", metavar="what", required=True)
    for name, summary, add in (
        ("rules", "the rules, compared with plain Python and OpenSpiel if installed", add_rules),
        (
            "search",
            "minimax, alpha-beta and engine of Quoridor on 3x3, 5x5 and 9x9, or a table by depth "
            "for one game",
            add_search,
        ),
        (
            "summary",
            "branching, game length and nodes by board and depth in one table",
            add_summary,
        ),
    ):
        part = parts.add_parser(
            name,
            help=summary,
            description=f"Measure {summary}.",
            epilog=f"Example: plyground bench {name} --json",
            allow_abbrev=False,
        )
        add(part)
        part.add_argument("--json", action="store_true", help="print one JSON object")


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Describe the command line of `bench rules`."""
    parser.add_argument(
        "--seconds",
        type=positive_number,
        default=0.5,
        metavar="N",
        help="seconds for each set of random playouts (default: 0.5)",
    )
    parser.add_argument(
        "--repeats",
        type=whole_number(1, 1000),
        default=5,
        metavar="N",
        help="number of repetitions of each measurement (default: 5)",
    )
    parser.add_argument("--no-openspiel", action="store_true", help="do not measure OpenSpiel")


def add_search(parser: argparse.ArgumentParser) -> None:
    """Describe the command line of `bench search`."""
    parser.add_argument(
        "--game",
        choices=sorted(registry.games()),
        help="game whose minimax and alpha-beta are measured by depth: nodes, ms, branching",
    )
    parser.add_argument(
        "--board",
        type=whole_number(3, 9),
        choices=BOARD_SIZES,
        metavar="N",
        help=f"only one board size: {', '.join(map(str, BOARD_SIZES))} (default: all)",
    )
    parser.add_argument(
        "--quick", action="store_true", help="measure for seconds instead of minutes"
    )
    parser.add_argument(
        "--plot", type=Path, metavar="FILE", help="file for a plot: .svg, .png or .pdf"
    )


def add_summary(parser: argparse.ArgumentParser) -> None:
    """Describe the command line of `bench summary`."""
    parser.add_argument(
        "--presets",
        nargs="+",
        choices=quoridor_summary.PRESETS,
        default=quoridor_summary.PRESETS,
        metavar="NAME",
        help=f"boards (default: {' '.join(quoridor_summary.PRESETS)})",
    )
    parser.add_argument(
        "--games",
        type=whole_number(2, 1_000_000),
        default=100,
        metavar="N",
        help="games per board, for branching and game length (default: 100)",
    )
    parser.add_argument(
        "--seed",
        type=whole_number(0, 10**9),
        default=1,
        metavar="N",
        help="seed of the openings (default: 1)",
    )


def run(args: argparse.Namespace) -> int:
    """Measure, with progress on standard error, and print tables or JSON."""
    commands = {"rules": run_rules, "search": run_search, "summary": run_summary}
    try:
        return commands[args.what](args)
    except KeyboardInterrupt:
        clear_progress()
        raise


def run_rules(args: argparse.Namespace) -> int:
    """Measure the rules and print a table."""
    report = rules.measure(args.seconds, args.repeats, not args.no_openspiel, show_progress)
    clear_progress()
    if args.json:
        print(json.dumps({"machine": collect(), "repeats": args.repeats, **report.as_dict()}))
        return 0
    print_machine()
    print(f"{'one thread':<40}{'median':>14}{'best':>14}")
    for measurement in report.measurements.values():
        print(f"{measurement.name:<40}{row(measurement)}")
    print()
    print_notes(report, args.no_openspiel)
    return 0


def run_search(args: argparse.Namespace) -> int:
    """Measure the searches, print tables, and draw a plot if there is a file for it."""
    if args.game is not None:
        return run_depths(args)
    if args.plot is not None:
        check_plot(args.plot)
    sizes = BOARD_SIZES if args.board is None else (args.board,)
    budget = quoridor_search.QUICK if args.quick else quoridor_search.FULL
    boards = quoridor_search.measure(sizes, budget, available_cores(), show_progress)
    clear_progress()
    if args.json:
        reports = {str(board.board_size): board.as_dict() for board in boards}
        print(json.dumps({"machine": collect(), "quick": args.quick, "boards": reports}))
    else:
        print_machine()
        print(format_report(boards))
    if args.plot is not None:
        write_plot(boards, args.plot)
    return 0


def run_summary(args: argparse.Namespace) -> int:
    """Measure each board and print one table."""
    boards = quoridor_summary.summarize(args.presets, args.games, args.seed, show_progress)
    clear_progress()
    if args.json:
        summaries = {board.preset: board.as_dict() for board in boards}
        print(json.dumps({"machine": collect(), "boards": summaries}))
        return 0
    print_machine()
    print(summary_table(boards))
    print(
        f"\nLegal moves and game length are from {args.games} games per board of minimax at depth "
        f"{quoridor_summary.PLAYER_DEPTH} against itself, from random openings;\nthe length is the "
        "median, with the lowest and the highest tenth. Nodes are the average of fixed positions."
    )
    return 0


def summary_table(boards: list[quoridor_summary.BoardSummary]) -> str:
    """A row for each board and depth; the board's own columns are in its first row."""
    header = ["board", "state bytes", "actions", "legal moves", "game length", "depth"]
    header += ["minimax nodes", "alpha-beta nodes", "pruned", "ms"]
    rows: list[list[str]] = []
    for board in boards:
        low, middle, high = board.game_length
        own = [
            f"{board.preset} ({board.board_size}x{board.board_size})",
            str(board.state_bytes),
            str(board.actions),
            f"{board.branching:.1f}",
            f"{middle} ({low} to {high})",
        ]
        for row in board.depths:
            figures = [f"{row.minimax:,.0f}", f"{row.alphabeta:,.0f}", f"{row.pruned:.1%}"]
            rows.append([*own, str(row.depth), *figures, f"{row.milliseconds:.2f}"])
            own = [""] * len(own)
    return format_markdown(header, rows)


def run_depths(args: argparse.Namespace) -> int:
    """Measure the textbook searches of a game by depth and print a table."""
    for option in ("board", "plot"):
        if vars(args)[option] is not None:
            raise ConfigError(f"--game measures by depth; leave out --{option}")
    game = registry.get(args.game)
    rows = depth_table.measure_depths(game, args.quick, show_progress)
    clear_progress()
    count = depth_table.QUICK_POSITIONS if args.quick else depth_table.POSITIONS
    if args.json:
        depths = [row.as_dict() for row in rows]
        machine = collect()
        print(json.dumps({"machine": machine, "game": game.name, "depths": depths}))
    else:
        print_machine()
        print(depth_table.format_depths(rows, game, count))
    return 0


def print_machine() -> None:
    """Print the version and the machine."""
    facts = collect()
    print(f"plyground {facts['plyground']} ({facts['core']}), {facts['python']}, {facts['cpu']}\n")


def row(measurement: rules.Measurement) -> str:
    """Median, best and unit."""
    digits = 0 if measurement.median >= 100 else 1
    return (
        f"{measurement.median:>14,.{digits}f}{measurement.best:>14,.{digits}f}  {measurement.unit}"
    )


def print_notes(report: rules.RulesReport, no_openspiel: bool) -> None:
    """Print seconds, ratios and sizes below the table."""
    perft = (rules.PERFT_4 / report.measurements[key].median for key in ("perft", "perft_table"))
    plain, table = perft
    print(f"perft(4) takes {plain:.3f} s, with the table {table:.3f} s")
    names = {"reference": "the plain Python rules", "openspiel": "OpenSpiel"}
    for key, ratio in report.ratios.items():
        print(f"playouts, speedup over {names[key]}: {ratio:,.2f}")
    if report.openspiel_version is None and not no_openspiel:
        print("OpenSpiel is not installed: pip install open_spiel adds it to the comparison")
    print(f"a State takes {report.state_bytes} bytes, {report.core_bytes} of them in the core")


def positive_number(text: str) -> float:
    """An argparse type: a time in seconds."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"expected a number above 0, got {text!r}")
    return value
