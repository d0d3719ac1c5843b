"""Play, watch and replay games in a window.

WHAT is a game to play, or a file to replay: game records, or the store of a tournament, whose
newest games are shown as they end. A player is 'human', a level (beginner, easy, casual, normal,
skilled, hard, expert, master) or an agent such as 'engine:time=1'. Without any options, a form asks
for a game.

Example: plyground window reversi --level hard
         plyground window game.pgn
         plyground window arena.sqlite
         plyground window --puzzles
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

from plyground.cli.game_options import (
    USUAL_LEVEL,
    add_game_options,
    append_text,
    check_game_options,
    continued_game,
    host_game,
    new_game,
    pace_from,
    players_from,
    resumed_game,
)
from plyground.cli.options import start_options
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.play import LiveGame, format_record
from plyground.play.autosave import ResumedGame
from plyground.play.game_file import read_game
from plyground.program import command_line
from plyground.ui.game_host import Pace
from plyground.ui.view import DisplayOptions

if TYPE_CHECKING:
    from plyground.ui.desktop.session import WindowSession

GAME_OPTIONS = ("p1", "p2", "level", "time", "load", "seed")
"""Options about the game to play besides its start position."""
SMALLEST_SIDE, LARGEST_SIDE = 200, 16384
"""Pixels of a side of the window."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    games = " or ".join(registry.games())
    parser.add_argument("what", nargs="?", metavar="WHAT", help=f"{games}, or a file to replay")
    add_game_options(parser)
    parser.add_argument("--puzzles", action="store_true", help="begin with puzzles")
    parser.add_argument(
        "--theme", choices=("light", "dark"), default="light", help="colours (default: light)"
    )
    parser.add_argument(
        "--size",
        type=_size,
        metavar="WxH",
        help="size of the window in pixels, such as 1200x860 (default: by the screen)",
    )


def run(args: argparse.Namespace) -> int:
    """Show the window until it is closed."""
    # Imported here, since its toolkit may be missing; before a game is set up.
    from plyground.ui.desktop.theme import THEMES
    from plyground.ui.desktop.window import Window

    file, asks = _check_options(args)
    session = _session(args)
    try:
        if file is not None:
            session.open(file, args.speed)
        window = Window(session, THEMES[args.theme], args.size)
        if file is None:
            session.start()
        if args.puzzles:
            window.run_command("puzzles")
        elif asks:
            window.run_command("new")
        window.run()
    finally:
        if session.leave():
            print(f"the game is saved: '{command_line('window --resume')}' continues it")
        if args.save:
            append_text(format_record(session.live.record()), args.save)
    return 0


def _check_options(args: argparse.Namespace) -> tuple[Path | None, bool]:
    """The file to replay, if there is one, and whether a form has to ask for a game."""
    games = registry.games()
    args.game = args.what if args.what in games else None
    file = Path(args.what) if args.what is not None and args.game is None else None
    if file is not None and not file.exists():
        names = ", ".join(games)
        raise ConfigError(f"expected a game ({names}) or a file that exists, got {args.what!r}")
    check_game_options(args)
    given = [*start_options(args), *(name for name in GAME_OPTIONS if vars(args)[name] is not None)]
    given += ["resume"] * args.resume
    if file is not None and given:
        raise ConfigError(f"a file is replayed as it is; leave out {'--' + given[0]!r}")
    return file, args.what is None and not given


def _session(args: argparse.Namespace) -> WindowSession:
    """The session that the options describe."""
    from plyground.ui.desktop.messages import StatusMessages
    from plyground.ui.desktop.session import WindowSession

    resumed = resumed_game() if args.resume else None
    try:
        pace = pace_from(args, is_watched=True)
        live = _live(args, resumed, pace)
        if args.save:
            append_text("", args.save)  # fail now if it cannot be written
        messages = StatusMessages()
        host = host_game(live, pace, resumed, on_failure=messages.show_error)
    except BaseException:
        if resumed is not None:
            resumed.release()
        raise
    flipped = args.flip or (host.faces_player_2 and not args.indices)
    options = DisplayOptions(flipped, True, args.paths, args.indices)
    return WindowSession(host, options, messages)


def _live(args: argparse.Namespace, resumed: ResumedGame | None, pace: Pace) -> LiveGame:
    """The game to show first: a continued one, or a new one."""
    if args.load is not None or resumed is not None:
        record = resumed.record if resumed is not None else read_game(args.load)[0]
        return continued_game(args, record, pace)
    level = args.level or USUAL_LEVEL
    p1, p2 = players_from(args)
    return new_game(args, [p1 or level, p2 or level], pace)


def _size(text: str) -> tuple[int, int]:
    """An argparse type: a width and a height in pixels."""
    match = re.fullmatch(r"([0-9]{1,5})x([0-9]{1,5})", text)
    size = (int(match[1]), int(match[2])) if match else (0, 0)
    if not all(SMALLEST_SIDE <= side <= LARGEST_SIDE for side in size):
        raise argparse.ArgumentTypeError(f"expected a size such as 1200x860, got {text!r}")
    return size
