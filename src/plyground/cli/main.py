"""The `plyground` command: runs a subcommand, and prints a user's mistakes in one line.

Each subcommand is a module here with `add_arguments(parser)` and `run(args) -> exit status`. It is
imported only when it is called, so that the command starts quickly.
"""

from __future__ import annotations

import argparse
import errno
import os
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import NoReturn

from plyground import __version__
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.hints import printable, suggest

COMMANDS = {
    "play": "play a game in the terminal",
    "learn": "learn a game in short lessons",
    "rules": "explain the rules of a game",
    "puzzles": "solve puzzles in the terminal",
    "web": "play and analyse in a browser",
    "window": "play, watch and replay games in a window",
    "match": "play two agents against each other",
    "arena": "play a tournament between agents",
    "engine": "offer an agent to another program over a pipe",
    "check-engine": "check whether a program speaks the engine protocol",
    "serve": "offer an agent over the network, for the course (XML-RPC) or as a REST API",
    "host": "host a game of the Quoridor course",
    "games": "list and export the games of tournaments",
    "report": "write an HTML report with plots of the games of tournaments",
    "perft": "count the move paths of a position",
    "analyse": "analyse a game or a position with a strong agent",
    "book": "build an opening book, or show what was played in a position",
    "cache": "show or clear the caches of search results",
    "solve": "solve a small board exactly",
    "train": "train a network by self-play",
    "export": "export a trained network to a file",
    "tune": "tune the weights of an evaluation by games",
    "study": "measure the value of depth or of moving first",
    "bench": "measure the speed of the rules and the search",
    "info": "show versions, build and machine",
}


LEARNING = "'plyground learn' teaches a game, 'plyground rules' explains it"
SEE_HELP = "see plyground --help"
SEE_OWN_HELP = "--help lists the options"
SUGGESTIONS = {
    "lesson": LEARNING,
    "tutorial": LEARNING,
    "teach": LEARNING,
    "how": LEARNING,
}
"""What to use instead of commands that people expect, where the spelling does not suggest it."""


class _Parser(argparse.ArgumentParser):
    """Reports a wrong command line in one line, without the usage."""

    def error(self, message: str) -> NoReturn:
        missing = message.partition("the following arguments are required: ")[2]
        for action in self._actions:
            if action.choices and missing.startswith(str(action.metavar or action.dest)):
                known = ", ".join(map(str, action.choices))
                message = f"expected one of {known} after {self.prog!r}, got nothing"
        raise ConfigError(message)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status, which is 2 for a user's mistake."""
    if sys.stdout is None:  # closed by the caller
        print("plyground: cannot write the output: it is closed", file=sys.stderr)
        return 1
    try:
        status = _run(sys.argv[1:] if argv is None else list(argv))
        sys.stdout.flush()
    except (ConfigError, IllegalMoveError, NotationError) as error:
        print("plyground:", printable(" ".join(str(error).split())), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        if error.filename is not None:
            name = printable(str(error.filename))
            print(f"plyground: cannot use {name!r}: {error.strerror}", file=sys.stderr)
            return 1
        if error.errno not in (errno.EPIPE, errno.ENOSPC, errno.EIO):
            raise
        if error.errno != errno.EPIPE:  # the reader has closed the pipe
            print("plyground: cannot write the output:", error.strerror, file=sys.stderr)
        # Without this, Python flushes again at exit, and reports the error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return status


def _run(argv: list[str]) -> int:
    parser = _Parser(
        prog="plyground",
        description="Play, study and train strong agents for Quoridor and Reversi.",
        epilog="Example: plyground play --p2 pathfinder. Each command has its own --help.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"plyground {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="command")
    chosen = next((word for word in argv if not word.startswith("-")), None)
    if chosen is not None and chosen not in COMMANDS:
        hint = SUGGESTIONS.get(chosen) or suggest(chosen, COMMANDS, otherwise=SEE_HELP)
        raise ConfigError(f"unknown command {chosen!r}; {hint}")
    for name, summary in COMMANDS.items():
        subparser = commands.add_parser(
            name,
            help=summary,
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if name == chosen:
            command = import_module(f"plyground.cli.{name.replace('-', '_')}")
            subparser.description = command.__doc__
            command.add_arguments(subparser)
            _check_options(argv, subparser)
    try:
        args = parser.parse_args(argv)
    except SystemExit:  # after --help or --version
        return 0
    if args.command is None:
        parser.print_help()
        return 0
    return int(command.run(args))


def _check_options(argv: Sequence[str], parser: argparse.ArgumentParser) -> None:
    """Reject an unknown option before argparse takes its value for another argument."""
    known = {"--version", *_options_of(parser)}
    for word in argv:
        if word == "--":
            return
        name = word.partition("=")[0]
        # Like argparse, take a word with a space for a value, such as a position of Reversi.
        if name.startswith("--") and " " not in word and name not in known:
            raise ConfigError(f"unknown option {name!r}; {suggest(name, known, SEE_OWN_HELP)}")


def _options_of(parser: argparse.ArgumentParser) -> Iterator[str]:
    """The options of a command and of its subcommands."""
    for action in parser._actions:
        yield from action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            for subparser in action.choices.values():
                yield from _options_of(subparser)
