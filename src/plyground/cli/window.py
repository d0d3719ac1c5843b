"""Play, watch and replay games in a window.

WHAT is a game to play, or a file to look at: game records, or the store of a tournament, whose
newest games are shown as they end. A seat is 'human', a level (easy, normal, hard, expert, master)
or an agent such as 'engine:time=1'. With no options at all, a form asks.

Example: plyground window reversi --level hard
         plyground window game.pgn
         plyground window arena.sqlite
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from plyground.cli.game_options import (
    add_game_options,
    add_text,
    check_game_options,
    continued_game,
    new_game,
    people_and_level,
    where_games_are_kept,
)
from plyground.errors import ConfigError
from plyground.folders import data_folder
from plyground.games import registry
from plyground.play import LiveGame, Record, format_record
from plyground.play.autosave import ResumedGame, find_game
from plyground.play.game_file import read_game
from plyground.ui.table import Table

USUAL_LEVEL = "normal"
OPTIONS = ("preset", "board", "walls", "position", "p1", "p2", "level", "time", "load", "seed")
"""Those that say which game it is to be; with none of them, a form asks."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    games = " or ".join(registry.GAMES)
    parser.add_argument("what", nargs="?", metavar="WHAT", help=f"{games}, or a file to look at")
    add_game_options(parser)
    parser.add_argument("--theme", choices=("light", "dark"), default="light", help="the colours")
    parser.add_argument("--size", type=_size, metavar="WxH", help="of the window, such as 1200x860")


def run(args: argparse.Namespace) -> int:
    """Show the window until it is closed."""
    # It needs a toolkit that may be missing, which is better heard before anything is begun.
    from plyground.ui.desktop.session import Session
    from plyground.ui.desktop.theme import THEMES
    from plyground.ui.desktop.window import Window
    from plyground.ui.desktop.wishes import Shown

    file, asks = _what(args)
    table = _table(args)
    session = Session(table, Shown(args.flip or table.faces_player_2, True, args.paths))
    try:
        if file is not None:
            session.open(file, args.speed)
        window = Window(session, THEMES[args.theme], args.size)
        if file is None:
            session.start()
        if asks:
            window.do("new")
        window.run()
    finally:
        if session.leave():
            print("the game is kept: 'plyground window --resume' goes on with it")
        if args.save:
            add_text(format_record(session.live.record()), args.save)
    return 0


def _what(args: argparse.Namespace) -> tuple[Path | None, bool]:
    """The file to look at if it is one, and whether a form has to ask what to play."""
    args.game = args.what if args.what in registry.GAMES else None
    file = Path(args.what) if args.what is not None and args.game is None else None
    if file is not None and not file.exists():
        games = ", ".join(registry.GAMES)
        raise ConfigError(f"expected a game ({games}) or a file that exists, got {args.what!r}")
    check_game_options(args)
    said = [name for name in OPTIONS if getattr(args, name) is not None] + ["resume"] * args.resume
    if file is not None and said:
        raise ConfigError(f"a file is looked at as it is; leave out {'--' + said[0]!r}")
    return file, args.what is None and not said


def _table(args: argparse.Namespace) -> Table:
    """The table with a game on it, which is kept from its first move on."""
    resumed = find_game(data_folder("autosave")) if args.resume else None
    try:
        live = _live(args, resumed)
        if args.save:
            add_text("", args.save)  # better to hear at once that it cannot be written
        folder, cache = where_games_are_kept()
        if resumed is not None and folder is None:
            resumed.release()
        return Table(live, folder, resumed, cache)
    except BaseException:
        if resumed is not None:
            resumed.release()
        raise


def _live(args: argparse.Namespace, resumed: ResumedGame | None) -> LiveGame:
    """The game on the table: one that goes on, or a new one."""
    if args.load is not None or resumed is not None:
        record: Record = resumed.record if resumed is not None else read_game(args.load)[0]
        return continued_game(args, record, is_watched=True)
    args.game = args.game or next(iter(registry.GAMES))
    level = args.level or USUAL_LEVEL
    p1, p2 = people_and_level(args)
    return new_game(args, [p1 or level, p2 or level], is_watched=True)


def _size(text: str) -> tuple[int, int]:
    """An argparse type: a width and a height in pixels."""
    match = re.fullmatch(r"([0-9]{1,5})x([0-9]{1,5})", text)
    if not match or not (200 <= int(match[1]) <= 16384 and 200 <= int(match[2]) <= 16384):
        raise argparse.ArgumentTypeError(f"expected a size such as 1200x860, got {text!r}")
    return int(match[1]), int(match[2])
