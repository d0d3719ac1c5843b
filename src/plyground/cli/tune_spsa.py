"""Tune many numbers of an agent at once, by games against itself (SPSA).

The folder gets log.csv and spsa.png (the numbers as they went), and the result as an agent's string
(agent.txt) and, where they are weights, as a file of them (weights.yaml). Then the agent with the
numbers found meets the agent as it is. Ctrl-C stops; the same command goes on.

Example: plyground tune spsa configs/tune/spsa-engine.yaml --out runs/spsa --workers 2
"""

from __future__ import annotations

import argparse
from functools import partial

from plyground.arena.store import Store
from plyground.cli.options import whole_number
from plyground.cli.tournament_screen import openings_screen
from plyground.cli.tune_options import (
    add_match_option,
    add_run_options,
    clear_progress,
    draw,
    play_match,
    show_progress,
    stopped,
)
from plyground.tune.candidates import with_options, write_found
from plyground.tune.spsa_plot import write_spsa_plot
from plyground.tune.spsa_run import SpsaConfig, SpsaResult, tune_spsa


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    add_run_options(parser)
    add_match_option(parser)
    parser.add_argument(
        "--workers", type=whole_number(1, 1024), metavar="N", help="games at a time (default: 1)"
    )


def run(args: argparse.Namespace) -> int:
    """Tune, with progress on standard error, and check the result."""
    given = [] if args.workers is None else [f"workers={args.workers}"]
    config = SpsaConfig.load(args.config, [*args.overrides, *given])
    try:
        with openings_screen() as on_found:
            progress = partial(show_progress, "iterations")
            result = tune_spsa(config, args.out, progress, on_found=on_found)
    except KeyboardInterrupt:
        return stopped()
    finally:
        clear_progress()
    print(report(config, result))
    found = with_options(config.agent, result.values)
    comment = f"Found by plyground tune spsa, {config.iterations:,} iterations of {config.agent}."
    write_found(args.out, config.agent, result.values, comment)
    draw(lambda: write_spsa_plot(config, result.log, args.out / "spsa.png"))
    if not args.match:
        return 0
    if all(result.values[parameter.name] == parameter.start for parameter in config.parameters):
        print("nothing has changed; there is nothing to check")
        return 0
    start = {parameter.name: parameter.start for parameter in config.parameters}
    with Store(args.out / "games.sqlite") as store:
        reference = with_options(config.agent, start)
        return play_match(found, reference, config.arena or {}, args.match, store)


def report(config: SpsaConfig, result: SpsaResult) -> str:
    """Where the numbers began and ended."""
    width = max(len(parameter.name) for parameter in config.parameters)
    games = 2 * config.pairs * config.iterations
    lines = [
        f"{config.iterations:,} iterations, {games:,} games",
        f"{'parameter':<{width}}    start    found",
    ]
    lines += [
        f"{parameter.name:<{width}} {parameter.start:>8g} {result.values[parameter.name]:>8.5g}"
        for parameter in config.parameters
    ]
    return "\n".join(lines)
