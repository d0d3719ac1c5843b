"""Play a tournament between agents, and rate them.

By default all agents play each other; with --format gauntlet the first plays all others. With
--format swiss or knockout they play in rounds, paired by earlier results. Games start from openings
close to even, each played twice with colours swapped. The games are kept in a store, an SQLite
file. Ctrl-C stops the tournament, and the same command continues it; with more games or agents it
adds to the store.

An agent that does not start, crashes, hangs, exceeds its time or plays an illegal move loses that
game by forfeit. The first forfeit of each kind is reported, and the table counts them. The exit
status is 1 if an agent lost every game by forfeit, or failed to start three times in a row.

With --sprt two agents play until it is clear whether the first is ahead by elo0 or by elo1.

Example: plyground arena engine:nodes=2000 minimax:depth=3 pathfinder --preset small --games 100
         plyground arena engine:time=0.1 engine:time=0.05 --sprt elo0=0 elo1=10 --workers 2
         plyground arena --config ladder
         plyground arena --config ladder --backend ray --address auto
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path

from plyground.agents import make
from plyground.agents.spec import LoggedAgents
from plyground.arena.book import BOOK_ORDERS
from plyground.arena.config import FORMATS, ArenaConfig
from plyground.arena.forfeits import ForfeitNotices, out_sentence
from plyground.arena.pgn_file import pgn_file
from plyground.arena.rounds_summary import format_rounds, summarize_rounds
from plyground.arena.sprt import Sprt
from plyground.arena.store import Store
from plyground.arena.summary import format_pair, format_standings, summarize
from plyground.arena.task import GameResult
from plyground.arena.tournament import Tournament
from plyground.cli.options import add_cluster_options, add_crash_options, whole_number
from plyground.cli.setting_options import add_setting_options, settings_given
from plyground.cli.tournament_screen import TournamentScreen, openings_screen
from plyground.config import Settings
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.hints import counted, reason_of
from plyground.search.limits import LIMIT_NAMES

INTERRUPTED = 130
"""Exit status after Ctrl-C."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.add_argument("agents", nargs="*", metavar="AGENT", help="agents, e.g. engine:time=0.1")
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="YAML file of settings, or the name of one of the package's (ladder)",
    )
    parser.add_argument(
        "--store",
        default="arena.sqlite",
        metavar="FILE",
        help="store of games (default: arena.sqlite)",
    )
    parser.add_argument(
        "--fresh", action="store_true", help="start a new tournament; the store keeps old games"
    )
    parser.add_argument("--format", choices=FORMATS, help="pairings (default: round-robin)")
    parser.add_argument(
        "--rounds",
        type=whole_number(1, 1000),
        metavar="N",
        help="rounds of --format swiss (default: as many as in a knockout)",
    )
    parser.add_argument(
        "--games",
        type=whole_number(2, 1_000_000),
        metavar="N",
        help="games per pairing, an even number (default: 20; with --sprt at most 20,000)",
    )
    parser.add_argument(
        "--workers",
        type=whole_number(1, 1024),
        metavar="N",
        help="games in parallel (default: 1; on a Ray cluster one per CPU)",
    )
    add_cluster_options(parser)
    add_condition_options(parser)
    parser.add_argument(
        "--sprt",
        nargs="+",
        metavar="NAME=VALUE",
        help="sequential test: elo0=0 elo1=10, and alpha, beta, model=normalised",
    )
    parser.add_argument(
        "--pgn",
        type=Path,
        metavar="FILE",
        help="file to append the record of each game to, as soon as it ends",
    )
    parser.add_argument("--json", action="store_true", help="print the result as a JSON object")


def add_condition_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the games; none has a default, so that a file's settings stand."""
    games = tuple(registry.games())
    usual = registry.default().name
    parser.add_argument("--game", choices=games, help=f"game to play (default: {usual})")
    add_setting_options(parser)
    parser.add_argument(
        "--openings",
        metavar="BOOK",
        help="file of moves, positions or records, 'start' for the usual start, or 'book' for the "
        "game's book of scored openings (Reversi only; default: openings close to even)",
    )
    parser.add_argument(
        "--openings-order",
        choices=BOOK_ORDERS,
        help="order of the openings of a book (default: random, by the seed)",
    )
    parser.add_argument(
        "--openings-start",
        type=whole_number(1, 10**9 - 1),
        metavar="N",
        help="first opening of a book, in that order (default: 1)",
    )
    parser.add_argument(
        "--openings-plies",
        type=whole_number(1, 10_000),
        metavar="N",
        help="plies to read of each game or line of moves in a book (default: all; 8 for 'book')",
    )
    parser.add_argument(
        "--seed", type=whole_number(0, 10**9), metavar="N", help="seed of the openings (default: 1)"
    )
    parser.add_argument(
        "--limit",
        nargs="+",
        metavar="NAME=VALUE",
        help=f"limits of every move, in place of the agents' own: {', '.join(LIMIT_NAMES)}",
    )
    parser.add_argument(
        "--clock",
        metavar="CLOCK",
        help="clock of each agent in seconds: 10+0.1 (per game + per move), 40/60+0.6 (60 s for "
        "every 40 moves) or 0.5/move; tc=CLOCK in an agent's string replaces it for that agent",
    )
    parser.add_argument(
        "--move-timeout",
        type=float,
        metavar="S",
        help="grace period in seconds after the move limit before an unresponsive agent forfeits, "
        "in games without a clock (default: 60)",
    )
    parser.add_argument(
        "--log",
        type=Path,
        metavar="FILE",
        help="log file for every line to and from external programs, with its time",
    )
    parser.add_argument(
        "--adjudicate",
        nargs="+",
        metavar="RULE",
        help="rules that end games early: proven, win_score=X, draw_score=X, max_plies=N "
        "(see docs/arena.md)",
    )
    add_crash_options(parser)
    parser.add_argument(
        "--ratinginterval",
        type=whole_number(0, 1_000_000),
        default=0,
        metavar="N",
        help="games between standings on standard error (default: 0, only at the end)",
    )


def settings_from(args: argparse.Namespace) -> Settings:
    """The settings that were given as options."""
    given = vars(args)
    names = [item.name for item in fields(ArenaConfig) if item.name not in ("agents", "sprt")]
    settings: Settings = {name: given[name] for name in names if given.get(name) is not None}
    settings |= settings_given(args)
    if args.limit:
        settings["limits"] = _values("--limit", args.limit, may_be_alone=False)
    if args.adjudicate:
        settings["adjudication"] = _values("--adjudicate", args.adjudicate)
    return settings


def run(args: argparse.Namespace) -> int:
    """Play the missing games, with live standings on standard error, and print the standings."""
    settings = settings_from(args)
    if args.agents:
        settings["agents"] = args.agents
    if args.sprt:
        settings["sprt"] = Sprt.parse(args.sprt)
    if args.config is not None:
        config = ArenaConfig.load(args.config, settings)
    else:
        config = ArenaConfig.of(settings)
    with Store(args.store) as store:
        tournament = prepare(config, store, args.fresh, args.log)
        with open_pgn(args.pgn, tournament) as update:
            status = play(tournament, lambda _: update(), args.ratinginterval)
        if status == INTERRUPTED:
            left = counted(tournament.total - tournament.done, "game")
            print(f"stopped with {left} left; the same command continues", file=sys.stderr)
        crosstable = tournament.crosstable
        if args.json:
            summary = summarize(crosstable, config.sprt)
            summary |= summarize_rounds(tournament.rounds, config)
            more = {"tournament": tournament.number, "failures": [*tournament.failures()]}
            print(json.dumps(summary | more))
            return status or report_failures(tournament)
        print(format_standings(crosstable))
        if tournament.rounds:
            print(format_rounds(tournament.rounds, config, crosstable.title))
        if len(config.agents) == 2:
            print(format_pair(crosstable, config.sprt, note=False))
        return status or report_failures(tournament)


@contextmanager
def open_pgn(path: Path | None, tournament: Tournament) -> Iterator[Callable[[], object]]:
    """A function that appends the games since its last call to a file, if there is one."""
    if path is None:
        yield lambda: None
        return
    with pgn_file(path, tournament.store, tournament.number) as file:
        yield file.update


def prepare(
    config: ArenaConfig, store: Store, fresh: bool = False, log: Path | None = None
) -> Tournament:
    """The tournament with its openings; a slow search for them shows its progress."""
    maker = make if log is None else LoggedAgents(_writable(log))
    with openings_screen() as on_found:
        return Tournament(config, store, fresh=fresh, make_agent=maker, on_found=on_found)


def _writable(log: Path) -> Path:
    """The absolute path of a log that can be written."""
    try:
        log.open("a").close()
    except OSError as error:
        raise ConfigError(f"cannot write the log {log}: {reason_of(error)}") from None
    return log.absolute()


def play(
    tournament: Tournament,
    on_game: Callable[[GameResult], object] | None = None,
    rating_interval: int = 0,
) -> int:
    """Play with live standings and a line for each kind of forfeit; returns INTERRUPTED or 0."""
    screen = TournamentScreen(tournament)
    notices, out = ForfeitNotices(), tournament.out
    games = tournament.run()
    try:
        for number, game in enumerate(games, 1):
            if on_game is not None:
                on_game(game)
            if (notice := notices.line(game)) is not None:
                screen.print(notice)
            for agent in tournament.out - out:
                fate = "forfeited" if tournament.config.has_rounds else "not played"
                screen.print(f"{out_sentence(agent)}; its other games are {fate}")
            out = tournament.out
            if rating_interval and number % rating_interval == 0:
                screen.print(format_standings(tournament.crosstable))
            screen.show()
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        games.close()
        screen.clear()
    return 0


def report_failures(tournament: Tournament) -> int:
    """Print a sentence for each agent that could not play; returns the exit status, 1 or 0."""
    failures = tournament.failures()
    for sentence in failures:
        print_failure(sentence)
    return 1 if failures else 0


def print_failure(sentence: str) -> None:
    """Print on standard error why the command fails."""
    sys.stdout.flush()  # so that it follows the results
    print(f"plyground: {sentence}", file=sys.stderr)


_SWITCHES = ("proven",)
"""Rules that are on or off."""


def _values(option: str, words: list[str], *, may_be_alone: bool = True) -> dict[str, bool | float]:
    """Numbers, true and false by name; a name alone means True, where it may be."""
    values: dict[str, bool | float] = {}
    for word in words:
        key, equals, text = word.partition("=")
        if key in values:
            raise ConfigError(f"expected one value for {key} of {option}, got {' '.join(words)!r}")
        if not equals:
            if not may_be_alone:
                raise ConfigError(f"expected name=value for {option}, got {word!r}")
            values[key] = True
            continue
        if text in ("true", "false"):
            values[key] = text == "true"
            continue
        try:
            values[key] = int(text) if text.lstrip("-").isdecimal() else float(text)
        except ValueError:
            expected = "true or false" if key in _SWITCHES else "a number"
            raise ConfigError(f"expected {expected} for {key} of {option}, got {text!r}") from None
    return values
