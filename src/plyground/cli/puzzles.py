"""Solve puzzles in the terminal: find the one move that wins, and win against the best defence.

Your rating, streak and solved puzzles are kept in ~/.local/share/plyground/puzzles. The page
('plyground web') and the window ('plyground window --puzzles') have the same puzzles.

Example: plyground puzzles
         plyground puzzles --game quoridor --theme "dead end"
         plyground puzzles --daily
"""

from __future__ import annotations

import argparse
import sys

from plyground.analysis.puzzle import (
    LEVELS,
    THEMES,
    PuzzleFilter,
    daily_puzzle,
    shipped_puzzles,
)
from plyground.analysis.puzzle_progress import load_progress, save_progress
from plyground.games import registry
from plyground.ui.puzzle_host import PuzzleHost
from plyground.ui.terminal.paint import Paint
from plyground.ui.terminal.prompt import prepare_input
from plyground.ui.terminal.puzzles import TerminalPuzzles
from plyground.ui.terminal.screen import Screen


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    add_puzzle_options(parser)
    parser.add_argument("--plain", action="store_true", help="ASCII only, without colours")


def add_puzzle_options(parser: argparse.ArgumentParser) -> None:
    """The options that choose puzzles."""
    parser.add_argument("--game", choices=tuple(registry.games()), help="puzzles of one game")
    parser.add_argument("--board", type=int, help="size of the board, such as 9")
    parser.add_argument("--theme", choices=THEMES, help="theme of the puzzles")
    parser.add_argument("--level", choices=LEVELS, help="level of the puzzles")
    first = parser.add_mutually_exclusive_group()
    first.add_argument("--number", type=int, help=f"first puzzle, 1 to {len(shipped_puzzles())}")
    first.add_argument("--daily", action="store_true", help="begin with the puzzle of the day")


def host_from(args: argparse.Namespace) -> PuzzleHost:
    """The first puzzle that the options choose."""
    wanted = PuzzleFilter(args.game, args.board, args.theme, args.level)
    host = PuzzleHost(load_progress(), save_progress, wanted)
    if args.daily:
        host.go_to(daily_puzzle())
    elif args.number is not None:
        host.go_to(args.number)
    else:
        host.next()
    return host


def run(args: argparse.Namespace) -> int:
    """Solve puzzles until the person leaves."""
    prepare_input()
    screen = Screen(Paint.for_output(sys.stdout, args.plain))
    return TerminalPuzzles(host_from(args), screen).run()
