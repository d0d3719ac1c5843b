"""List, filter and export the games in a store of `plyground arena`.

Example: plyground games arena.sqlite --player engine:nodes=2000 --reason crash
         plyground games arena.sqlite --export games.pgn
         plyground games arena.sqlite --tournaments
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from plyground.arena.store import Filter, Store, StoredGame
from plyground.cli.options import whole_number
from plyground.errors import ConfigError
from plyground.files import atomic_write
from plyground.hints import counted, printable, reason_of
from plyground.play import format_record


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.add_argument("store", help="store of games, e.g. arena.sqlite")
    parser.add_argument("--player", metavar="AGENT", help="only games of this agent")
    parser.add_argument("--opponent", metavar="AGENT", help="only games against this agent")
    parser.add_argument(
        "--result", choices=("1-0", "0-1", "1/2-1/2"), help="only games with this result"
    )
    parser.add_argument(
        "--reason", metavar="TEXT", help="only games whose termination contains this text"
    )
    parser.add_argument(
        "--tournament",
        type=whole_number(1, 10**9),
        metavar="N",
        help="only games of this tournament",
    )
    parser.add_argument(
        "--last", type=whole_number(1, 10**9), metavar="N", help="only the newest N games"
    )
    parser.add_argument(
        "--export", metavar="FILE", help="file to write the games' records to; - for the screen"
    )
    parser.add_argument(
        "--tournaments", action="store_true", help="list the tournaments and their conditions"
    )
    parser.add_argument("--json", action="store_true", help="print a JSON object per line")


def run(args: argparse.Namespace) -> int:
    """List or export the selected games, or list the tournaments."""
    which = Filter(args.tournament, args.player, args.opponent, args.result, args.reason, args.last)
    with Store(args.store, read_only=True) as store:
        if args.tournament is not None:
            store.check_tournament(args.tournament)
        if args.tournaments:
            list_tournaments(store, args.json)
        elif args.export is not None:
            export(store.games(which), args.export)
        else:
            list_games(store.games(which), args.json)
    return 0


def list_games(games: Iterable[StoredGame], as_json: bool) -> None:
    """Print a line per game."""
    for game in games:
        if as_json:
            print(json.dumps(asdict(game)))
            continue
        line = (
            f"{game.id:>6}  {game.player1} - {game.player2}  {game.result}  "
            f"{counted(game.plies, 'ply', 'plies')}, {game.termination}, "
            f"{game.seconds1:.1f} s - {game.seconds2:.1f} s, {game.finished}"
        )
        print(printable(line))


def list_tournaments(store: Store, as_json: bool) -> None:
    """Print a line per tournament."""
    for number, conditions in store.tournaments().items():
        games = store.count(Filter(tournament=number))
        if as_json:
            print(json.dumps({"tournament": number, "games": games} | conditions))
        else:
            noun = "game " if games == 1 else "games"
            print(f"{number:>4}  {games:>7} {noun}  {json.dumps(conditions)}")


def export(games: Iterable[StoredGame], target: str) -> None:
    """Write the records of all games to a file, or print them."""
    count = 0
    if target == "-":
        for game in games:
            print(("\n" if count else "") + format_record(game.record()), end="")
            count += 1
        return
    try:
        with atomic_write(Path(target)) as file:
            for game in games:
                text = ("\n" if count else "") + format_record(game.record())
                file.write(text.encode())
                count += 1
    except OSError as error:
        raise ConfigError(f"cannot write {target}: {reason_of(error)}") from error
    print(f"wrote {counted(count, 'game')} to {target}", file=sys.stderr)
