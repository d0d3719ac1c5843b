"""Host a game between agents of the course's kind: addresses, people, or our own agents.

An agent is 'human', an address such as http://localhost:8000, or an agent string of ours. An agent
that answers with an illegal action, fails, or uses up its time has lost, and the reason is told.
Without a limit on time or moves, a game may last: there are no draws here unless asked for.

A person types P,1,4 for a move and WH,2,3 or WV,2,3 for a wall, or e2, d3h and d3v.

Example: plyground host http://localhost:8000 human
         plyground host --headless -t 120 -w game.pgn http://localhost:8000 engine
         plyground host -r game.pgn -s 0.5
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
import time
from dataclasses import replace
from pathlib import Path

from plyground.cli.game_options import add_text
from plyground.cli.options import seconds, whole_number
from plyground.errors import ConfigError, NotationError
from plyground.games.quoridor import State
from plyground.play import LiveGame, Record, Seat, format_record
from plyground.play.clock import LONGEST_S
from plyground.play.game_file import read_game
from plyground.protocol.course import NO_LIMIT, course_config, parse_typed, state_of
from plyground.serve.host import RULES, hosted_game, initialize, narrate, verdict
from plyground.ui.terminal.paint import Paint
from plyground.ui.terminal.screen import Options, Screen
from plyground.ui.terminal.session import Session
from plyground.ui.view import view_of

PICKLES = (b"\x80", b"\x1f\x8b", b"(", b"c", b"]", b"}", b"BZ")
"""How the course's traces begin: pickles, or compressed ones."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line: the options that people know from the course's `game.py`."""
    parser.add_argument("agents", nargs="*", metavar="AGENT", help="two of them; default: human")
    parser.add_argument("-v", "--verbose", action="store_true", help="tell of every action")
    parser.add_argument("--no-gui", action="store_true", help="in the terminal: the default here")
    parser.add_argument("--gui", action="store_true", help="in a window")
    parser.add_argument("--headless", action="store_true", help="show nothing; without people")
    parser.add_argument("-r", "--replay", type=Path, metavar="FILE", help="show a record again")
    parser.add_argument("-w", "--write", type=Path, metavar="FILE", help="add the record to FILE")
    parser.add_argument("-t", "--time", type=float, metavar="S", help="credit of each agent")
    parser.add_argument(
        "--board", type=Path, metavar="FILE", help="start from a position's line, or its percepts"
    )
    parser.add_argument(
        "-s", "--speed", type=seconds, default=2.0, metavar="S",
        help="seconds a step of a replay takes (default: 2)",
    )  # fmt: skip
    parser.add_argument("--realtime", action="store_true", help="replay as fast as it was played")
    parser.add_argument(
        "--max-moves", type=whole_number(1, NO_LIMIT), default=NO_LIMIT, metavar="N",
        help="a draw after so many moves (default: never)",
    )  # fmt: skip
    parser.add_argument(
        "--no-progress", type=whole_number(1, NO_LIMIT), default=NO_LIMIT, metavar="N",
        help="a draw after so many moves without a wall (default: never)",
    )  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Play a game and say how it ended, or show one again."""
    if args.replay is not None:
        return _replay(args)
    live = _game(args)
    if args.write is not None:
        add_text("", args.write)  # better to hear at once that it cannot be written
    if args.verbose:
        narrate(live)
    try:
        with live:
            initialize(live)
            status = _play(args, live)
            if live.outcome is not None and (args.headless or args.gui) and not args.verbose:
                print(verdict(live, live.outcome))
            return status
    except KeyboardInterrupt:
        return 130
    finally:
        if args.write is not None:
            add_text(format_record(live.record()), args.write)


def _game(args: argparse.Namespace) -> LiveGame:
    names = [*args.agents, "human", "human"][:2]
    if len(args.agents) > 2:
        raise ConfigError(f"expected two agents, got {len(args.agents)}")
    if args.headless and "human" in names:
        raise ConfigError("--headless shows nothing, so it allows no humans; name two agents")
    if args.headless and args.gui:
        raise ConfigError("expected --headless or --gui, got both")
    if args.time is not None and not 0 < args.time <= LONGEST_S:
        raise ConfigError(f"expected a credit of up to {LONGEST_S} seconds, got {args.time:g}")
    return hosted_game(names, _start(args), args.time)


def _start(args: argparse.Namespace) -> State:
    limits = {"max_moves": args.max_moves, "no_progress_limit": args.no_progress}
    if args.board is None:
        return State(replace(course_config(), **limits))
    try:
        text = args.board.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "expected text in UTF-8"
        raise ConfigError(f"cannot read {args.board}: {reason}") from None
    try:
        if text.startswith("{"):
            state = state_of(json.loads(text), 0)
            config, text = state.config, state.text()
        else:
            size = int(text[0]) if text.startswith(tuple("345678")) else 9
            config = course_config(size, min(10, (size - 1) ** 2))
        return State.parse(text, replace(config, **limits))
    except (ValueError, RecursionError) as error:
        raise NotationError(f"{args.board}: {error}") from None


def _play(args: argparse.Namespace, live: LiveGame) -> int:
    if args.headless:
        live.start()
        live.wait()
        return 0
    if args.gui:
        return _window(live)
    print(RULES[0].upper() + RULES[1:] + ".")
    if sys.stdin is None:  # closed by whoever started us
        sys.stdin = open(os.devnull)  # noqa: PTH123, SIM115
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    screen = Screen(Paint.for_output(sys.stdout, False))
    session = Session(live, screen, Options(), False, read_move=parse_typed, is_locked=True)
    session.face_player()
    return session.run()


def _window(live: LiveGame) -> int:
    # It needs a toolkit that may be missing; whoever asks for the window hears of it in a line.
    from plyground.ui.desktop import show

    show(live, title="Plyground: a game of the course")
    return 0


def _replay_window(path: Path, speed_s: float) -> int:
    """Show the games of a file in the window."""
    from plyground.ui.desktop import show_games

    show_games(path, pace_s=speed_s)
    return 0


def _replay(args: argparse.Namespace) -> int:
    """Show a game of the past, step by step."""
    for option in ("time", "write", "board"):
        if getattr(args, option) is not None:
            raise ConfigError(f"-r shows a game as it was; leave out --{option}")
    if args.agents:
        raise ConfigError(f"-r shows a game as it was; leave out {args.agents[0]!r}")
    record = read_trace(args.replay)
    if args.gui:
        return _replay_window(args.replay, args.speed)
    seats = {n: Seat(record.tags.get(f"Player{n}", f"player {n}")) for n in (1, 2)}
    live = LiveGame.resume(record, seats)
    screen = Screen(Paint.for_output(sys.stdout, False))
    for ply, move in enumerate((None, *record.moves)):
        if move is not None:
            wait_s = (move.time_s or 0.0) if args.realtime else args.speed
            time.sleep(0.0 if args.headless else wait_s)
        live.go_to(ply)
        if not args.headless:
            screen.show(view_of(live), Options())
    outcome = record.outcome
    print("the game has no end" if outcome is None else verdict(live, outcome))
    return 0


def read_trace(path: Path) -> Record:
    """The last game of a file; a trace of the course's own is refused, not unpickled."""
    try:
        with path.open("rb") as file:
            begins = file.read(4)
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot read {path}: {getattr(error, 'strerror', error)}") from None
    if begins.startswith(PICKLES):
        raise NotationError(
            f"{path} looks like a trace that the course's game.py wrote: a pickle, which can run "
            "any program when it is read, so it is not opened; -r shows records written by -w"
        )
    return read_game(path)[0]
