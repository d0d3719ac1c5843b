"""Play a game in the terminal, against an agent or a friend, or watch two agents play.

A seat is 'human', a level (easy, normal, hard, expert, master) or an agent such as 'engine:time=1'.
What is not said is asked, at a terminal; Enter takes what is in brackets.

Example: plyground play quoridor --preset small --p1 human --level hard
"""

from __future__ import annotations

import argparse
import io
import os
import sys

from plyground.agents.levels import LEVEL_NAMES
from plyground.cli.game_options import (
    add_game_options,
    add_text,
    check_game_options,
    continued_game,
    new_game,
    people_and_level,
    where_games_are_kept,
)
from plyground.folders import data_folder
from plyground.games import registry
from plyground.play import LiveGame, format_record
from plyground.play.autosave import find_game
from plyground.play.game_file import read_game
from plyground.quoridor import GameConfig
from plyground.ui.terminal.paint import Paint
from plyground.ui.terminal.prompt import Prompt, choose
from plyground.ui.terminal.screen import Options, Screen
from plyground.ui.terminal.session import Session

USUAL_LEVEL = "normal"
# With nobody there to play: strong enough to be worth a look, and the same game every time.
SHOWN = "hard"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    games = tuple(registry.GAMES)
    parser.add_argument("game", nargs="?", choices=games, help=f"{' or '.join(games)}")
    add_game_options(parser)
    parser.add_argument("--plain", action="store_true", help="no colours, only ASCII")


def run(args: argparse.Namespace) -> int:
    """Play the game; over a pipe its record is printed at the end."""
    if sys.stdin is None:  # closed by whoever started us
        sys.stdin = open(os.devnull)  # noqa: PTH123, SIM115
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # a stray byte is a bad move, not a crash
    at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    check_game_options(args)
    resumed = find_game(data_folder("autosave")) if args.resume else None
    try:
        if args.load is not None or resumed is not None:
            record = resumed.record if resumed is not None else read_game(args.load)[0]
            live = continued_game(args, record, is_watched=sys.stdout.isatty())
        else:
            try:
                live = _started(args, at_terminal)
            except (EOFError, KeyboardInterrupt):  # at a question
                print()
                return 130
        screen = Screen(Paint.for_output(sys.stdout, args.plain))
        if args.save:
            add_text("", args.save)  # better to hear at once that it cannot be written
        options = Options(args.flip, args.targets or live.rules.name == "reversi", args.paths)
        folder, cache = where_games_are_kept() if at_terminal else (None, None)
        if resumed is not None and folder is None:
            resumed.release()
        session = Session(live, screen, options, at_terminal, folder, resumed, cache)
    except BaseException:
        if resumed is not None:
            resumed.release()
        raise
    if not args.flip:
        session.face_player()
    try:
        return session.run()
    finally:
        text = format_record(session.live.record())
        try:
            if not at_terminal:
                print("\n" + text, end="")
        finally:
            if args.save:
                add_text(text, args.save)


def _started(args: argparse.Namespace, at_terminal: bool) -> LiveGame:
    """A new game, as the options say and as is answered to questions."""
    names = ask(args) if at_terminal else _unasked(args)
    args.game = args.game or next(iter(registry.GAMES))
    return new_game(args, names, is_watched=sys.stdout.isatty())


def ask(args: argparse.Namespace) -> list[str]:
    """Who sits where; the game and its board go into the arguments. Asks for what is not said."""
    prompt = Prompt()
    if args.game is None and args.position is None:
        quoridor_only = any(value is not None for value in (args.preset, args.board, args.walls))
        args.game = "quoridor" if quoridor_only else None
    if args.game is None:
        args.game = choose(prompt, "Game", registry.GAMES, "quoridor")
    said = (args.preset, args.board, args.walls, args.position)
    if args.game == "quoridor" and all(value is None for value in said):
        args.preset = choose(prompt, "Board", GameConfig.PRESETS, "standard")
    if args.p1 is None and args.p2 is None and args.level is None:
        role = choose(prompt, "You play", ("first", "second", "both", "watch"), "first")
        p1, p2 = {
            "first": ("human", None),
            "second": (None, "human"),
            "both": ("human", "human"),
            "watch": (None, None),
        }[role]
    else:
        p1, p2 = people_and_level(args)
    if None in (p1, p2) and args.level is None:
        args.level = choose(prompt, "Level", LEVEL_NAMES, USUAL_LEVEL)
    return [p1 or args.level, p2 or args.level]


def _unasked(args: argparse.Namespace) -> list[str]:
    """Who sits where with nobody to ask; then a short game is enough to show how it goes."""
    names = [args.p1 or args.level or SHOWN, args.p2 or args.level or SHOWN]
    said = (args.preset, args.board, args.walls, args.position)
    is_quoridor = args.game in (None, "quoridor")
    if is_quoridor and "human" not in names and all(value is None for value in said):
        args.preset = "small"
    return names
