"""Go through a game with a strong player, or show the best lines of a position.

A game: its score as a graph, the moves that turned it with what was better, and each player's
accuracy. What was found is kept: after Ctrl-C, the same command goes on where it was.

Example: plyground analyse game.pgn --time 0.5 --picture game.svg --output annotated.pgn
Example: plyground analyse --position "9 e4/e6 c3h,e3h,d7h 8/9 2 9 1" --lines 3
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from plyground.analysis.adviser import adviser_for
from plyground.analysis.cache import AnalysisCache
from plyground.analysis.game_report import GameReport, analyse_game, chance
from plyground.analysis.graph import check_picture, draw, write_picture
from plyground.analysis.lines import best_lines
from plyground.cli.options import add_game_option, seconds, whole_number
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.play.game_file import read_game, read_games, save_game
from plyground.play.seat import Seat
from plyground.search.limits import SearchLimits
from plyground.ui.terminal.paint import Paint
from plyground.ui.words import line_of, verdict


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.add_argument("file", nargs="?", type=Path, metavar="GAME_FILE", help="a game's record")
    parser.add_argument(
        "--number", type=whole_number(1, 999_999), metavar="N", help="of the game (default: last)"
    )
    parser.add_argument("--position", metavar="TEXT", help="a position instead of a game")
    add_game_option(parser)
    parser.add_argument(
        "--lines", type=whole_number(1, 50), default=3, metavar="N", help="of the position"
    )
    parser.add_argument("--with", dest="agent", metavar="AGENT", help="who analyses")
    parser.add_argument(
        "--time", type=seconds, metavar="S", help="a position (default: 0.5; with --position 2)"
    )
    parser.add_argument(
        "--depth", type=whole_number(1, 100), metavar="N", help="instead of time; asks the engine"
    )
    parser.add_argument("--picture", type=Path, metavar="FILE", help="the graph: .svg, .png, .pdf")
    parser.add_argument("--output", type=Path, metavar="FILE", help="add the annotated record to")
    parser.add_argument("--no-cache", action="store_true", help="neither look up nor keep anything")
    parser.add_argument("--plain", action="store_true", help="only ASCII")
    parser.add_argument("--json", action="store_true", help="print the result as a JSON object")


def run(args: argparse.Namespace) -> int:
    """Analyse what was given."""
    if (args.file is None) == (args.position is None):
        raise ConfigError("expected a game's file or --position, one of them")
    for option in ("number", "picture", "output"):
        if args.position is not None and getattr(args, option) is not None:
            raise ConfigError(f"--{option} is for a game's file; leave it out with --position")
    limits = SearchLimits(depth=args.depth, time_s=args.time)
    if args.depth is None and not args.time:
        limits = SearchLimits(time_s=0.5)
    with nullcontext() if args.no_cache else AnalysisCache() as cache:
        if args.position is not None:
            return _position(args, cache)
        return _game(args, cache, limits)


def _position(args: argparse.Namespace, cache: AnalysisCache | None) -> int:
    rules = registry.get(args.game)
    state = rules.start({}, args.position)
    if state.outcome is not None:
        raise ConfigError(f"the game is over in {state.text()!r}: {state.outcome}")
    adviser = adviser_for(args.game, cache, _agent(args), state.board_size)
    time_s = args.time or 2.0
    found = best_lines(adviser, state, args.lines, time_s, _bar("moves"), args.depth)
    _clear_bar()
    if args.json:
        lines = [
            {
                "moves": line_of(rules, state, line.pv).split(),
                "score": adviser.score(state, line),
                "chance": round(chance(adviser, args.game, state, line), 4),
                "win_in": line.win_in,
                "depth": line.depth,
            }
            for line in found
        ]
        facts = {"position": state.text(), "with": adviser.name, "lines": lines}
        print(json.dumps(facts))
        return 0
    print(f"{state}\n")
    for number, line in enumerate(found, 1):
        score = verdict(adviser, state, line)
        print(f"{number}. {score:<12} depth {line.depth:<3} {line_of(rules, state, line.pv[:12])}")
    print(f"analysed with {adviser.name}")
    return 0


def _game(args: argparse.Namespace, cache: AnalysisCache | None, limits: SearchLimits) -> int:
    if args.picture is not None:
        check_picture(args.picture)
    if args.output is not None:
        _check_output(args.output)
    record, _ = read_game(args.file, args.number)
    adviser = adviser_for(record.game, cache, _agent(args), record.start_state().board_size)
    report = analyse_game(record, adviser, limits, _bar("positions"))
    _clear_bar()
    if args.picture is not None and report.plies:
        write_picture(report, args.picture)
    # Of a game that is half done, the same command would later add a second copy.
    if args.output is not None and report.is_complete:
        save_game(report.annotated(), args.output)
    if args.json:
        print(json.dumps(_facts(report, adviser)))
    else:
        _print(report, adviser, args.plain)
    if not report.is_complete:
        done = f"{len(report.plies)} of {len(record.moves)} moves"
        kept = "" if args.output is None else f", and nothing added to {args.output}"
        print(f"stopped after {done}{kept}; the same command goes on there", file=sys.stderr)
        return 130
    return 0


def _agent(args: argparse.Namespace) -> str | None:
    """Whoever was asked for; of those who advise, only the engine knows a depth."""
    return args.agent or (None if args.depth is None else "engine")


def _check_output(path: Path) -> None:
    """Better to hear before the analysis than after it that nothing can be added there."""
    if not path.parent.is_dir():
        raise ConfigError(f"expected a folder for --output, got {str(path.parent)!r}")
    if path.exists() and path.stat().st_size:
        read_games(path)


def _print(report: GameReport, adviser: Seat, plain: bool) -> None:
    record = report.record
    plain = Paint.for_output(sys.stdout, plain).is_plain
    names = {player: record.tags.get(f"Player{player}", "?") for player in (1, 2)}
    print(f"player 1 ({names[1]}) against player 2 ({names[2]}): {record.result}")
    print("player 1's chance to win:\n")
    width = min(shutil.get_terminal_size((80, 24)).columns, 100)
    print("\n".join(draw(report.chances, width, plain=plain)) + "\n")
    for ply in report.turning_points():
        turn = f"{(ply.number + 1) // 2}{'.' if ply.player == 1 else '...'}"
        lost = f"{ply.chance:.0%} to {ply.chance - ply.loss:.0%}"
        print(f"{turn:>6} {ply.move + ply.mark:<7} {lost:<12} better: {ply.best_line}")
    for player in (1, 2):
        accuracy = report.accuracy(player)
        if accuracy is not None:
            print(f"player {player} ({names[player]}): accuracy {accuracy:.0%}")
    print(f"analysed with {adviser.name}")


def _facts(report: GameReport, adviser: Seat) -> dict[str, Any]:
    return {
        "with": adviser.name,
        "result": report.record.result,
        "complete": report.is_complete,
        "accuracy": {str(player): report.accuracy(player) for player in (1, 2)},
        "chances": [round(value, 4) for value in report.chances],
        "moves": [
            {
                "number": ply.number,
                "player": ply.player,
                "move": ply.move,
                "mark": ply.mark,
                "loss": round(ply.loss, 4),
                "best": ply.best_line.split(),
                "depth": ply.best.depth,
            }
            for ply in report.plies
        ],
    }


def _bar(what: str) -> Any:
    """A progress bar on the error output, where that is a terminal."""

    def show(done: int, of: int) -> None:
        if sys.stderr.isatty():
            filled = 30 * done // max(1, of)
            bar = "#" * filled + "." * (30 - filled)
            print(f"\r[{bar}] {done} of {of} {what}", end="", file=sys.stderr, flush=True)

    return show


def _clear_bar() -> None:
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
