"""Host a game of the Quoridor course between agents, people and course servers.

A player is 'human', an address such as http://localhost:8000, or an agent such as 'engine:time=1'.
A player that answers with an illegal action, fails, or uses up its time loses, and the reason is
printed. Games have no draws, and may be long unless options limit the time or the moves.

A person types P,1,4 for a pawn move and WH,2,3 or WV,2,3 for a wall, or e2, d3h and d3v. The board
has row 0 at the top, with rows and columns numbered from 0 as in these actions.

Example: plyground host http://localhost:8000 human
         plyground host --headless -t 120 -w game.pkl http://localhost:8000 engine
         plyground host -r game.pkl -s 0.5
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from plyground.agents.human import PERSON
from plyground.cli.game_options import append_text
from plyground.cli.options import seconds, whole_number
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games.quoridor import expect_state
from plyground.hints import reason_of
from plyground.play import LiveGame, Record, Seat, format_record
from plyground.play.game_file import read_game, write_games
from plyground.play.record import check_tags
from plyground.protocol.course import NO_LIMIT, parse_typed
from plyground.protocol.course_trace import LONGEST_TRACE
from plyground.search.time_control import LONGEST_S
from plyground.serve.course_host import (
    RULES,
    describe_outcome,
    hosted_game,
    initialize,
    print_actions,
    start_state,
)
from plyground.serve.course_trace import (
    check_traceable,
    is_trace_name,
    parse_trace,
    save_trace,
)
from plyground.ui.game_host import GameHost
from plyground.ui.terminal.paint import Paint
from plyground.ui.terminal.prompt import prepare_input
from plyground.ui.terminal.screen import Screen
from plyground.ui.terminal.session import INTERRUPTED, TerminalSession
from plyground.ui.view import DisplayOptions, view_live

TRACE_START = b"\x80"
"""The first byte of the course's traces, which are pickles."""
OLD_PICKLES = (b"\x1f\x8b", b"(", b"c", b"]", b"}", b"BZ")
"""The first bytes of other pickles, and of compressed ones."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line: the options of the course's `game.py`."""
    parser.add_argument(
        "agents", nargs="*", metavar="PLAYER", help="up to two players (default: human)"
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="print every action")
    parser.add_argument("--no-gui", action="store_true", help="play in the terminal (default)")
    parser.add_argument("--gui", action="store_true", help="play in a window")
    parser.add_argument("--headless", action="store_true", help="show nothing; agents only")
    parser.add_argument(
        "-r", "--replay", type=Path, metavar="FILE", help="record or course trace to replay"
    )
    parser.add_argument(
        "-w", "--write", type=Path, metavar="FILE",
        help="file to append the record to; game.pkl for a trace, which replaces the file",
    )  # fmt: skip
    parser.add_argument(
        "--names", nargs=2, metavar="NAME", help="names of the players, in the order of PLAYER"
    )
    parser.add_argument(
        "--first", choices=("1", "2", "random"), default="1",
        help="PLAYER who begins: the first, the second, or either at random (default: 1)",
    )  # fmt: skip
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
        _check_writable(args.write, live)
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
            if is_trace_name(args.write):
                save_trace(live.record(), args.write)
            else:
                append_text(format_record(live.record()), args.write)


def read_replay(path: Path) -> Record:
    """The last game of a file of records, or the game in a trace of the course's `game.py`.

    A trace is a pickle, which can run any program when it is loaded. It is not loaded, but read
    by `protocol/course_trace.py`, which knows plain data only.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LONGEST_TRACE + 1)
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot read {path}: {reason_of(error)}") from None
    if data.startswith(OLD_PICKLES):
        raise NotationError(f"{path} is neither a record nor a trace of the course's game.py")
    if not data.startswith(TRACE_START):
        return read_game(path)[0]
    try:
        return parse_trace(data)
    except (ConfigError, IllegalMoveError, NotationError) as error:
        raise NotationError(f"{path}: {error}") from None


def course_view(targets: bool = False) -> DisplayOptions:
    """The board as the course draws it: row 0 at the top, with indices from 0."""
    return DisplayOptions(targets=targets, indices=True)


def _check_writable(path: Path, live: LiveGame) -> None:
    """Fail now if the game cannot be written later."""
    if is_trace_name(path):
        check_traceable(expect_state(live.state))
        save_trace(live.record(), path)
    else:
        append_text("", path)


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
    shown = list(args.names or names)
    check_tags(dict(zip(("Player1", "Player2"), shown, strict=True)), start.game)
    if args.first == "2" or (args.first == "random" and random.random() < 0.5):
        names.reverse()
        shown.reverse()
    live = hosted_game(names, start, args.time, names=shown if args.names else None)
    if args.first == "random":
        print(f"{live.seats[start.current_player].name} begins")
    return live


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
        GameHost(live), screen, course_view(), False, read_move=parse_typed, is_locked=True
    )
    return session.run()


def _show_window(live: LiveGame) -> int:
    # Imported here, since its toolkit may be missing.
    from plyground.ui.desktop import show

    show(live, title="Plyground: a game of the course", options=course_view(targets=True))
    return 0


def _replay(args: argparse.Namespace) -> int:
    """Replay a game, step by step."""
    for option in ("time", "write", "board", "names"):
        if vars(args)[option] is not None:
            raise ConfigError(f"-r replays a game as it was; leave out --{option}")
    if args.agents:
        raise ConfigError(f"-r replays a game as it was; leave out {args.agents[0]!r}")
    record = read_replay(args.replay)
    if args.gui:
        return _replay_in_window(record, args.speed)
    live = LiveGame.resume(record, {n: Seat(record.player_name(n)) for n in (1, 2)})
    screen = Screen(Paint.for_output(sys.stdout, False))
    for ply, move in enumerate((None, *record.moves)):
        if move is not None:
            wait_s = (move.time_s or 0.0) if args.realtime else args.speed
            time.sleep(0.0 if args.headless else wait_s)
        live.go_to(ply)
        if not args.headless:
            screen.show(view_live(live), course_view())
    outcome = record.outcome
    print("the game is unfinished" if outcome is None else describe_outcome(live, outcome))
    return 0


def _replay_in_window(record: Record, speed_s: float) -> int:
    from plyground.ui.desktop import show_games

    with TemporaryDirectory() as folder:  # the window opens files of records
        path = Path(folder) / "game.pgn"
        write_games([record], path)
        show_games(path, pace_s=speed_s, options=course_view())
    return 0
