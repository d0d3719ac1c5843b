"""Make a page with plots from the games of a store that `plyground arena` keeps.

The page, index.html, has everything in itself: Elo with intervals, who beats whom, the first move,
draws, lengths, times, walls, openings and speed, board by board. Beside it lie its plots as SVG and
PNG files. The store may be in use. `plyground games` lists and exports the games themselves.

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
    parser.add_argument("store", help="the file, such as arena.sqlite")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FOLDER",
        help="where the page and the plots go (default: arena-report for arena.sqlite)",
    )
    parser.add_argument(
        "--tournament", type=whole_number(1, 10**9), metavar="N", help="of its games alone"
    )


def run(args: argparse.Namespace) -> int:
    """Write the report and say where it is."""
    folder = args.out or Path(f"{Path(args.store).stem}-report")
    with Store(args.store, read_only=True) as store:
        if args.tournament is not None:
            store.check_tournament(args.tournament)
        print(write_report(store, folder, Filter(tournament=args.tournament)))
    return 0
