"""Offer an agent to another program over a pipe, in a line protocol similar to UCI.

The protocol is in docs/protocol.md; 'help' lists the commands. The agent is any agent's string. By
default it is the game's alpha-beta engine at full strength, or its adviser if the game has no
engine. --level and --network, or 'setoption' from the program, choose another one. If the first
line is 'nboard 2', the engine uses the NBoard protocol for Reversi.

Example: plyground engine --game reversi --hash 256
         plyground engine zero:sims=200
         printf 'position startpos moves e2\\ngo depth 8\\n' | plyground engine
"""

from __future__ import annotations

import argparse
import os
import signal
import sys

from plyground.agents.engine_process import kill_all
from plyground.agents.human import PERSON
from plyground.cli.options import add_game_option, game_from
from plyground.errors import ConfigError
from plyground.games.levels import LEVEL_NAMES
from plyground.serve.engine import EngineServer
from plyground.serve.engine_options import EngineOptions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.add_argument(
        "agent",
        nargs="?",
        metavar="AGENT",
        help="agent to offer: hard, minimax:depth=2, zero:sims=200, ... (default: the engine)",
    )
    add_game_option(parser)
    parser.add_argument(
        "--hash", metavar="MB", help="size of the transposition table in megabytes (default: 64)"
    )
    parser.add_argument("--threads", metavar="N", help="number of search threads (default: 1)")
    parser.add_argument(
        "--level", metavar="LEVEL", help=f"{', '.join(LEVEL_NAMES)} or full (default)"
    )
    parser.add_argument(
        "--network", metavar="FILE", help="network as an ONNX file, 'builtin' or 'none' (default)"
    )


def run(args: argparse.Namespace) -> int:
    """Answer commands from standard input until it closes."""
    if args.agent == PERSON:
        raise ConfigError(f"expected an agent to offer, got {PERSON!r}")
    options = EngineOptions(game_from(args), agent=args.agent)
    for name in ("hash", "threads", "level", "network"):
        if (value := vars(args)[name]) is not None:
            options = options.with_option(name, value)
    if sys.stdin is None:
        raise ConfigError("expected commands on standard input, but it is closed")
    server = EngineServer(sys.stdin.buffer, sys.stdout.buffer, options)
    # Ctrl-C at a terminal is meant for the parent program; a user ends with 'quit' or Ctrl-D.
    if not sys.stdin.isatty():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    server.run()
    sys.stdout.flush()
    kill_all()
    os._exit(0)  # at once, even if a search cannot be stopped
