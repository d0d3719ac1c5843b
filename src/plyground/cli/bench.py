"""Measure how fast the rules are, beside plain Python and, where installed, OpenSpiel.

Example: plyground bench rules --seconds 1
"""

from __future__ import annotations

import argparse
import json
import math
import sys

from plyground.bench.rules import PERFT_4, Measurement, Report, measure
from plyground.cli.info import collect
from plyground.cli.options import whole_number


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.add_argument("what", choices=("rules",), help="what to measure: rules")
    parser.add_argument(
        "--seconds",
        type=positive_number,
        default=0.5,
        metavar="N",
        help="time for each set of random playouts (default: 0.5)",
    )
    parser.add_argument(
        "--repeats",
        type=whole_number(1, 1000),
        default=5,
        metavar="N",
        help="how often to measure everything (default: 5)",
    )
    parser.add_argument("--no-openspiel", action="store_true", help="leave OpenSpiel out")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Measure, with progress on standard error, and print a table."""
    report = measure(args.seconds, args.repeats, not args.no_openspiel, show_progress)
    show_progress("")
    facts = collect()
    if args.json:
        print(json.dumps({"machine": facts, "repeats": args.repeats, **report.as_dict()}))
        return 0
    print(f"plyground {facts['plyground']} ({facts['core']}), {facts['python']}, {facts['cpu']}\n")
    print(f"{'one thread':<40}{'median':>14}{'best':>14}")
    for measurement in report.measurements.values():
        print(f"{measurement.name:<40}{row(measurement)}")
    print()
    print_notes(report, args.no_openspiel)
    return 0


def row(measurement: Measurement) -> str:
    """Median, best and unit, with as many digits as mean something."""
    digits = 0 if measurement.median >= 100 else 1
    return (
        f"{measurement.median:>14,.{digits}f}{measurement.best:>14,.{digits}f}  {measurement.unit}"
    )


def print_notes(report: Report, no_openspiel: bool) -> None:
    """Seconds, ratios and sizes, below the table."""
    plain, table = (PERFT_4 / report.measurements[key].median for key in ("perft", "perft_table"))
    print(f"perft(4) takes {plain:.3f} s, with the table {table:.3f} s")
    names = {"reference": "the plain Python rules", "openspiel": "OpenSpiel"}
    for key, ratio in report.ratios.items():
        print(f"playouts, times as fast as {names[key]}: {ratio:,.2f}")
    if report.openspiel_version is None and not no_openspiel:
        print("OpenSpiel is not installed; pip install open_spiel puts it beside")
    print(f"a State takes {report.state_bytes} bytes")


def show_progress(text: str) -> None:
    """Overwrite one line of the terminal, if there is one."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def positive_number(text: str) -> float:
    """An argparse type: a time in seconds."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"expected a number above 0, got {text!r}")
    return value
