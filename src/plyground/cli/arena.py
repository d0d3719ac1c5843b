"""Let agents play a tournament, and say who is how strong.

Everybody meets everybody (or, with --format gauntlet, the first all others), from openings that are
close to even, each played twice with the colours swapped. Games are kept in a store, a SQLite file.
Ctrl-C stops; the same command goes on, and one with more games or agents adds to what is there.
An agent that crashes, hangs, oversteps its time or plays an illegal move loses that game.

With --sprt two agents play until it is clear whether the first is ahead by elo0 or by elo1.

Example: plyground arena engine:nodes=2000 minimax:depth=3 pathfinder --preset small --games 100
         plyground arena engine:time=0.1 engine:time=0.05 --sprt elo0=0 elo1=10 --workers 2
         plyground arena --config configs/arena/ladder.yaml
         plyground arena --config configs/arena/ladder.yaml --backend ray --address auto
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

from plyground.arena.config import FORMATS, ArenaConfig
from plyground.arena.sprt import Sprt
from plyground.arena.store import Store
from plyground.arena.table import as_dict, format_pair, format_table
from plyground.arena.task import Finished
from plyground.arena.tournament import Tournament
from plyground.cli.options import add_cluster_options, whole_number
from plyground.cli.tournament_screen import TournamentScreen, openings_screen
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.quoridor import GameConfig
from plyground.search.limits import LIMIT_NAMES


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.add_argument("agents", nargs="*", metavar="AGENT", help="who plays: engine:time=0.1 ...")
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="a YAML file of settings; options override it"
    )
    parser.add_argument(
        "--store",
        default="arena.sqlite",
        metavar="FILE",
        help="where games are kept (default: arena.sqlite)",
    )
    parser.add_argument(
        "--fresh", action="store_true", help="begin anew; the games there are stay in the store"
    )
    parser.add_argument("--format", choices=FORMATS, help="who meets whom (default: round-robin)")
    parser.add_argument(
        "--games",
        type=whole_number(2, 1_000_000),
        help="of each pairing, even (default: 20; with --sprt at most 20,000)",
    )
    parser.add_argument(
        "--workers",
        type=whole_number(1, 1024),
        help="games at a time (default: 1; on a Ray cluster as many as there is room for)",
    )
    add_cluster_options(parser)
    add_condition_options(parser)
    parser.add_argument(
        "--sprt",
        nargs="+",
        metavar="NAME=VALUE",
        help="stop when it is clear: elo0=0 elo1=10, and alpha, beta, model=normalised",
    )
    parser.add_argument("--json", action="store_true", help="print the result as a JSON object")


def add_condition_options(parser: argparse.ArgumentParser) -> None:
    """What games are played, and how; none has a default, so that a file's settings stand."""
    games, presets = tuple(registry.GAMES), tuple(GameConfig.PRESETS)
    parser.add_argument("--game", choices=games, help=f"default: {games[0]}")
    parser.add_argument("--preset", choices=presets, help="Quoridor's")
    parser.add_argument("--board", type=whole_number(3, 9), metavar="N", help="Quoridor's rows")
    parser.add_argument(
        "--walls", type=whole_number(0, 64), metavar="N", help="each player's, of Quoridor"
    )
    parser.add_argument(
        "--openings",
        metavar="BOOK",
        help="a file of moves, positions or records; start for the usual start",
    )
    parser.add_argument("--seed", type=whole_number(0, 10**9), help="of the openings (default: 1)")
    parser.add_argument(
        "--limit",
        nargs="+",
        metavar="NAME=VALUE",
        help=f"for every move of every agent: {', '.join(LIMIT_NAMES)}",
    )
    parser.add_argument(
        "--clock", metavar="S[+S]", help="seconds for each agent's game, and for each move: 10+0.1"
    )
    parser.add_argument(
        "--move-timeout",
        type=float,
        metavar="S",
        help="without a clock, silence for so long beyond an agent's limits loses (default: 60)",
    )
    parser.add_argument(
        "--adjudicate",
        nargs="+",
        metavar="RULE",
        help="end games early: proven, win_score=X, draw_score=X, max_plies=N; see docs/arena.md",
    )


def settings_from(args: argparse.Namespace) -> dict[str, Any]:
    """The settings that were given as options."""
    found = {item.name: getattr(args, item.name, None) for item in fields(ArenaConfig)}
    same = {name for name in found if name not in ("agents", "sprt")}
    settings = {name: found[name] for name in same if found[name] is not None}
    if args.limit:
        settings["limits"] = _values("--limit", args.limit)
    if args.adjudicate:
        settings["adjudication"] = _values("--adjudicate", args.adjudicate)
    return settings


def run(args: argparse.Namespace) -> int:
    """Play what is missing, with a live table on standard error, and print the table."""
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
        tournament = prepare(config, store, args.fresh)
        status = play(tournament)
        if status:
            left = len(tournament.tasks) - tournament.done
            print(f"stopped, {left} games left; the same command goes on", file=sys.stderr)
        scores = tournament.scores
        if args.json:
            print(json.dumps(as_dict(scores, config.sprt) | {"tournament": tournament.number}))
            return status
        print(format_table(scores))
        if len(config.agents) == 2:
            print(format_pair(scores, config.sprt))
    return status


def prepare(config: ArenaConfig, store: Store, fresh: bool = False) -> Tournament:
    """The tournament, its openings found, with a word where that takes time."""
    with openings_screen() as on_found:
        return Tournament(config, store, fresh=fresh, on_found=on_found)


def play(tournament: Tournament, on_game: Callable[[Finished], object] | None = None) -> int:
    """Play with a live table; 130 if it was stopped."""
    screen = TournamentScreen(tournament)
    games = tournament.run()
    try:
        for game in games:
            if on_game is not None:
                on_game(game)
            screen.show()
    except KeyboardInterrupt:
        return 130
    finally:
        games.close()
        screen.clear()
    return 0


def _values(option: str, words: list[str]) -> dict[str, Any]:
    """Numbers by name; a name alone switches something on."""
    values: dict[str, Any] = {}
    for word in words:
        key, equals, text = word.partition("=")
        if not equals:
            values[key] = True
            continue
        try:
            values[key] = int(text) if text.lstrip("-").isdecimal() else float(text)
        except ValueError:
            raise ConfigError(f"expected a number for {key} of {option}, got {text!r}") from None
    return values
