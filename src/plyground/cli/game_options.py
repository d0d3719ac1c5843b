"""A game to play from the options of a command, the same for the terminal and the window."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

from plyground.agents.human import PERSON
from plyground.agents.spec import NAMES
from plyground.analysis.cache import AnalysisCache
from plyground.cli.options import (
    add_board_options,
    game_from,
    new_start_from,
    seconds,
    start_options,
)
from plyground.errors import ConfigError
from plyground.folders import data_folder
from plyground.games.levels import LEVEL_NAMES, level_name
from plyground.hints import reason_of
from plyground.play import LiveGame, Record, Seat, TimeControl
from plyground.play.autosave import ResumedGame, find_game
from plyground.play.worker import safe_repr
from plyground.ui.game_host import AutosaveStorage, GameHost, LocalPlayers, Pace

USUAL_LEVEL = "normal"


def add_game_options(parser: argparse.ArgumentParser) -> None:
    """Add everything about a game except which: board, players, clocks, files, display."""
    add_board_options(parser)
    parser.add_argument("--p1", metavar="PLAYER", help="player 1, who moves first")
    parser.add_argument("--p2", metavar="PLAYER", help="player 2")
    parser.add_argument("--level", type=level_name, choices=LEVEL_NAMES, help="level of the agent")
    parser.add_argument("--time", metavar="CLOCK", help="clock in seconds, e.g. 300+5 or 30/move")
    parser.add_argument(
        "--speed", type=seconds, metavar="S", help="minimum seconds per move when two agents play"
    )
    parser.add_argument("--seed", type=int, metavar="N", help="seed of a random player")
    parser.add_argument(
        "--save", type=Path, metavar="FILE", help="append the game's record to FILE"
    )
    parser.add_argument("--load", type=Path, metavar="FILE", help="continue the last game in FILE")
    parser.add_argument("--resume", action="store_true", help="continue the most recent game")
    parser.add_argument("--paths", action="store_true", help="show shortest paths")
    parser.add_argument("--targets", action="store_true", help="show legal targets")
    parser.add_argument("--flip", action="store_true", help="rotate the board")
    parser.add_argument(
        "--indices", action="store_true", help="show row 0 at the top, with indices from 0"
    )


def check_game_options(args: argparse.Namespace) -> None:
    """Reject options that contradict each other."""
    source = "--resume" if args.resume else "--load" if args.load is not None else None
    if args.resume and args.load is not None:
        raise ConfigError("expected --resume or --load, got both")
    if source is not None:
        given = {name: vars(args)[name] for name in ("game", "time")} | start_options(args)
        for option, value in given.items():
            if value is not None:
                raise ConfigError(f"{source} takes the game as it was; leave out {option!r}")


def new_game(args: argparse.Namespace, names: Sequence[str], pace: Pace) -> LiveGame:
    """A game between two players by name, on the board that the options describe."""
    game = game_from(args)
    seats = {
        player: Seat.of(name, game) for player, name in enumerate(_seeded(names, args.seed), 1)
    }
    return LiveGame(
        seats,
        new_start_from(args),
        control=None if args.time is None else TimeControl.parse(args.time),
        tags={"Date": f"{date.today():%Y.%m.%d}"},
        pace_s=pace.of(seats),
    )


def continued_game(args: argparse.Namespace, record: Record, pace: Pace) -> LiveGame:
    """A game from its record, with the players it had unless others are named.

    Agents that a record may not start become people; a message names the option that starts them.
    """
    named = {1: args.p1, 2: args.p2}
    seats = {}
    for player in (1, 2):
        if named[player] is not None:
            seats[player] = Seat.of(named[player], record.game)
            continue
        name = record.player_name(player, PERSON)
        seats[player] = Seat.from_record(name, record.game)
        if seats[player].is_person and name != PERSON and name.partition(":")[0] in NAMES:
            print(
                f"plyground: the file's player {player}, {safe_repr(name)}, is not started from a "
                f"file and becomes a person; --p{player} gives the seat to an agent",
                file=sys.stderr,
            )
    return LiveGame.resume(record, seats, pace_s=pace.of(seats))


def resumed_game() -> ResumedGame:
    """The saved game for `--resume`; damaged ones are skipped with a message."""
    return find_game(
        data_folder("autosave"),
        lambda reason: print(f"plyground: skipped a damaged game: {reason}", file=sys.stderr),
    )


def pace_from(args: argparse.Namespace, is_watched: bool) -> Pace:
    """The least time of agents' moves: long enough to follow where a person watches."""
    if args.speed is not None:
        return Pace(args.speed, args.speed)
    return Pace() if is_watched else Pace(0.0, 0.0)


def host_game(
    live: LiveGame,
    pace: Pace,
    resumed: ResumedGame | None = None,
    *,
    keep: bool = True,
    on_failure: Callable[[str], object] = lambda reason: None,  # noqa: ARG005
) -> GameHost:
    """The host of a game that is kept from its first move on, unless `keep` is False."""
    folder, cache = storage() if keep else (None, None)
    if resumed is not None and folder is None:
        resumed.release()
    players = LocalPlayers(cache)
    for player, seat in live.seats.items():
        live.take_seat(player, players.cached(seat))
    return GameHost(live, players, AutosaveStorage(folder, resumed, on_failure), pace)


def players_from(args: argparse.Namespace) -> tuple[str | None, str | None]:
    """Both players by name, None for an agent of the level.

    Where one seat is named, the other goes to a person if that is an agent, and the reverse.
    """
    p1, p2 = args.p1, args.p2
    if p1 is None and p2 is None:
        return PERSON, None
    if p1 is None:
        return (None if p2 == PERSON else PERSON), p2
    if p2 is None:
        return p1, (None if p1 == PERSON else PERSON)
    return p1, p2


def storage() -> tuple[Path | None, AnalysisCache | None]:
    """The folder of games and the analysis cache; without them one can still play."""
    try:
        return data_folder("autosave"), AnalysisCache()
    except ConfigError as error:
        print(f"plyground: the game will not be kept: {error}", file=sys.stderr)
        return None, None


def append_text(text: str, path: Path) -> None:
    """Append a game's text to a file, which may hold others."""
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(("\n" if text and file.tell() else "") + text)
    except (OSError, ValueError) as error:  # the latter for a NUL in the name
        raise ConfigError(f"cannot write {path}: {reason_of(error)}") from error


def _seeded(names: Sequence[str], seed: int | None) -> Sequence[str]:
    if seed is None:
        return names
    if "random" not in names:
        raise ConfigError("--seed is for a random player, such as --p2 random; there is none")
    return [
        f"random:seed={seed + number}" if name == "random" else name
        for number, name in enumerate(names)
    ]
