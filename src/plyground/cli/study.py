"""Answer a question by many games, with a table and a plot.

depth: how much a ply of search is worth, and what it costs. An agent meets itself at
several depths.

first-player: what moving first is worth. An agent plays both sides from random openings.

The folder gets the games (games.sqlite), a table (.md) and a plot (.png). Ctrl-C stops; the same
command goes on.

Example: plyground study depth --boards 5 9 --games 100 --out runs/depth
         plyground study first-player --out runs/first-player
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from plyground.arena.config import ArenaConfig
from plyground.arena.store import Store
from plyground.arena.tournament import backend_for
from plyground.cli.arena import play, prepare
from plyground.cli.options import whole_number
from plyground.cli.tune_options import (
    add_workers_options,
    clear_progress,
    draw,
    show_progress,
    stopped,
)
from plyground.errors import ConfigError
from plyground.quoridor import GameConfig
from plyground.study.depth import DepthRow, depth_config, depth_rows, depth_table, write_depth_plot
from plyground.study.first_player import (
    FirstPlayerStudy,
    first_player_table,
    write_first_player_plot,
)
from plyground.study.markdown import write_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    kinds = parser.add_subparsers(dest="what", metavar="what", required=True)
    add = partial(
        kinds.add_parser,
        allow_abbrev=False,
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    depth = add("depth", help="how much a ply of search is worth and costs")
    _add_shared(depth, agent="minimax", games=100, each="pairing")
    depth.add_argument(
        "--boards",
        type=whole_number(3, 9),
        nargs="+",
        default=[5, 9],
        metavar="N",
        help="rows of the boards, with the walls of their presets (default: 5 9)",
    )
    depth.add_argument(
        "--depths",
        type=whole_number(1, 20),
        nargs="+",
        default=[1, 2, 3, 4, 5, 6],
        metavar="N",
        help="default: 1 2 3 4 5 6",
    )
    first = add("first-player", help="what moving first is worth")
    _add_shared(first, agent="engine:nodes=2000,hash_mb=1", games=1000, each="preset")
    first.add_argument(
        "--presets",
        choices=tuple(GameConfig.PRESETS),
        nargs="+",
        default=["tiny", "small", "standard"],
        help="default: tiny small standard",
    )
    first.add_argument(
        "--plies",
        type=whole_number(0, 30),
        default=4,
        metavar="N",
        help="random plies at the beginning of each game, an even number (default: 4)",
    )


def _add_shared(parser: argparse.ArgumentParser, agent: str, games: int, each: str) -> None:
    parser.add_argument("--agent", default=agent, help=f"who plays (default: {agent})")
    parser.add_argument(
        "--games",
        type=whole_number(2, 1_000_000),
        default=games,
        metavar="N",
        help=f"of each {each} (default: {games:,})",
    )
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FOLDER", help="where the files go"
    )
    add_workers_options(parser)
    parser.add_argument(
        "--seed", type=whole_number(0, 10**9), default=1, help="of the openings (default: 1)"
    )


def run(args: argparse.Namespace) -> int:
    """Play what is missing, and say what all games together say."""
    try:
        args.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"cannot make the folder {args.out}: {error.strerror}") from None
    with Store(args.out / "games.sqlite") as store:
        return depth(args, store) if args.what == "depth" else first_player(args, store)


def depth(args: argparse.Namespace, store: Store) -> int:
    """The study of depths."""
    depths = sorted(set(args.depths))
    settings: dict[str, Any] = {"games": args.games, "seed": args.seed, **workers(args)}
    configs = [depth_config(args.agent, depths, board, settings) for board in args.boards]
    found: dict[int, list[DepthRow]] = {}
    pages: list[str] = []
    for board, config in zip(args.boards, configs, strict=True):
        tournament = prepare(config, store)
        if play(tournament):
            return stopped()
        found[board] = depth_rows(tournament, depths)
        what = f"{args.agent} on {board}x{board}, {args.games} games of each two depths"
        pages.append(f"{what}:\n\n{depth_table(found[board])}\n")
    finish(args.out, "depth", pages, lambda path: write_depth_plot(found, args.agent, path))
    return 0


def first_player(args: argparse.Namespace, store: Store) -> int:
    """The study of the first move."""
    # Only who plays the games is of interest here; the agents are the study's own.
    backend = backend_for(ArenaConfig.of({"agents": ("one", "other"), **workers(args)}))
    studies = [
        FirstPlayerStudy(preset, args.agent, args.games, args.plies, args.seed, store)
        for preset in args.presets
    ]
    done, total = 0, sum(len(study.tasks) for study in studies)
    try:
        for study in studies:
            done += len(study.played())
            for _ in study.run(backend):
                done += 1
                show_progress("games", done, total)
    except KeyboardInterrupt:
        return stopped()
    clear_progress()
    rows = [study.row() for study in studies]
    what = f"{args.agent} against itself from openings of {args.plies} random plies"
    pages = [f"{what}:\n\n{first_player_table(rows)}\n"]
    finish(
        args.out,
        "first-player",
        pages,
        lambda path: write_first_player_plot(rows, args.agent, path),
    )
    return 0


def workers(args: argparse.Namespace) -> dict[str, Any]:
    """Who plays the games, as settings of a tournament."""
    found = {name: getattr(args, name) for name in ("workers", "backend", "address")}
    return {name: value for name, value in found.items() if value is not None}


def finish(folder: Path, name: str, pages: list[str], plot: Callable[[Path], object]) -> None:
    """Print the tables, and write them and the plot."""
    text = "\n".join(pages)
    print(text, end="")
    write_text(folder / f"{name}.md", text)
    draw(lambda: plot(folder / f"{name}.png"))
