"""Write a page with plots about the games in a store of `plyground arena`.

The page, index.html, is self-contained: for each board Elo with intervals, results of pairings, the
advantage of the first move, draws, lengths, times, openings and speed. Its plots are also written
as SVG and PNG files. A tournament may be using the store. `plyground games` lists and exports the
games themselves.

Example: plyground report arena.sqlite
         plyground report arena.sqlite --tournament 2 --out ladder
"""

from __future__ import annotations

import argparse
from pathlib import Path

from plyground.arena.report import write_report
from plyground.arena.store import Filter, Store
from plyground.cli.options import whole_number


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.add_argument("store", help="store or records of games, e.g. arena.sqlite or games.pgn")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FOLDER",
        help="folder of the page and the plots (default: arena-report for arena.sqlite)",
    )
    parser.add_argument(
        "--tournament",
        type=whole_number(1, 10**9),
        metavar="N",
        help="only games of this tournament",
    )


def run(args: argparse.Namespace) -> int:
    """Write the report and print the page's path."""
    folder = args.out or Path(f"{Path(args.store).stem}-report")
    with Store(args.store, read_only=True) as store:
        if args.tournament is not None:
            store.check_tournament(args.tournament)
        print(write_report(store, folder, Filter(tournament=args.tournament)))
    return 0
