"""List, filter and export games: a store of `plyground arena`, or a file of records.

`--to` writes their positions as a table, for pandas, polars or a network. It also takes the replay
of a training run. docs/data.md describes the columns.

Example: plyground games arena.sqlite --player engine:nodes=2000 --reason crash
         plyground games arena.sqlite --export games.pgn
         plyground games games.pgn --opening "e2 e8" --plies 20-80 --to parquet
         plyground games arena.sqlite --tournaments
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

from plyground.arena.store import Filter, Store, StoredGame
from plyground.cli.options import whole_number
from plyground.errors import ConfigError
from plyground.files import atomic_write
from plyground.hints import counted, printable, reason_of
from plyground.play import BadGame, format_record


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.add_argument(
        "store",
        metavar="FILE",
        help="store (arena.sqlite), records (games.pgn), or with --to a replay (RUN/replay)",
    )
    parser.add_argument("--player", metavar="AGENT", help="only games of this agent")
    parser.add_argument("--opponent", metavar="AGENT", help="only games against this agent")
    parser.add_argument(
        "--result", choices=("1-0", "0-1", "1/2-1/2"), help="only games with this result"
    )
    parser.add_argument(
        "--reason", metavar="TEXT", help="only games whose termination contains this text"
    )
    parser.add_argument(
        "--opening",
        metavar="MOVES",
        help="only games that begin with these moves, or at this position",
    )
    parser.add_argument(
        "--plies",
        type=plies_range,
        default=(None, None),
        metavar="MIN-MAX",
        help="only games of this length in plies, e.g. 20-80, 20- or -80",
    )
    parser.add_argument("--since", metavar="DAY", help="only games from this day on, 2026-11-16")
    parser.add_argument("--until", metavar="DAY", help="only games up to this day")
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
        "--to", choices=("parquet", "npz"), help="write the positions to a file of this format"
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="file for --to (default: arena.parquet for arena.sqlite)",
    )
    parser.add_argument(
        "--planes",
        action="store_true",
        help="with --to, positions as planes of a network instead of text",
    )
    parser.add_argument(
        "--skip-bad", action="store_true", help="with --to, report games with errors and go on"
    )
    parser.add_argument(
        "--tournaments", action="store_true", help="list the tournaments and their conditions"
    )
    parser.add_argument("--json", action="store_true", help="print a JSON object per line")


def plies_range(text: str) -> tuple[int | None, int | None]:
    """Parse a range of lengths.

    >>> plies_range("20-80"), plies_range("20-"), plies_range("-80")
    ((20, 80), (20, None), (None, 80))
    """
    match = re.fullmatch(r"([0-9]{0,6})-([0-9]{0,6})", text, re.ASCII)
    if match is None or not any(match.groups()):
        raise argparse.ArgumentTypeError(f"expected a range such as 20-80, got {text!r}")
    low, high = (int(part) if part else None for part in match.groups())
    if low is not None and high is not None and low > high:
        raise argparse.ArgumentTypeError(f"expected a range from low to high, got {text!r}")
    return low, high


def run(args: argparse.Namespace) -> int:
    """List or export the selected games or their positions, or list the tournaments."""
    which = Filter(
        args.tournament,
        args.player,
        args.opponent,
        args.result,
        args.reason,
        args.last,
        opening=args.opening,
        min_plies=args.plies[0],
        max_plies=args.plies[1],
        since=args.since,
        until=args.until,
    )
    for option in ("out", "planes", "skip_bad"):
        if args.to is None and getattr(args, option):
            raise ConfigError(f"--{option.replace('_', '-')} needs --to")
    if args.to is not None:
        for option in ("export", "tournaments", "json"):
            if getattr(args, option):
                raise ConfigError(f"expected --to or --{option}, got both")
        return write_table(args, which)
    with Store(args.store, read_only=True) as store:
        if store.skipped:
            left_out = counted(store.skipped, "unfinished game")
            print(f"left out {left_out} of {args.store}", file=sys.stderr)
        if args.tournament is not None:
            store.check_tournament(args.tournament)
        if args.tournaments:
            list_tournaments(store, args.json)
        elif args.export is not None:
            export(selected(store, which), args.export)
        else:
            list_games(selected(store, which), args.json)
    return 0


def selected(store: Store, which: Filter) -> Iterator[StoredGame]:
    """The selected games; a sentence on standard error if there are none."""
    count = 0
    for game in store.games(which):
        count += 1
        yield game
    if count == 0:
        print(printable(f"plyground: {no_match(store, which)}"), file=sys.stderr)


def no_match(store: Store, which: Filter) -> str:
    """Say that no game is selected; if no game ended for the reason given, also how games ended."""
    if which.reason is not None and store.count(Filter(reason=which.reason)) == 0:
        known = sorted({game.termination.partition(":")[0] for game in store.games()})
        reasons = f", but: {', '.join(known)}" if known else ""
        return f"no game of {store.path} ended by {which.reason!r}{reasons}"
    return f"no game of {store.path} matches"


def write_table(args: argparse.Namespace, which: Filter) -> int:
    """Write the positions of the games to a file; the exit status is 1 if games were skipped."""
    from plyground.data import write_positions  # here, to start fast

    source = Path(args.store)
    target = args.out or Path(f"{source.resolve().stem}.{args.to}")
    if target.suffix != f".{args.to}":
        raise ConfigError(f"expected --out to end in .{args.to}, got {str(target)!r}")
    if not source.exists():
        raise ConfigError(f"cannot read {source}: No such file or directory")
    bad: list[BadGame] = []

    def report(game: BadGame) -> None:
        bad.append(game)
        print(printable(f"skipped {game}"), file=sys.stderr)

    count = write_positions(
        source,
        target,
        view="planes" if args.planes else "text",
        which=None if which == Filter() else which,
        on_bad=report if args.skip_bad else None,
    )
    skipped = f", skipped {counted(len(bad), 'bad game')}" if bad else ""
    print(f"wrote {counted(count, 'position')} to {target}{skipped}", file=sys.stderr)
    return 1 if bad else 0


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
