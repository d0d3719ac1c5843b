"""Learn a game in short lessons: type the move that a lesson asks for, and read why it is right.

The lessons end with a first game against the level `beginner`. `help` at the prompt lists what can
be typed besides moves.

Example: plyground learn
         plyground learn reversi
         plyground learn --lesson 5
         plyground learn --list
"""

from __future__ import annotations

import argparse
import sys

from plyground.agents.human import PERSON
from plyground.errors import ConfigError
from plyground.folders import data_path
from plyground.games import registry
from plyground.games.base import setting_key
from plyground.games.lesson import GameLesson, all_lessons
from plyground.games.levels import LEVEL_NAMES
from plyground.ui.terminal.lesson_progress import LessonProgress
from plyground.ui.terminal.lessons import TerminalLessons, format_lessons
from plyground.ui.terminal.paint import Paint
from plyground.ui.terminal.prompt import prepare_input
from plyground.ui.terminal.screen import Screen

PROGRESS_FILE = "lessons.json"
"""File with the lessons done, in the user's data folder."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    games = tuple(dict.fromkeys(each.game.name for each in all_lessons()))
    usual = registry.default().name
    parser.add_argument(
        "game", nargs="?", choices=games, help=f"{' or '.join(games)} (default: {usual})"
    )
    parser.add_argument(
        "--lesson",
        type=int,
        metavar="N",
        help="number of the lesson to begin with (default: the first that you have not done)",
    )
    parser.add_argument("--list", action="store_true", help="list the lessons and end")
    parser.add_argument("--plain", action="store_true", help="ASCII only, without colours")


def run(args: argparse.Namespace) -> int:
    """Go through the lessons of a game, and play a first game if the learner wants to."""
    prepare_input()
    lessons = _lessons(args)
    screen = Screen(Paint.for_output(sys.stdout, args.plain))
    at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    progress = LessonProgress(data_path(PROGRESS_FILE) if at_terminal else None)
    if args.list:
        screen.say(format_lessons(lessons, progress))
        return 0
    chosen = TerminalLessons(lessons, screen, progress).run(args.lesson)
    return 0 if chosen is None else _play_first_game(chosen, args.plain)


def _lessons(args: argparse.Namespace) -> list[GameLesson]:
    """The lessons of the game that was chosen, by its name or by the number of a lesson."""
    every = list(all_lessons())
    if args.lesson is not None and args.lesson not in {each.number for each in every}:
        raise ConfigError(f"expected a lesson from 1 to {len(every)}, got {args.lesson}")
    if args.list and args.game is None:
        return every
    game = args.game or registry.default().name
    if args.lesson is not None:
        name = every[args.lesson - 1].game.name
        if args.game not in (None, name):
            raise ConfigError(f"lesson {args.lesson} is about {name}, not about {args.game}")
        game = name
    return [each for each in every if each.game.name == game]


def _play_first_game(chosen: GameLesson, is_plain: bool) -> int:
    from plyground.cli.main import main

    settings = chosen.lesson.first_game or {}
    options = [
        f"--{setting_key(name).replace('_', '-')}={value}" for name, value in settings.items()
    ]
    options += ["--plain"] if is_plain else []
    level = LEVEL_NAMES[0]
    return main(["play", chosen.game.name, *options, "--p1", PERSON, "--level", level])
