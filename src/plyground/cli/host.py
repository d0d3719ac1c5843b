"""Host a game of the Quoridor course between agents, people and servers of the course's kind.

A player is 'human', an address such as http://localhost:8000, or an agent such as 'engine:time=1'.
A player that answers with an illegal action, fails, or uses up its time loses, and the reason is
printed. Games have no draws, and so may be long, unless the options limit the time or the moves.

A person types P,1,4 for a pawn move and WH,2,3 or WV,2,3 for a wall, or e2, d3h and d3v.

Example: plyground host http://localhost:8000 human
         plyground host --headless -t 120 -w game.pgn http://localhost:8000 engine
         plyground host -r game.pgn -s 0.5
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from plyground.agents.human import PERSON
from plyground.cli.game_options import append_text
from plyground.cli.options import seconds, whole_number
from plyground.errors import ConfigError, NotationError
from plyground.hints import reason_of
from plyground.play import LiveGame, Record, Seat, format_record
from plyground.play.clock import LONGEST_S
from plyground.play.game_file import read_game
from plyground.protocol.course import NO_LIMIT, parse_typed
from plyground.serve.course_host import (
    RULES,
    describe_outcome,
    hosted_game,
    initialize,
    print_actions,
    start_state,
)
from plyground.ui.game_host import GameHost
from plyground.ui.terminal.paint import Paint
from plyground.ui.terminal.prompt import prepare_input
from plyground.ui.terminal.screen import Screen
from plyground.ui.terminal.session import INTERRUPTED, TerminalSession
from plyground.ui.view import DisplayOptions, view_live

PICKLES = (b"\x80", b"\x1f\x8b", b"(", b"c", b"]", b"}", b"BZ")
"""The first bytes of the course's traces: pickles, or compressed pickles."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line: the options of the course's `game.py`."""
    parser.add_argument(
        "agents", nargs="*", metavar="PLAYER", help="up to two players (default: human)"
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="print every action")
    parser.add_argument("--no-gui", action="store_true", help="play in the terminal (default)")
    parser.add_argument("--gui", action="store_true", help="play in a window")
    parser.add_argument("--headless", action="store_true", help="show nothing; agents only")
    parser.add_argument("-r", "--replay", type=Path, metavar="FILE", help="record to replay")
    parser.add_argument(
        "-w", "--write", type=Path, metavar="FILE", help="file to append the record to"
    )
    parser.add_argument(
        "-t", "--time", type=float, metavar="S",
        help="credit of each agent in seconds (default: unlimited)",
    )  # fmt: skip
    parser.add_argument(
        "--board", type=Path, metavar="FILE", help="position to start from, as text or percepts"
    )
    parser.add_argument(
        "-s", "--speed", type=seconds, default=2.0, metavar="S",
        help="seconds per step of a replay (default: 2)",
    )  # fmt: skip
    parser.add_argument(
        "--realtime", action="store_true", help="replay at the speed of the recorded game"
    )
    parser.add_argument(
        "--max-moves", type=whole_number(1, NO_LIMIT), default=NO_LIMIT, metavar="N",
        help="moves until a draw (default: no draws)",
    )  # fmt: skip
    parser.add_argument(
        "--no-progress", type=whole_number(1, NO_LIMIT), default=NO_LIMIT, metavar="N",
        help="moves without a new wall until a draw (default: no draws)",
    )  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Play a game and print its outcome, or replay one."""
    if args.replay is not None:
        return _replay(args)
    live = _game(args)
    if args.write is not None:
        append_text("", args.write)  # fail now if it cannot be written
    if args.verbose:
        print_actions(live)
    try:
        with live:
            initialize(live)
            status = _play(args, live)
            if live.outcome is not None and (args.headless or args.gui) and not args.verbose:
                print(describe_outcome(live, live.outcome))
            return status
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        if args.write is not None:
            append_text(format_record(live.record()), args.write)


def read_trace(path: Path) -> Record:
    """The last game of a file; a trace of the course's `game.py` is rejected, not unpickled."""
    try:
        with path.open("rb") as file:
            start = file.read(4)
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot read {path}: {reason_of(error)}") from None
    if start.startswith(PICKLES):
        raise NotationError(
            f"{path} looks like a trace that the course's game.py wrote: a pickle, which can run "
            "any program when it is read, so it is not opened; -r replays records written by -w"
        )
    return read_game(path)[0]


def _game(args: argparse.Namespace) -> LiveGame:
    names = [*args.agents, PERSON, PERSON][:2]
    if len(args.agents) > 2:
        raise ConfigError(f"expected two players, got {len(args.agents)}")
    if args.headless and PERSON in names:
        raise ConfigError("--headless shows nothing, so people cannot play; name two agents")
    if args.headless and args.gui:
        raise ConfigError("expected --headless or --gui, got both")
    if args.time is not None and not 0 < args.time <= LONGEST_S:
        raise ConfigError(f"expected a credit of up to {LONGEST_S} seconds, got {args.time:g}")
    start = start_state(args.board, args.max_moves, args.no_progress)
    return hosted_game(names, start, args.time)


def _play(args: argparse.Namespace, live: LiveGame) -> int:
    if args.headless:
        live.start()
        live.wait()
        return 0
    if args.gui:
        return _show_window(live)
    print(RULES[0].upper() + RULES[1:] + ".")
    prepare_input()
    screen = Screen(Paint.for_output(sys.stdout, False))
    session = TerminalSession(
        GameHost(live), screen, DisplayOptions(), False, read_move=parse_typed, is_locked=True
    )
    session.face_player()
    return session.run()


def _show_window(live: LiveGame) -> int:
    # Imported here, since its toolkit may be missing.
    from plyground.ui.desktop import show

    show(live, title="Plyground: a game of the course")
    return 0


def _replay(args: argparse.Namespace) -> int:
    """Replay a game, step by step."""
    for option in ("time", "write", "board"):
        if vars(args)[option] is not None:
            raise ConfigError(f"-r replays a game as it was; leave out --{option}")
    if args.agents:
        raise ConfigError(f"-r replays a game as it was; leave out {args.agents[0]!r}")
    record = read_trace(args.replay)
    if args.gui:
        return _replay_in_window(args.replay, args.speed)
    live = LiveGame.resume(record, {n: Seat(record.player_name(n)) for n in (1, 2)})
    screen = Screen(Paint.for_output(sys.stdout, False))
    for ply, move in enumerate((None, *record.moves)):
        if move is not None:
            wait_s = (move.time_s or 0.0) if args.realtime else args.speed
            time.sleep(0.0 if args.headless else wait_s)
        live.go_to(ply)
        if not args.headless:
            screen.show(view_live(live), DisplayOptions())
    outcome = record.outcome
    print("the game is unfinished" if outcome is None else describe_outcome(live, outcome))
    return 0


def _replay_in_window(path: Path, speed_s: float) -> int:
    from plyground.ui.desktop import show_games

    show_games(path, pace_s=speed_s)
    return 0
