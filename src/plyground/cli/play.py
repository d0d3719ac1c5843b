"""Play a game in the terminal, against an agent or a friend, or watch two agents play.

A player is 'human', a level (beginner, easy, casual, normal, skilled, hard, expert, master) or an
agent such as 'engine:time=1'. At a terminal, the command asks for missing options; Enter accepts
the choice in brackets. `plyground learn` teaches the rules.

Example: plyground play quoridor --preset small --p1 human --level hard
"""

from __future__ import annotations

import argparse
import sys

from plyground.agents.human import PERSON
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
from plyground.cli.options import game_from, start_options
from plyground.games import registry
from plyground.games.base import AnyGame
from plyground.games.levels import LEVEL_ALIASES, LEVEL_NAMES
from plyground.play import LiveGame, format_record
from plyground.play.autosave import ResumedGame
from plyground.play.game_file import read_game
from plyground.ui.game_host import Pace
from plyground.ui.terminal.paint import Paint
from plyground.ui.terminal.prompt import Prompt, choose, prepare_input
from plyground.ui.terminal.screen import Screen
from plyground.ui.terminal.session import INTERRUPTED, TerminalSession
from plyground.ui.view import DisplayOptions

DEMO_LEVEL = "hard"
"""Without a person: strong enough to be worth watching, and the same game every time."""
DEMO_PRESET = "small"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    games = tuple(registry.games())
    parser.add_argument("game", nargs="?", choices=games, help=f"{' or '.join(games)}")
    add_game_options(parser)
    parser.add_argument("--plain", action="store_true", help="ASCII only, without colours")


def run(args: argparse.Namespace) -> int:
    """Play the game; over a pipe its record is printed at the end."""
    prepare_input()
    at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    check_game_options(args)
    resumed = resumed_game() if args.resume else None
    try:
        session = _session(args, resumed, at_terminal)
    except BaseException:
        if resumed is not None:
            resumed.release()
        raise
    if session is None:
        return INTERRUPTED
    try:
        return session.run()
    finally:
        text = format_record(session.live.record())
        try:
            if not at_terminal:
                print("\n" + text, end="")
        finally:
            if args.save:
                append_text(text, args.save)


def ask_for_missing(args: argparse.Namespace) -> list[str]:
    """Both players; the game and its board go into the arguments. Asks for what is missing."""
    prompt = Prompt()
    if args.game is None and args.position is None and start_options(args):
        args.game = registry.default().name
    if args.game is None:
        args.game = choose(prompt, "Game", registry.games(), registry.default().name)
    game = game_from(args)
    presets = tuple(game.presets)
    if presets and not start_options(args):
        sizes = {name: _board_text(game, name) for name in presets}
        args.preset = choose(prompt, "Board", presets, presets[0], notes=sizes)
    if args.p1 is None and args.p2 is None and args.level is None:
        role = choose(prompt, "You play", ("first", "second", "both", "watch"), "first")
        p1, p2 = {
            "first": (PERSON, None),
            "second": (None, PERSON),
            "both": (PERSON, PERSON),
            "watch": (None, None),
        }[role]
    else:
        p1, p2 = players_from(args)
    if None in (p1, p2) and args.level is None:
        agents = (*LEVEL_NAMES, *game_from(args).offered_agents)
        args.level = choose(prompt, "Level", agents, USUAL_LEVEL, LEVEL_ALIASES)
    return [p1 or args.level, p2 or args.level]


def _board_text(game: AnyGame, preset: str) -> str:
    """The size of a preset's board, such as 9x9."""
    size = game.board_size(game.start(game.presets[preset]))
    return f"{size}x{size}"


def _session(
    args: argparse.Namespace, resumed: ResumedGame | None, at_terminal: bool
) -> TerminalSession | None:
    """The session that the options describe; None if the person left at a question."""
    pace = pace_from(args, is_watched=sys.stdout.isatty())
    if args.load is not None or resumed is not None:
        record = resumed.record if resumed is not None else read_game(args.load)[0]
        live = continued_game(args, record, pace)
    else:
        try:
            live = _new_game(args, pace, at_terminal)
        except (EOFError, KeyboardInterrupt):  # at a question
            print()
            return None
    screen = Screen(Paint.for_output(sys.stdout, args.plain))
    if args.save:
        append_text("", args.save)  # fail now if it cannot be written
    targets = args.targets or live.game.shows_targets
    options = DisplayOptions(args.flip, targets, args.paths, args.indices)
    host = host_game(live, pace, resumed, keep=at_terminal, on_failure=screen.say)
    session = TerminalSession(host, screen, options, at_terminal)
    if not args.flip and not args.indices:
        session.face_player()
    return session


def _new_game(args: argparse.Namespace, pace: Pace, at_terminal: bool) -> LiveGame:
    """A new game, by the options and the answers to questions."""
    names = ask_for_missing(args) if at_terminal else _demo_players(args)
    return new_game(args, names, pace)


def _demo_players(args: argparse.Namespace) -> list[str]:
    """Both players without a person to ask; then a short game shows how it goes."""
    names = [args.p1 or args.level or DEMO_LEVEL, args.p2 or args.level or DEMO_LEVEL]
    has_preset = DEMO_PRESET in game_from(args).presets
    if has_preset and PERSON not in names and not start_options(args):
        args.preset = DEMO_PRESET
    return names
