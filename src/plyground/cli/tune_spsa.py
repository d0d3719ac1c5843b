"""Tune many options of an agent at once, by games against itself (SPSA).

The output folder has log.csv and spsa.png (the values over time), and the result as an agent's
string (agent.txt) and, if the options are weights, as a file of weights (weights.yaml). Then the
tuned agent plays a match against the original. Ctrl-C stops the run, and the same command
continues.

Example: plyground tune spsa spsa-engine --out runs/spsa --workers 2
"""

from __future__ import annotations

import argparse
from functools import partial

from plyground.arena.forfeits import (
    AgentFailedError,
    ForfeitNotices,
    all_lost_sentence,
    forfeits_note,
)
from plyground.arena.store import Store
from plyground.cli.arena import print_failure
from plyground.cli.options import add_crash_options, whole_number
from plyground.cli.progress import clear_progress, show_count
from plyground.cli.tournament_screen import openings_screen
from plyground.cli.tune_options import (
    add_match_option,
    add_run_options,
    draw,
    play_match,
    print_notice,
    stopped,
)
from plyground.tune.candidates import with_options, write_found
from plyground.tune.spsa_plot import write_spsa_plot
from plyground.tune.spsa_run import SpsaConfig, SpsaResult, tune_spsa


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    add_run_options(parser)
    add_match_option(parser)
    add_crash_options(parser)
    parser.add_argument(
        "--workers", type=whole_number(1, 1024), metavar="N", help="games in parallel (default: 1)"
    )


def run(args: argparse.Namespace) -> int:
    """Tune, with progress on standard error, and check the result by a match."""
    options = {"workers": args.workers, "on_crash": args.on_crash}
    given = [f"{name}={value}" for name, value in options.items() if value is not None]
    config = SpsaConfig.load(args.config, [*args.overrides, *given])
    try:
        with openings_screen() as on_found:
            progress = partial(show_count, "iterations")
            notices = ForfeitNotices(config.agent)
            report_game = partial(print_notice, notices)
            result = tune_spsa(config, args.out, progress, on_found=on_found, on_game=report_game)
    except KeyboardInterrupt:
        return stopped()
    except AgentFailedError as failure:
        clear_progress()
        print_failure(str(failure))
        return 1
    finally:
        clear_progress()
    print(report(config, result))
    games = games_of(config)
    if result.forfeits.total() == games:
        print_failure(all_lost_sentence(config.agent, games, result.forfeits))
        return 1
    found = with_options(config.agent, result.values)
    comment = f"Found by plyground tune spsa, {config.iterations:,} iterations of {config.agent}."
    game = config.tournament().find_game()
    write_found(args.out, config.agent, result.values, game, comment)
    draw(lambda: write_spsa_plot(config, result.log, args.out / "spsa.png"))
    if not args.match:
        return 0
    if all(result.values[parameter.name] == parameter.start for parameter in config.parameters):
        print("no option has changed, so no match is played")
        return 0
    start = {parameter.name: parameter.start for parameter in config.parameters}
    with Store(args.out / "games.sqlite") as store:
        reference = with_options(config.agent, start)
        return play_match(found, reference, config.arena or {}, args.match, store)


def games_of(config: SpsaConfig) -> int:
    """The number of games of a run."""
    return 2 * config.pairs * config.iterations


def report(config: SpsaConfig, result: SpsaResult) -> str:
    """The initial and the tuned values."""
    width = max(len(parameter.name) for parameter in config.parameters)
    games = games_of(config)
    lines = [
        f"{config.iterations:,} iterations, {games:,} games",
        f"{'parameter':<{width}}    start    found",
    ]
    lines += [
        f"{parameter.name:<{width}} {parameter.start:>8g} {result.values[parameter.name]:>8.5g}"
        for parameter in config.parameters
    ]
    if note := forfeits_note({config.agent: result.forfeits}):
        lines.append(note)
    return "\n".join(lines)
