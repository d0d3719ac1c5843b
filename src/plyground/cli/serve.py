"""Offer an agent to other programs over the network, on this machine alone unless told otherwise.

  course AGENT    as the course's framework plays agents, over XML-RPC (docs/course.md)
  http AGENT      for a site of your own: a position in, a move out (docs/rest.md)

Example: plyground serve course engine -p 8000
         plyground serve http hard --game reversi --max-time 2
"""

from __future__ import annotations

import argparse
import os
import signal
import sys

from plyground.agents.line_process import kill_all
from plyground.cli.options import add_game_option, seconds, whole_number
from plyground.errors import ConfigError
from plyground.serve.bind import LOOPBACK


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    kinds = parser.add_subparsers(dest="kind", metavar="course|http", required=True)
    course = kinds.add_parser("course", help="XML-RPC, for the course's host", allow_abbrev=False)
    add_server_options(course)
    rest = kinds.add_parser("http", help="JSON, for a site of your own", allow_abbrev=False)
    add_server_options(rest)
    add_game_option(rest)
    rest.add_argument(
        "--max-time", type=seconds, default=5.0, metavar="S",
        help="the most seconds a move may take (default: 5)",
    )  # fmt: skip
    rest.add_argument(
        "--concurrency", type=whole_number(1, 64), default=1, metavar="N",
        help="moves thought about at a time (default: 1)",
    )  # fmt: skip
    rest.add_argument(
        "--queue", type=whole_number(0, 10_000), default=16, metavar="N",
        help="requests that may wait for that (default: 16)",
    )  # fmt: skip
    rest.add_argument(
        "--origin", action="append", default=[], metavar="URL",
        help="a site whose pages may ask, such as https://example.org; more than once for more",
    )  # fmt: skip


def add_server_options(parser: argparse.ArgumentParser) -> None:
    """Who is served, and where."""
    parser.add_argument("agent", help="who plays: hard, engine, zero:sims=200, ...")
    parser.add_argument(
        "-b", "--bind", default=LOOPBACK, metavar="ADDRESS",
        help=f"where to listen (default: {LOOPBACK}, this machine alone)",
    )  # fmt: skip
    parser.add_argument(
        "-p", "--port", type=whole_number(0, 65535), default=8000, metavar="PORT",
        help="default: 8000; 0 takes one that is free",
    )  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    if args.agent == "human":
        raise ConfigError("expected an agent to serve, got 'human'")
    # A polite kill ends it as Ctrl-C does, with the programs it has started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    return _course(args) if args.kind == "course" else _rest(args)


def _course(args: argparse.Namespace) -> int:
    from plyground.serve.course import CourseServer
    from plyground.serve.course_agent import CourseAgent

    with CourseServer(CourseAgent(args.agent), args.bind, args.port) as server:
        print(f"Listening on {server.where.told(server.server_port)}", flush=True)
        try:
            server.serve_forever(poll_interval=0.1)
        except KeyboardInterrupt:
            print(file=sys.stderr)
    return 0


def _rest(args: argparse.Namespace) -> int:
    try:
        from plyground.serve.http import RestConfig, serve
    except ImportError as error:
        raise ConfigError(
            f"serving HTTP needs more: pip install 'plyground[web]' ({error})"
        ) from None
    config = RestConfig(
        args.agent, args.game, args.max_time, args.concurrency, args.queue, tuple(args.origin)
    )
    code = 0
    try:
        serve(config, args.bind, args.port)
    except KeyboardInterrupt:
        print(file=sys.stderr)
    except SystemExit as ended:
        code = int(ended.code or 0)
    sys.stdout.flush()
    kill_all()
    os._exit(code)  # at once: an agent that cannot be stopped must not keep the program
