"""Try every combination of some options of an agent, in a tournament.

All configurations play the same reference (or, with format: round-robin, each other), from openings
close to even, each played twice with colours swapped. The output folder has the games
(games.sqlite), all configurations with their Elo and 95% intervals (grid.csv), heat maps (grid.png)
and the best configuration (agent.txt, and weights.yaml if the options are weights), which then
plays the reference again from other openings. Ctrl-C stops the run, and the same command continues.

Example: plyground tune grid grid-hand --out runs/grid-hand --workers 2
         plyground tune grid grid-hand --out runs/wider --set games=400
         plyground tune grid grid-standard --out runs/grid --backend ray
"""

from __future__ import annotations

import argparse
import csv
import io
import sys
from collections.abc import Sequence
from pathlib import Path

from plyground.arena.store import Store
from plyground.arena.summary import format_forfeits
from plyground.cli.arena import INTERRUPTED, play, prepare, report_failures
from plyground.cli.tune_options import (
    add_match_option,
    add_run_options,
    add_workers_options,
    draw,
    play_match,
    workers_from,
)
from plyground.files import atomic_write
from plyground.folders import make_folder
from plyground.hints import counted
from plyground.tune.candidates import write_found
from plyground.tune.grid import GridConfig, GridRow, grid_rows
from plyground.tune.grid_plot import write_grid_plot

SHOWN = 10
"""Configurations that are printed; the file has all of them."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    add_run_options(parser)
    add_match_option(parser)
    add_workers_options(parser)


def run(args: argparse.Namespace) -> int:
    """Play the missing games, with live standings on standard error, and print the best."""
    workers = [f"{name}={value}" for name, value in workers_from(args).items()]
    config = GridConfig.load(args.config, [*args.overrides, *workers])
    make_folder(args.out)
    with Store(args.out / "games.sqlite") as store:
        tournament = prepare(config.tournament(), store)
        if play(tournament):
            left = len(tournament.tasks) - tournament.done
            left_games = counted(left, "game")
            print(f"stopped with {left_games} left; the same command continues", file=sys.stderr)
            return INTERRUPTED
        reference = tournament.config.agents[0]
        if tournament.stopped_by is not None or reference in tournament.out:
            return report_failures(tournament)
        rows = grid_rows(config, tournament.crosstable)
        write_rows(args.out / "grid.csv", rows)
        draw(lambda: write_grid_plot(config, rows, args.out / "grid.png"))
        comment = f"The best of {len(rows)} configurations of plyground tune grid."
        game = tournament.config.find_game()
        write_found(args.out, config.agent, rows[0].options, game, comment)
        print(report(rows))
        if note := format_forfeits(tournament.crosstable):
            print(note)
        failed = report_failures(tournament)
        if not args.match or failed:
            return failed
        print("\nthe best configuration, from other openings:", flush=True)
        return play_match(rows[0].agent, reference, config.arena or {}, args.match, store)


def report(rows: Sequence[GridRow]) -> str:
    """The best configurations."""
    names = list(rows[0].options)
    widths = [max(8, len(name)) for name in names]
    head = " ".join(f"{name:>{width}}" for name, width in zip(names, widths, strict=True))
    lines = [f"{len(rows)} configurations, Elo above the reference:", f"  # {head}    Elo  95%"]
    for place, row in enumerate(rows[:SHOWN], 1):
        values = " ".join(
            f"{row.options[name]:>{width}g}" for name, width in zip(names, widths, strict=True)
        )
        mark = "*" if row.has_forfeits else " "
        elo = f"{row.elo.elo:>+6.0f}{mark} {row.elo.low:+.0f} to {row.elo.high:+.0f}"
        lines.append(f"{place:>3} {values} {elo}")
    if len(rows) > SHOWN:
        lines.append("  ...")
    return "\n".join(lines)


def write_rows(path: Path, rows: Sequence[GridRow]) -> None:
    """Write all configurations as CSV, best first."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(
        [*rows[0].options, "elo", "elo_low", "elo_high", "score", "games", "forfeits", "agent"]
    )
    for row in rows:
        numbers = [f"{value:.1f}" for value in (row.elo.elo, row.elo.low, row.elo.high)]
        counts = f"{row.score:.4f}", row.games, row.forfeits
        writer.writerow([*row.options.values(), *numbers, *counts, row.agent])
    with atomic_write(path) as file:
        file.write(text.getvalue().encode())
