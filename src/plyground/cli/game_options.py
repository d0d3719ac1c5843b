"""A live game from the options of a command, the same for every screen that people play at."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from plyground.agents.levels import LEVEL_NAMES
from plyground.analysis.cache import AnalysisCache
from plyground.cli.options import add_board_options, game_from, seconds, start_from
from plyground.errors import ConfigError
from plyground.folders import data_folder
from plyground.play import LiveGame, Record, Seat, TimeControl
from plyground.ui.table import watched_pace_s


def add_game_options(parser: argparse.ArgumentParser) -> None:
    """Everything about a game but which: the board, who plays, clocks, files, what is shown."""
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
    parser.add_argument("--paths", action="store_true", help="show the shortest paths")
    parser.add_argument("--targets", action="store_true", help="show where one can move to")
    parser.add_argument("--flip", action="store_true", help="look from the other side")


def check_game_options(args: argparse.Namespace) -> None:
    """Refuse options that contradict each other."""
    going_on = "--resume" if args.resume else "--load" if args.load is not None else None
    if args.resume and args.load is not None:
        raise ConfigError("expected --resume or --load, got both")
    if going_on is not None:
        for option in ("game", "preset", "board", "walls", "position", "time"):
            if getattr(args, option) is not None:
                raise ConfigError(f"{going_on} takes the game as it was; leave out {option!r}")


def new_game(args: argparse.Namespace, names: Sequence[str], is_watched: bool) -> LiveGame:
    """A game between two players by name, on the board that the options describe."""
    game = game_from(args)
    seats = {
        player: Seat.of(name, game) for player, name in enumerate(_seeded(names, args.seed), 1)
    }
    return LiveGame(
        seats,
        start_from(args),
        game,
        control=None if args.time is None else TimeControl.parse(args.time),
        tags={"Date": f"{date.today():%Y.%m.%d}"},
        pace_s=_pace(args, seats, is_watched),
    )


def continued_game(args: argparse.Namespace, record: Record, is_watched: bool) -> LiveGame:
    """A game from its record, with the players it had unless others are named."""
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
    return LiveGame.resume(record, seats, pace_s=_pace(args, seats, is_watched))


def people_and_level(args: argparse.Namespace) -> tuple[str | None, str | None]:
    """Who sits where, None for an agent of the level: where one seat is named, people have the
    other against an agent, and an agent the other against people."""
    p1, p2 = args.p1, args.p2
    if p1 is None and p2 is None:
        return "human", None
    if p1 is None:
        return (None if p2 == "human" else "human"), p2
    if p2 is None:
        return p1, (None if p1 == "human" else "human")
    return p1, p2


def where_games_are_kept() -> tuple[Path | None, AnalysisCache | None]:
    """The folder of games and the cache of analyses; without such places one can still play."""
    try:
        return data_folder("autosave"), AnalysisCache()
    except ConfigError as error:
        print(f"plyground: the game will not be kept: {error}", file=sys.stderr)
        return None, None


def add_text(text: str, path: Path) -> None:
    """Add a game's text to a file, which may hold others."""
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(("\n" if text and file.tell() else "") + text)
    except (OSError, ValueError) as error:  # the latter for a NUL in the name
        raise ConfigError(f"cannot write {path}: {getattr(error, 'strerror', error)}") from error


def _seeded(names: Sequence[str], seed: int | None) -> Sequence[str]:
    if seed is None:
        return names
    if "random" not in names:
        raise ConfigError("--seed is for a random player, such as --p2 random; there is none")
    return [
        f"random:seed={seed + number}" if name == "random" else name
        for number, name in enumerate(names)
    ]


def _pace(args: argparse.Namespace, seats: dict[int, Seat], is_watched: bool) -> float:
    """How long agents take at least: when they are watched, long enough to follow."""
    if args.speed is not None:
        return float(args.speed)
    return watched_pace_s(seats) if is_watched else 0.0
