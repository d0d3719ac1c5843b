"""Offer an agent to another program, through a pipe: a line protocol in the manner of UCI.

Type 'help' or see docs/protocol.md. Who thinks is the alpha-beta search, at full strength; a level
or a network (an ONNX file, or 'builtin') changes that, and so can the program with 'setoption'. For
Reversi, a program whose first line is 'nboard 2' is answered in the NBoard protocol.

Example: plyground engine --game reversi --hash 256
         printf 'position startpos moves e2\\ngo depth 8\\n' | plyground engine
"""

from __future__ import annotations

import argparse
import os
import signal
import sys

from plyground.cli.options import add_game_option
from plyground.errors import ConfigError
from plyground.serve.engine import EngineServer
from plyground.serve.engine_options import EngineOptions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    add_game_option(parser)
    for option, words in (
        ("hash", "megabytes of table (default: 64)"),
        ("threads", "that think (default: 1)"),
        ("level", "easy, normal, hard, expert, master, or full (default)"),
        ("network", "let a network think: an ONNX file, or 'builtin'"),
    ):
        parser.add_argument(f"--{option}", metavar=option[0].upper(), help=words)


def run(args: argparse.Namespace) -> int:
    """Obey what comes through the pipe until it closes."""
    options = EngineOptions(game=args.game)
    for name in ("hash", "threads", "level", "network"):
        if getattr(args, name) is not None:
            options = options.with_option(name, getattr(args, name))
    if sys.stdin is None:
        raise ConfigError("expected commands on standard input, but it is closed")
    # Ctrl-C at a terminal is for whoever started us; a person ends with 'quit' or Ctrl-D.
    if not sys.stdin.isatty():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    EngineServer(sys.stdin.buffer, sys.stdout.buffer, options).run()
    sys.stdout.flush()
    os._exit(0)  # at once: a search that cannot be stopped must not keep the program
