"""Play a game in the terminal, against an agent or a friend, or watch two agents play.

A seat is 'human', a level (easy, normal, hard, expert, master) or an agent such as 'engine:time=1'.
What is not said is asked, at a terminal; Enter takes what is in brackets.

Example: plyground play quoridor --preset small --p1 human --level hard
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from datetime import date
from pathlib import Path

from plyground.agents.levels import LEVEL_NAMES
from plyground.analysis.cache import AnalysisCache
from plyground.analysis.remembering import remember
from plyground.cli.options import add_board_options, game_from, seconds, start_from
from plyground.errors import ConfigError
from plyground.folders import data_folder
from plyground.games import registry
from plyground.play import LiveGame, Seat, TimeControl, format_record
from plyground.play.autosave import ResumedGame, find_game
from plyground.play.game_file import read_game
from plyground.quoridor import GameConfig
from plyground.ui.terminal.paint import Paint
from plyground.ui.terminal.prompt import Prompt, choose
from plyground.ui.terminal.screen import Options, Screen
from plyground.ui.terminal.session import Session

USUAL_LEVEL = "normal"
# With nobody there to play: strong enough to be worth a look, and the same game every time.
SHOWN = "hard"
WATCHED_PACE_S = 0.5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    games = tuple(registry.GAMES)
    parser.add_argument("game", nargs="?", choices=games, help=f"{' or '.join(games)}")
    add_board_options(parser)
    parser.add_argument("--p1", metavar="WHO", help="player 1, who begins")
    parser.add_argument("--p2", metavar="WHO", help="player 2")
    parser.add_argument("--level", choices=LEVEL_NAMES, help="of agents that are not named")
    parser.add_argument("--time", metavar="S+S", help="clocks: seconds a game, and more a move")
    parser.add_argument(
        "--speed", type=seconds, metavar="S", help="seconds a move, to watch agents"
    )
    parser.add_argument("--seed", type=int, metavar="N", help="seed of a random player")
    parser.add_argument("--save", type=Path, metavar="FILE", help="add the game's record to FILE")
    parser.add_argument("--load", type=Path, metavar="FILE", help="go on with a game from FILE")
    parser.add_argument("--resume", action="store_true", help="go on with the game left last")
    parser.add_argument("--plain", action="store_true", help="no colours, only ASCII")
    parser.add_argument("--paths", action="store_true", help="show the shortest paths")
    parser.add_argument("--targets", action="store_true", help="show where one can move to")
    parser.add_argument("--flip", action="store_true", help="look from the other side")


def run(args: argparse.Namespace) -> int:
    """Play the game; over a pipe its record is printed at the end."""
    if sys.stdin is None:  # closed by whoever started us
        sys.stdin = open(os.devnull)  # noqa: PTH123, SIM115
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # a stray byte is a bad move, not a crash
    at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    _check(args)
    resumed = find_game(data_folder("autosave")) if args.resume else None
    try:
        if args.load is not None or resumed is not None:
            live = _continued(args, resumed)
        else:
            try:
                live = _started(args, at_terminal)
            except (EOFError, KeyboardInterrupt):  # at a question
                print()
                return 130
        screen = Screen(Paint.for_output(sys.stdout, args.plain))
        if args.save:
            add_text("", args.save)  # better to hear at once that it cannot be written
        options = Options(args.flip, args.targets or live.rules.name == "reversi", args.paths)
        folder, cache = _kept() if at_terminal else (None, None)
        if resumed is not None and folder is None:
            resumed.release()
        if cache is not None:
            for player, seat in live.seats.items():
                live.take_seat(player, remember(seat, cache))
        session = Session(live, screen, options, at_terminal, folder, resumed, cache)
    except BaseException:
        if resumed is not None:
            resumed.release()
        raise
    if not args.flip:
        session.face_player()
    try:
        return session.run()
    finally:
        record = format_record(session.live.record())
        try:
            if not at_terminal:
                print("\n" + record, end="")
        finally:
            if args.save:
                add_text(record, args.save)


def _kept() -> tuple[Path | None, AnalysisCache | None]:
    """Where games and analyses are kept; without such a place one can still play."""
    try:
        return data_folder("autosave"), AnalysisCache()
    except ConfigError as error:
        print(f"plyground: the game will not be kept: {error}", file=sys.stderr)
        return None, None


def _check(args: argparse.Namespace) -> None:
    """Refuse options that contradict each other."""
    going_on = "--resume" if args.resume else "--load" if args.load is not None else None
    if args.resume and args.load is not None:
        raise ConfigError("expected --resume or --load, got both")
    if going_on is not None:
        for option in ("game", "preset", "board", "walls", "position", "time"):
            if getattr(args, option) is not None:
                raise ConfigError(f"{going_on} takes the game as it was; leave out {option!r}")


def _continued(args: argparse.Namespace, resumed: ResumedGame | None) -> LiveGame:
    """The game left last, or the last one of a file, with the players it had unless others come."""
    record = resumed.record if resumed is not None else read_game(args.load)[0]
    named = {1: args.p1, 2: args.p2}
    seats = {}
    for player in (1, 2):
        if named[player] is not None:
            seats[player] = Seat.of(named[player], record.game)
            continue
        name = record.tags.get(f"Player{player}", "human")
        try:
            seats[player] = Seat.of(name, record.game)
        except ConfigError:  # somebody of another program, or a person's own name
            seats[player] = Seat(name)
    return LiveGame.resume(record, seats, pace_s=_pace(args, seats))


def _started(args: argparse.Namespace, at_terminal: bool) -> LiveGame:
    """A new game, as the options say and as is answered to questions."""
    names = ask(args) if at_terminal else _unasked(args)
    args.game = args.game or next(iter(registry.GAMES))
    game = game_from(args)
    names = _seeded(names, args.seed)
    seats = {player: Seat.of(name, game) for player, name in enumerate(names, 1)}
    control = None if args.time is None else TimeControl.parse(args.time)
    return LiveGame(
        seats,
        start_from(args),
        game,
        control=control,
        tags={"Date": f"{date.today():%Y.%m.%d}"},
        pace_s=_pace(args, seats),
    )


def ask(args: argparse.Namespace) -> list[str]:
    """Who sits where; the game and its board go into the arguments. Asks for what is not said."""
    prompt = Prompt()
    if args.game is None and args.position is None:
        quoridor_only = any(value is not None for value in (args.preset, args.board, args.walls))
        args.game = "quoridor" if quoridor_only else None
    if args.game is None:
        args.game = choose(prompt, "Game", registry.GAMES, "quoridor")
    said = (args.preset, args.board, args.walls, args.position)
    if args.game == "quoridor" and all(value is None for value in said):
        args.preset = choose(prompt, "Board", GameConfig.PRESETS, "standard")
    p1, p2 = args.p1, args.p2
    if p1 is None and p2 is None and args.level is None:
        role = choose(prompt, "You play", ("first", "second", "both", "watch"), "first")
        p1, p2 = {
            "first": ("human", None),
            "second": (None, "human"),
            "both": ("human", "human"),
            "watch": (None, None),
        }[role]
    elif p1 is None and p2 is None:
        p1 = "human"
    elif p1 is None:
        p1 = None if p2 == "human" else "human"
    elif p2 is None:
        p2 = None if p1 == "human" else "human"
    if None in (p1, p2) and args.level is None:
        args.level = choose(prompt, "Level", LEVEL_NAMES, USUAL_LEVEL)
    return [p1 or args.level, p2 or args.level]


def _unasked(args: argparse.Namespace) -> list[str]:
    """Who sits where with nobody to ask; then a short game is enough to show how it goes."""
    names = [args.p1 or args.level or SHOWN, args.p2 or args.level or SHOWN]
    said = (args.preset, args.board, args.walls, args.position)
    is_quoridor = args.game in (None, "quoridor")
    if is_quoridor and "human" not in names and all(value is None for value in said):
        args.preset = "small"
    return names


def _seeded(names: list[str], seed: int | None) -> list[str]:
    if seed is None:
        return names
    if "random" not in names:
        raise ConfigError("--seed is for a random player, such as --p2 random; there is none")
    return [
        f"random:seed={seed + number}" if name == "random" else name
        for number, name in enumerate(names)
    ]


def _pace(args: argparse.Namespace, seats: dict[int, Seat]) -> float:
    """How long agents take at least: when they are watched, long enough to follow."""
    if args.speed is not None:
        return float(args.speed)
    watched = sys.stdout.isatty() and not any(seat.is_person for seat in seats.values())
    return WATCHED_PACE_S if watched else 0.0


def add_text(text: str, path: Path) -> None:
    """Add a game's text to a file, which may hold others."""
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(("\n" if text and file.tell() else "") + text)
    except (OSError, ValueError) as error:  # the latter for a NUL in the name
        raise ConfigError(f"cannot write {path}: {getattr(error, 'strerror', error)}") from error
