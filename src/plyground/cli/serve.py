"""Offer an agent to other programs over the network; by default on this machine alone.

  course AGENT    XML-RPC server for the Quoridor course's framework (docs/course.md)
  http AGENT      REST server: a position in, a move out (docs/rest.md)

Example: plyground serve course engine -p 8000
         plyground serve http hard --game reversi --max-time 2
"""

from __future__ import annotations

import argparse
import os
import signal
import sys

from plyground.agents.base import Forfeit
from plyground.agents.engine_process import kill_all
from plyground.cli.options import add_game_option, game_from, seconds, whole_number
from plyground.errors import ConfigError
from plyground.extras import needs_extra
from plyground.serve.bind import LOOPBACK


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    kinds = parser.add_subparsers(dest="kind", metavar="course|http", required=True)
    course = kinds.add_parser(
        "course", help="XML-RPC server for the course's host", allow_abbrev=False
    )
    add_server_options(course)
    rest = kinds.add_parser("http", help="REST server with JSON", allow_abbrev=False)
    add_server_options(rest)
    add_game_option(rest)
    rest.add_argument(
        "--max-time", type=seconds, default=5.0, metavar="S",
        help="longest search for a move, in seconds (default: 5)",
    )  # fmt: skip
    rest.add_argument(
        "--concurrency", type=whole_number(1, 64), default=1, metavar="N",
        help="number of searches at a time (default: 1)",
    )  # fmt: skip
    rest.add_argument(
        "--queue", type=whole_number(0, 10_000), default=16, metavar="N",
        help="number of requests that may wait for a search (default: 16)",
    )  # fmt: skip
    rest.add_argument(
        "--origin", action="append", default=[], metavar="URL",
        help="origin of pages that may send requests, such as https://example.org (repeatable)",
    )  # fmt: skip
    rest.add_argument(
        "--name", action="append", default=[], metavar="HOST",
        help="another host name of this machine (repeatable)",
    )  # fmt: skip


def add_server_options(parser: argparse.ArgumentParser) -> None:
    """Add the agent, the address and the port."""
    parser.add_argument("agent", help="agent to serve: hard, engine, zero:sims=200, ...")
    parser.add_argument(
        "-b", "--bind", default=LOOPBACK, metavar="ADDRESS",
        help=f"address to listen on (default: {LOOPBACK}, this machine alone)",
    )  # fmt: skip
    parser.add_argument(
        "-p", "--port", type=whole_number(0, 65535), default=8000, metavar="PORT",
        help="port to listen on, or 0 for a free one (default: 8000)",
    )  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    if args.agent == "human":
        raise ConfigError("expected an agent to serve, got 'human'")
    # SIGTERM ends the server as Ctrl-C does, together with the programs it has started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    return _course(args) if args.kind == "course" else _rest(args)


def _course(args: argparse.Namespace) -> int:
    from plyground.serve.course_agent import CourseAgent
    from plyground.serve.course_server import CourseServer

    with CourseServer(CourseAgent(args.agent), args.bind, args.port) as server:
        print(f"Listening on {server.bind.format(server.server_port)}", flush=True)
        try:
            server.serve_forever(poll_interval=0.1)
        except KeyboardInterrupt:
            print(file=sys.stderr)
    return 0


def _rest(args: argparse.Namespace) -> int:
    with needs_extra("serving HTTP needs Starlette and uvicorn"):
        from plyground.serve.http import RestConfig, serve
    config = RestConfig(
        args.agent,
        game_from(args),
        args.max_time,
        args.concurrency,
        args.queue,
        tuple(args.origin),
        tuple(args.name),
    )
    code = 0
    try:
        serve(config, args.bind, args.port)
    except KeyboardInterrupt:
        print(file=sys.stderr)
    except Forfeit as failure:
        print(f"plyground: {args.agent} failed: {failure.termination}", file=sys.stderr)
        code = 1
    except SystemExit as ended:
        code = int(ended.code or 0)
    sys.stdout.flush()
    kill_all()
    os._exit(code)  # at once, even if a search cannot be stopped
