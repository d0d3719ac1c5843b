"""Play, analyse and solve puzzles in a browser, on a page served by this machine.

Every game is saved while it is played, and continues after a restart. --store names the stores of
tournaments to list and watch, by default arena.sqlite in this folder. The settings of a game are
the defaults of new games on the page.

Example: plyground web
         plyground web --host 0.0.0.0            # friends in the same network can join
         plyground web --store arena.sqlite --port 9000 --no-browser
"""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path

from plyground.cli.options import (
    add_game_option,
    game_from,
    seconds,
    start_from,
    start_options,
    whole_number,
)
from plyground.cli.setting_options import add_setting_options
from plyground.extras import needs_extra
from plyground.folders import data_folder

USUAL_STORE = Path("arena.sqlite")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.add_argument(
        "--port",
        type=whole_number(0, 65535),
        default=8017,
        metavar="N",
        help="port (default: 8017)",
    )
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="address to listen on (default: 127.0.0.1, this machine only; "
        "0.0.0.0 is every network of this machine)",
    )
    parser.add_argument(
        "--name", action="append", default=[], help="another host name of this machine"
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")
    parser.add_argument(
        "--store",
        action="append",
        type=Path,
        metavar="FILE",
        help="tournament store to list and watch (default: arena.sqlite)",
    )
    parser.add_argument(
        "--book",
        type=Path,
        metavar="FILE",
        help="opening book of the explorer (default: that of plyground book)",
    )
    parser.add_argument(
        "--agent", action="append", default=[], metavar="AGENT", help="another agent to offer"
    )
    parser.add_argument(
        "--cores",
        type=whole_number(1, 256),
        metavar="N",
        help="searches at the same time (default: all cores)",
    )
    parser.add_argument(
        "--move-time",
        type=seconds,
        default=5.0,
        metavar="S",
        help="longest search of a move in seconds (default: 5)",
    )
    add_game_option(parser)
    add_setting_options(parser)


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    with needs_extra("plyground web needs Starlette, uvicorn and websockets"):
        for module in ("starlette", "uvicorn", "websockets"):
            import_module(module)
    from plyground.analysis.book_file import BookFile, default_book
    from plyground.analysis.cache import AnalysisCache
    from plyground.arena.store import Store
    from plyground.http_host import LOOPBACK
    from plyground.machine import available_cores
    from plyground.ui.web.config import WebConfig
    from plyground.ui.web.server import serve

    stores = args.store or ([USUAL_STORE] if USUAL_STORE.is_file() else [])
    for store in stores:
        Store(store, read_only=True).close()  # says what is wrong with it
    if args.book is not None:
        BookFile(args.book, read_only=True).close()
    config = WebConfig(
        folder=data_folder("web"),
        host=args.host,
        port=args.port,
        names=tuple(args.name),
        stores=tuple(stores),
        book=args.book or default_book(),
        # The terminal's games are private to this machine.
        autosaves=data_folder("autosave") if args.host in LOOPBACK else None,
        agents=tuple(args.agent),
        settings=_usual_settings(args),
        move_time_s=args.move_time,
        cores=args.cores or available_cores(),
    )
    serve(config, AnalysisCache(), browse=not args.no_browser)
    return 0


def _usual_settings(args: argparse.Namespace) -> dict[str, dict[str, str]]:
    """The settings of new games, by the game's name."""
    if not start_options(args):
        return {}
    game = game_from(args)
    return {game.name: game.settings(start_from(args))}
