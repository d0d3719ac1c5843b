"""`plyground analyse --all`: every game of a file of records or a store, a line for each."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from plyground.analysis.game_facts import FactsFile, annotated
from plyground.analysis.many_games import AnalysedGame, AnalysisSettings, analyse_games
from plyground.cli.progress import clear_progress, show_count
from plyground.errors import ConfigError
from plyground.games.lines import format_turn
from plyground.hints import counted, printable
from plyground.play import BadGame
from plyground.play.game_file import write_games


def analyse_all(args: argparse.Namespace, settings: AnalysisSettings) -> int:
    """Analyse every game; the exit status is 1 if games were skipped, 130 after Ctrl-C."""
    from plyground.data.sources import numbered_records  # here, to start fast

    if args.output is not None:
        _check_new_output(args.output)
    bad: list[BadGame] = []
    on_bad = bad.append if args.skip_bad else None
    total = sum(1 for _ in numbered_records(args.file, on_bad))
    for game in bad:
        print(printable(f"skipped {game}"), file=sys.stderr)
    if total == 0:
        raise ConfigError(f"{args.file} has no game")
    results = None if args.results is None else FactsFile(args.results)
    games = numbered_records(args.file, (lambda game: None) if args.skip_bad else None)  # noqa: ARG005
    done: list[AnalysedGame] = []
    show_count("games", 0, total)
    try:
        for analysed in analyse_games(games, settings, args.workers, results):
            done.append(analysed)
            clear_progress()
            _print_one(analysed, args.json)
            show_count("games", len(done), total)
    except KeyboardInterrupt:
        clear_progress()
        done_of = f"{len(done)} of {counted(total, 'game')}"
        print(f"stopped after {done_of}; the same command continues there", file=sys.stderr)
        return 130
    finally:
        if results is not None:
            results.close()
    clear_progress()
    if args.output is not None:
        write_games([annotated(game.record, game.facts) for game in done], args.output)
    if not args.json:
        _print_players(done)
    return 1 if bad else 0


def _print_one(analysed: AnalysedGame, as_json: bool) -> None:
    """Print the analysis of one game of many."""
    record, facts = analysed.record, analysed.facts
    names = {str(player): record.player_name(player, "?") for player in (1, 2)}
    if as_json:
        print(json.dumps({"number": analysed.number, "players": names, **facts}), flush=True)
        return
    accuracy = " - ".join("?" if x is None else f"{x:.0%}" for x in facts["accuracy"].values())
    marked = [
        f"{format_turn(move['number'], move['player'])} {move['move']}{move['mark']}"
        for move in facts["moves"]
        if move["mark"]
    ]
    line = (
        f"{analysed.number:>6}  {names['1']} - {names['2']}  {record.result}  "
        f"{counted(len(record.moves), 'ply', 'plies')}, accuracy {accuracy}"
    )
    print(printable(", ".join([line, *marked])), flush=True)


def _print_players(games: Sequence[AnalysedGame]) -> None:
    """Print the mean accuracy of each player's games."""
    found: dict[str, list[float]] = {}
    for game in games:
        for player, accuracy in game.facts["accuracy"].items():
            if accuracy is not None:
                name = game.record.player_name(int(player), "?")
                found.setdefault(name, []).append(accuracy)
    for name, values in sorted(found.items(), key=lambda item: -fmean(item[1])):
        print(printable(f"{name}: accuracy {fmean(values):.0%} in {counted(len(values), 'game')}"))


def _check_new_output(path: Path) -> None:
    """Raise a ConfigError unless a new file can be made there."""
    if not path.parent.is_dir():
        raise ConfigError(f"expected a folder for --output, got {str(path.parent)!r}")
    if path.exists() and path.stat().st_size:
        raise ConfigError(f"expected a new file for --output with --all, got {str(path)!r}")
