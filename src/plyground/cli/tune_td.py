"""Learn the weights of Quoridor's evaluation from self-play, by TD(lambda).

The output folder has log.csv (weights and errors), weights.png, and two files of weights for
agents: minimax.yaml (minimax:weights=FILE) and engine.yaml (engine:weights=FILE). Then minimax with
the learned weights plays a match against minimax with its own. Ctrl-C stops the run, and the same
command continues.

Example: plyground tune td td-small --out runs/td-small
         plyground tune td td-small --out runs/longer --set games=50000
"""

from __future__ import annotations

import argparse
from functools import partial

from plyground.arena.store import Store
from plyground.cli.options import whole_number
from plyground.cli.progress import clear_progress, show_count
from plyground.cli.tune_options import (
    add_match_option,
    add_run_options,
    draw,
    play_match,
    stopped,
)
from plyground.games.quoridor_game import QUORIDOR
from plyground.search.quoridor_weights import write_weights
from plyground.tune.candidates import with_options
from plyground.tune.quoridor_td import TdConfig, TdResult, tune_td
from plyground.tune.quoridor_td_play import MINIMAX
from plyground.tune.quoridor_td_plot import write_td_plot


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    add_run_options(parser)
    add_match_option(parser)
    parser.add_argument(
        "--workers",
        type=whole_number(1, 1024),
        default=1,
        metavar="N",
        help="games of the match in parallel (default: 1)",
    )


def run(args: argparse.Namespace) -> int:
    """Learn, with progress on standard error, and check the result by a match."""
    config = TdConfig.load(args.config, args.overrides)
    try:
        result = tune_td(config, args.out, partial(show_count, "games"))
    except KeyboardInterrupt:
        return stopped()
    finally:
        clear_progress()
    print(report(config, result))
    size = config.game_config().board_size
    games = config.games * len(config.seeds)
    comment = f"Learned by plyground tune td on {size}x{size}, {games:,} games."
    write_weights(args.out / "minimax.yaml", result.minimax(), comment)
    write_weights(args.out / "engine.yaml", result.engine(), comment)
    draw(lambda: write_td_plot(config, result.log, args.out / "weights.png"))
    if not args.match:
        return 0
    agent = f"minimax:depth={max(2, config.depth)}"
    candidate = with_options(agent, result.minimax())
    with Store(args.out / "games.sqlite") as store:
        settings = config.game_settings() | {"game": QUORIDOR.name, "preset": config.preset}
        settings["workers"] = args.workers
        return play_match(candidate, agent, settings, args.match, store)


def report(config: TdConfig, result: TdResult) -> str:
    """The learned weights, and the weights for agents."""
    minimax, engine = result.minimax(), result.engine()
    lines = [
        f"{config.games:,} games per seed: {', '.join(map(str, config.seeds))}",
        f"{'feature':<10} {'weight':>9} {'±':>8} {'minimax':>9} {'engine':>7}",
    ]
    for name in config.features:
        plain = f"{minimax[MINIMAX[name]]:g}" if name in MINIMAX else ""
        lines.append(
            f"{name:<10} {result.mean[name]:>9.4f} {result.deviation[name]:>8.4f}"
            f" {plain:>9} {engine[name]:>7}"
        )
    return "\n".join(lines)
