"""Answer a question by playing many games, with a table and a plot.

depth: how much a ply of search is worth, and what it costs. An agent plays itself at several
depths.

first-player: what moving first is worth. An agent plays both sides from random openings.

The output folder has the games (games.sqlite), a table (.md) and a plot (.png). Ctrl-C stops the
study, and the same command continues it.

Example: plyground study depth --boards 5 9 --games 100 --out runs/depth
         plyground study first-player --out runs/first-player
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path

from plyground.arena.config import ArenaConfig
from plyground.arena.forfeits import (
    AgentFailedError,
    ForfeitCounts,
    ForfeitNotices,
    all_lost_sentence,
    forfeits_note,
)
from plyground.arena.store import Store
from plyground.arena.summary import format_forfeits
from plyground.arena.tournament import backend_for
from plyground.cli.arena import play, prepare, print_failure, report_failures
from plyground.cli.options import add_game_option, game_from, whole_number
from plyground.cli.progress import clear_progress, show_count
from plyground.cli.setting_options import add_setting_options, settings_given
from plyground.cli.tune_options import (
    add_workers_options,
    draw,
    print_notice,
    stopped,
    workers_from,
)
from plyground.config import Settings
from plyground.folders import make_folder
from plyground.study.depth import DepthRow, depth_config, depth_rows, depth_table, write_depth_plot
from plyground.study.first_player import (
    FirstPlayerStudy,
    first_player_table,
    write_first_player_plot,
)
from plyground.study.markdown import write_text

BOARDS = ("5", "9")
"""Board sizes of the study of depths, in games with a setting for it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    kinds = parser.add_subparsers(dest="what", metavar="what", required=True)
    add = partial(
        kinds.add_parser,
        allow_abbrev=False,
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    depth = add("depth", help="value and cost of one more ply of search")
    _add_shared(depth, agent="minimax", games=100, each="pairing")
    add_setting_options(depth, without=("board",))
    depth.add_argument(
        "--boards",
        nargs="+",
        metavar="N",
        help="board sizes, in games with several (default: that of the preset or rules, or "
        f"{' '.join(BOARDS)})",
    )
    depth.add_argument(
        "--depths",
        type=whole_number(1, 20),
        nargs="+",
        default=[1, 2, 3, 4, 5, 6],
        metavar="N",
        help="depths to compare (default: 1 2 3 4 5 6)",
    )
    first = add("first-player", help="value of moving first")
    _add_shared(first, agent="engine:nodes=2000,hash_mb=1", games=1000, each="preset")
    add_setting_options(first, without=("preset", "board"))
    first.add_argument(
        "--presets",
        nargs="+",
        metavar="NAME",
        help="presets of the game, or sections of the rules (default: all presets)",
    )
    first.add_argument(
        "--plies",
        type=whole_number(0, 30),
        default=4,
        metavar="N",
        help="random plies at the beginning of each game, an even number (default: 4)",
    )


def _add_shared(parser: argparse.ArgumentParser, agent: str, games: int, each: str) -> None:
    add_game_option(parser)
    parser.add_argument("--agent", default=agent, help=f"agent that plays (default: {agent})")
    parser.add_argument(
        "--games",
        type=whole_number(2, 1_000_000),
        default=games,
        metavar="N",
        help=f"games per {each} (default: {games:,})",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="output folder")
    add_workers_options(parser)
    parser.add_argument(
        "--seed",
        type=whole_number(0, 10**9),
        default=1,
        metavar="N",
        help="seed of the openings (default: 1)",
    )


def run(args: argparse.Namespace) -> int:
    """Play the missing games, and print the results of all."""
    make_folder(args.out)
    with Store(args.out / "games.sqlite") as store:
        return depth(args, store) if args.what == "depth" else first_player(args, store)


def depth(args: argparse.Namespace, store: Store) -> int:
    """The study of depths."""
    game, depths = game_from(args), sorted(set(args.depths))
    has_rules = args.preset is not None or args.rules is not None
    has_boards = set(BOARDS) <= set(game.setting_choices.get("Board", ()))
    usual = BOARDS if has_boards and not has_rules else (None,)
    shared: Settings = {
        "game": game.name,
        "preset": args.preset,
        "rules": args.rules,
        **settings_given(args),
        "games": args.games,
        "seed": args.seed,
        **workers_from(args),
    }
    configs = [
        depth_config(args.agent, depths, {**shared, "board": board})
        for board in args.boards or usual
    ]
    found: dict[str, list[DepthRow]] = {}
    pages: list[str] = []
    failed = 0
    for config in configs:
        tournament = prepare(config, store)
        if play(tournament):
            return stopped()
        failed |= report_failures(tournament)
        if tournament.done < len(tournament.tasks):
            return failed
        name = game.describe(game.settings(config.start_state()))
        found[name] = depth_rows(tournament, depths)
        what = f"{args.agent} in {name}, {args.games} games per pairing of depths"
        note = format_forfeits(tournament.crosstable)
        pages.append(page(what, depth_table(found[name]), note))
    finish(args.out, "depth", pages, lambda path: write_depth_plot(found, args.agent, path))
    return failed


def first_player(args: argparse.Namespace, store: Store) -> int:
    """The study of the first move."""
    game = game_from(args)
    settings, rules = settings_given(args), args.rules
    presets = args.presets or ([] if rules else list(game.presets)[::-1])  # the usual one last
    starts = {preset: game.start_from(preset, settings, rules=rules) for preset in presets} or {
        game.title: game.start_from(None, settings, rules=rules)
    }
    # Only the backend of this tournament is used; the study has its own agents.
    shared: Settings = {"game": game.name, "agents": ("one", "other"), **workers_from(args)}
    backend = backend_for(ArenaConfig.of(shared))
    studies = [
        FirstPlayerStudy(name, start, args.agent, args.games, args.plies, args.seed, store)
        for name, start in starts.items()
    ]
    done, total = 0, sum(len(study.tasks) for study in studies)
    notices = ForfeitNotices(args.agent)
    try:
        for study in studies:
            done += len(study.played())
            for game_result in study.run(backend, args.on_crash or "continue"):
                print_notice(notices, game_result)
                done += 1
                show_count("games", done, total)
    except KeyboardInterrupt:
        return stopped()
    except AgentFailedError as failure:
        clear_progress()
        print_failure(str(failure))
        return 1
    clear_progress()
    rows = [study.row() for study in studies]
    what = f"{args.agent} against itself from openings of {args.plies} random plies"
    counts = sum((row.forfeits for row in rows), ForfeitCounts())
    pages = [page(what, first_player_table(rows), forfeits_note({args.agent: counts}))]
    finish(
        args.out,
        "first-player",
        pages,
        lambda path: write_first_player_plot(rows, args.agent, path),
    )
    games = sum(row.games for row in rows)
    if games and counts.total() == games:
        print_failure(all_lost_sentence(args.agent, games, counts))
        return 1
    return 0


def page(what: str, table: str, note: str) -> str:
    """A table with its heading, and a footnote if there is one."""
    return f"{what}:\n\n{table}\n" + (f"\n{note}\n" if note else "")


def finish(folder: Path, name: str, pages: list[str], plot: Callable[[Path], object]) -> None:
    """Print the tables, and write them and the plot."""
    text = "\n".join(pages)
    print(text, end="")
    write_text(folder / f"{name}.md", text)
    draw(lambda: plot(folder / f"{name}.png"))
