"""Analyse games with a strong agent, or show the best lines of a position.

For a game, it prints the chances to win as a graph, the moves that turned the game with better
ones and a reason, and each player's accuracy and moves by class, from best to blunder. With --all
it prints a line for every game of the file, or a JSON object. Results are kept: after Ctrl-C, the
same command continues.

Example: plyground analyse game.pgn --time 0.5 --picture game.svg --output annotated.pgn
Example: plyground analyse arena.sqlite --all --depth 8 --results analyses.jsonl
Example: plyground analyse --position "9 e4/e6 c3h,e3h,d7h 8/9 2 9 1" --lines 3
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

from plyground.analysis.adviser import adviser_for
from plyground.analysis.cache import AnalysisCache
from plyground.analysis.game_facts import facts_of
from plyground.analysis.game_report import GameReport, analyse_game, score_of
from plyground.analysis.graph import check_picture, draw, write_picture
from plyground.analysis.lines import best_lines, line_chance
from plyground.analysis.many_games import AnalysisSettings
from plyground.cli.analyse_all import analyse_all
from plyground.cli.options import add_game_option, game_from, seconds, whole_number
from plyground.cli.progress import clear_progress, show_progress
from plyground.errors import ConfigError
from plyground.games.base import State
from plyground.games.lines import format_line
from plyground.json_types import JsonObject
from plyground.play import Record
from plyground.play.game_file import read_game, read_games, save_game
from plyground.play.seat import Seat
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult
from plyground.ui.review_text import format_exact, format_mistake, format_players
from plyground.ui.terminal.paint import Paint
from plyground.ui.text import format_effort

BAR_WIDTH = 30
SHOWN_PLIES = 12


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.add_argument(
        "file", nargs="?", type=Path, metavar="GAME_FILE", help="file of game records, or a store"
    )
    parser.add_argument(
        "--all", action="store_true", help="analyse every game of the file, a line for each"
    )
    parser.add_argument(
        "--workers",
        type=whole_number(1, 1024),
        metavar="N",
        help="processes with --all (default: one per core)",
    )
    parser.add_argument(
        "--results",
        type=Path,
        metavar="FILE",
        help="file for the analyses of --all, a line of JSON per game; those in it are kept",
    )
    parser.add_argument(
        "--skip-bad", action="store_true", help="with --all, skip games that cannot be read"
    )
    parser.add_argument(
        "--number",
        type=whole_number(1, 999_999),
        metavar="N",
        help="number of the game in the file, or its id in a store (default: the last one)",
    )
    parser.add_argument("--position", metavar="TEXT", help="position to analyse instead of a game")
    add_game_option(parser)
    parser.add_argument(
        "--lines",
        type=whole_number(1, 50),
        default=3,
        metavar="N",
        help="number of lines to show for a position (default: 3)",
    )
    parser.add_argument(
        "--with",
        dest="agent",
        metavar="AGENT",
        help="agent that analyses (default: the strongest for the game and board)",
    )
    parser.add_argument(
        "--time",
        type=seconds,
        metavar="S",
        help="seconds for each position of a game (default: 0.5), or for --position (default: 2)",
    )
    parser.add_argument(
        "--depth",
        type=whole_number(1, 100),
        metavar="N",
        help="search depth in plies instead of a time; the engine then analyses",
    )
    parser.add_argument(
        "--picture", type=Path, metavar="FILE", help="file for the graph: .svg, .png or .pdf"
    )
    parser.add_argument(
        "--output",
        type=Path,
        metavar="FILE",
        help="file to which the annotated record is added; with --all, a new file for all of them",
    )
    parser.add_argument(
        "--no-cache", action="store_true", help="neither read nor write the analysis cache"
    )
    parser.add_argument("--plain", action="store_true", help="only ASCII")
    parser.add_argument(
        "--json", action="store_true", help="print the result as a JSON object, one for each game"
    )


def run(args: argparse.Namespace) -> int:
    """Analyse a game or a position."""
    if (args.file is None) == (args.position is None):
        raise ConfigError("expected either a game file or --position")
    for option in ("number", "picture", "output", "all"):
        if args.position is not None and getattr(args, option):
            raise ConfigError(f"--{option} needs a game file; omit it with --position")
    for option in ("number", "picture"):
        if args.all and getattr(args, option):
            raise ConfigError(f"--{option} is for one game; omit it with --all")
    for option in ("workers", "results", "skip_bad"):
        if not args.all and getattr(args, option):
            raise ConfigError(f"--{option.replace('_', '-')} needs --all")
    limits = SearchLimits(depth=args.depth, time_s=args.time)
    if args.depth is None and not args.time:
        limits = SearchLimits(time_s=0.5)
    if args.all:
        return analyse_all(args, AnalysisSettings(limits, args.agent, not args.no_cache))
    with nullcontext() if args.no_cache else AnalysisCache() as cache:
        if args.position is not None:
            return _position(args, cache)
        return _game(args, cache, limits)


def _position(args: argparse.Namespace, cache: AnalysisCache | None) -> int:
    game = game_from(args)
    state: State = game.start({}, args.position)
    if state.outcome is not None:
        raise ConfigError(f"the game is over in {state.text()!r}: {state.outcome}")
    settings = AnalysisSettings(SearchLimits(depth=args.depth), args.agent)
    adviser = adviser_for(state, cache, settings.agent_for(game))
    time_s = args.time or 2.0
    found = best_lines(adviser, state, args.lines, time_s, _bar("moves"), args.depth)
    clear_progress()
    if args.json:
        lines = [_line_facts(adviser, state, line, found[0]) for line in found]
        print(json.dumps({"position": state.text(), "with": adviser.name, "lines": lines}))
        return 0
    print(f"{state}\n")
    for number, line in enumerate(found, 1):
        moves = format_line(state, line.pv[:SHOWN_PLIES])
        print(f"{number}. {score_of(line, adviser)!s:<12} {format_effort(line):<9} {moves}")
    print(f"analysed with {adviser.name}")
    return 0


def _line_facts(adviser: Seat, state: State, line: SearchResult, best: SearchResult) -> JsonObject:
    score = score_of(line, adviser)
    return {
        "moves": [*format_line(state, line.pv).split()],
        "score": score.value,
        "chance": round(line_chance(line, best, player=1), 4),
        "win_in": line.win_in,
        "exact": line.exact,
        "depth": line.depth,
    }


def _game(args: argparse.Namespace, cache: AnalysisCache | None, limits: SearchLimits) -> int:
    if args.picture is not None:
        check_picture(args.picture)
    if args.output is not None:
        _check_output(args.output)
    record = _record(args.file, args.number)
    start = record.start_state()
    agent = AnalysisSettings(limits, args.agent).agent_for(start.game)
    adviser = adviser_for(start, cache, agent)
    report = analyse_game(record, adviser, limits, _bar("positions"))
    clear_progress()
    if args.picture is not None and report.plies:
        write_picture(report, args.picture)
    # If the game is half done, the same command would later add a second copy.
    if args.output is not None and report.is_complete:
        save_game(report.annotated(), args.output)
    if args.json:
        print(json.dumps(facts_of(report, adviser.name)))
    else:
        _print(report, adviser, args.plain)
    if not report.is_complete:
        done = f"{len(report.plies)} of {len(record.moves)} moves"
        kept = "" if args.output is None else f", nothing added to {args.output}"
        print(f"stopped after {done}{kept}; the same command continues there", file=sys.stderr)
        return 130
    return 0


def _record(path: Path, number: int | None) -> Record:
    """A game of a file of records or of a store, by default the last."""
    from plyground.arena.store import is_database  # here, to start fast
    from plyground.data.sources import numbered_records

    if not is_database(path):
        return read_game(path, number)[0]
    last: Record | None = None
    for found, record in numbered_records(path):
        last = record
        if found == number:
            return record
    if last is None or number is not None:
        raise ConfigError(f"{path} has no game" + ("" if number is None else f" {number}"))
    return last


def _check_output(path: Path) -> None:
    """Raise a ConfigError before the analysis, not after it, if nothing can be added there."""
    if not path.parent.is_dir():
        raise ConfigError(f"expected a folder for --output, got {str(path.parent)!r}")
    if path.exists() and path.stat().st_size:
        read_games(path)


def _print(report: GameReport, adviser: Seat, plain: bool) -> None:
    record = report.record
    plain = Paint.for_output(sys.stdout, plain).is_plain
    names = {player: record.player_name(player, "?") for player in (1, 2)}
    print(f"player 1 ({names[1]}) against player 2 ({names[2]}): {record.result}")
    print("player 1's chance to win:\n")
    width = min(shutil.get_terminal_size((80, 24)).columns, 100)
    print("\n".join(draw(report.chances, width, plain=plain)) + "\n")
    for ply in report.turning_points():
        print("\n".join(format_mistake(report, ply)))
    print("\n".join([*format_exact(report), *format_players(report)]))
    print(f"analysed with {adviser.name}")


def _bar(what: str) -> Callable[[int, int], None]:
    """A callback that draws a progress bar."""

    def show(done: int, of: int) -> None:
        filled = BAR_WIDTH * done // max(1, of)
        bar = "#" * filled + "." * (BAR_WIDTH - filled)
        show_progress(f"[{bar}] {done} of {of} {what}")

    return show
