"""Build an opening book from games, or show what was played in a position.

A book counts the first moves of games and how they ended. Positions are joined however they were
reached, and so are mirror images. `add` reads files of records and stores of tournaments; games
that are in the book already are skipped, so after Ctrl-C the same command continues. `show` also
counts the openings in the package, and gives the adviser's chances that are in the analysis cache.
For Reversi it gives the scores of the package's book of deep searches, in discs for the player to
move.

Example: plyground book add games.pgn arena.sqlite
         plyground book show "e2 e8 e3"
         plyground book show --game reversi --json
         plyground book info
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

from plyground.analysis.adviser import adviser_for
from plyground.analysis.book_file import BookFile, default_book
from plyground.analysis.cache import AnalysisCache
from plyground.analysis.explorer import known_chances, local_books
from plyground.analysis.opening_book import PLIES, BookMove, explore
from plyground.cli.options import add_board_options, add_game_option, start_from, whole_number
from plyground.cli.progress import clear_progress, show_progress
from plyground.data.sources import read_records
from plyground.errors import ConfigError
from plyground.folders import make_folder
from plyground.games.lines import play_line
from plyground.hints import counted
from plyground.play import BadGame
from plyground.ui.book_text import format_moves

INTERRUPTED = 130
EVERY = 20
"""Games between two lines of progress."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    actions = parser.add_subparsers(dest="action", metavar="action", required=True)
    add = actions.add_parser("add", help="add games to a book", allow_abbrev=False)
    add.add_argument(
        "sources", nargs="+", type=Path, metavar="FILE", help="file of game records, or a store"
    )
    add.add_argument(
        "--plies",
        type=whole_number(1, 1000),
        default=PLIES,
        metavar="N",
        help=f"moves of both players that are counted of each game (default: {PLIES})",
    )
    show = actions.add_parser("show", help="show the moves of a position", allow_abbrev=False)
    show.add_argument("moves", nargs="?", default="", help="moves that lead to the position")
    add_game_option(show)
    add_board_options(show)
    info = actions.add_parser("info", help="show the size of a book", allow_abbrev=False)
    for action in (add, show, info):
        action.add_argument(
            "--book", type=Path, metavar="FILE", help=f"the book (default: {default_book()})"
        )
    for action in (show, info):
        action.add_argument("--json", action="store_true", help="print the result as JSON")


def run(args: argparse.Namespace) -> int:
    """Run one of the actions."""
    actions = {"add": _add, "show": _show, "info": _info}
    return actions[args.action](args)


def _add(args: argparse.Namespace) -> int:
    path = _path(args)
    for source in args.sources:
        if not source.is_file():
            raise ConfigError(f"there is no file {source}")
    if args.book is None:
        make_folder(path.parent)

    def skip(game: BadGame) -> None:
        clear_progress()
        print(f"skipped: {game}", file=sys.stderr)

    with BookFile(path) as book:
        for source in args.sources:
            try:
                added = book.add_games(
                    read_records(source, on_bad=skip), args.plies, _progress(source)
                )
            except KeyboardInterrupt:
                clear_progress()
                print("stopped; the same command continues there", file=sys.stderr)
                return INTERRUPTED
            clear_progress()
            print(f"{source}: {counted(added, 'new game')}")
        sizes = book.sizes()
    print(f"{path}: {counted(sizes['games'], 'game')}, {counted(sizes['positions'], 'position')}")
    return 0


def _progress(source: Path) -> Callable[[int], None]:
    def show(done: int) -> None:
        if done % EVERY == 0:
            show_progress(f"{source.name}: {counted(done, 'game')}")

    return show


def _show(args: argparse.Namespace) -> int:
    start = start_from(args)
    state = play_line(start, start.game.parse_line(start, args.moves))[-1]
    with local_books(state.game, args.book) as books, AnalysisCache() as cache:
        found = explore(state, books)
        chances = known_chances(adviser_for(state, cache).agent, state, found)
    if args.json:
        print(json.dumps({"position": state.text(), "moves": _facts(found, chances)}))
    else:
        print("\n".join(format_moves(state, found, chances)))
    return 0


def _info(args: argparse.Namespace) -> int:
    with BookFile(_path(args), read_only=True) as book:
        sizes = book.sizes()
    if args.json:
        print(json.dumps({"file": str(_path(args)), **sizes}))
    else:
        print(f"file: {_path(args)}")
        for name, value in sizes.items():
            print(f"{name}: {value:,}")
    return 0


def _facts(found: list[BookMove], chances: dict[int, float]) -> list[dict[str, object]]:
    return [
        {
            "move": each.move,
            "games": each.counts.games,
            "wins1": each.counts.wins1,
            "draws": each.counts.draws,
            "wins2": each.counts.wins2,
            "score": None if each.score is None else each.score.value,
            "chance": chances.get(each.action),
        }
        for each in found
    ]


def _path(args: argparse.Namespace) -> Path:
    path: Path | None = args.book
    return default_book() if path is None else path
