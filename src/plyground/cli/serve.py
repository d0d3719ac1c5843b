"""Offer an agent to other programs over the network, on this machine alone unless told otherwise.

  course AGENT    as the course's framework plays agents, over XML-RPC (docs/course.md)

Example: plyground serve course engine -p 8000
"""

from __future__ import annotations

import argparse
import sys

from plyground.cli.options import whole_number
from plyground.errors import ConfigError

LOOPBACK = "127.0.0.1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    kinds = parser.add_subparsers(dest="kind", metavar="course", required=True)
    course = kinds.add_parser("course", help="XML-RPC, for the course's host", allow_abbrev=False)
    add_server_options(course)


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
    return _course(args)


def _course(args: argparse.Namespace) -> int:
    from plyground.serve.course import CourseServer
    from plyground.serve.course_agent import CourseAgent

    with CourseServer(CourseAgent(args.agent), args.bind, args.port) as server:
        address = f"[{args.bind}]" if ":" in args.bind else args.bind
        print(f"Listening on {address}:{server.server_port}", flush=True)
        try:
            server.serve_forever(poll_interval=0.1)
        except KeyboardInterrupt:
            print(file=sys.stderr)
    return 0
