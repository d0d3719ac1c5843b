"""Train a network by self-play, from a file of settings, into a folder.

The folder receives metrics.csv, checkpoints, snapshots of the playing weights and, at the end,
plots.png. A run that was interrupted or killed continues with --resume.

Example: plyground train tiny
         plyground train --out runs/tiny --resume --seconds 600
         plyground train standard --out runs/9x9 --backend ray --address auto
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from plyground.cli.options import add_cluster_options, whole_number
from plyground.cli.setting_options import add_setting_options, settings_given
from plyground.errors import ConfigError
from plyground.extras import needs_extra
from plyground.games.base import setting_key


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.add_argument(
        "config",
        nargs="?",
        type=Path,
        help="YAML file of settings, or the name of one of the package's (tiny); default when "
        "resuming: those of the run",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FOLDER",
        help="folder of the run (default: runs/ and the name of the settings file)",
    )
    parser.add_argument(
        "--seconds",
        type=float,
        metavar="N",
        help="training time in seconds (default: from the settings)",
    )
    parser.add_argument("--resume", action="store_true", help="continue the run in the folder")
    parser.add_argument(
        "--plot", action="store_true", help="only draw plots.png from the metrics in the folder"
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        dest="overrides",
        metavar="KEY=VALUE",
        help="setting to change; may be repeated",
    )
    parser.add_argument(
        "--workers",
        type=whole_number(1, 10_000),
        metavar="N",
        help="number of workers on the Ray cluster (default: as many as fit)",
    )
    add_cluster_options(parser)
    add_setting_options(parser)


def run(args: argparse.Namespace) -> int:
    """Train, with progress on standard error."""
    if args.backend != "ray" and (args.workers or args.address):
        raise ConfigError("--workers and --address need --backend ray")
    from plyground.cluster import Cluster
    from plyground.train.config import TrainConfig

    with needs_extra("training needs torch"):
        from plyground.train.loop import train
    from plyground.train.plots import write_plots

    if args.out is None:
        if args.config is None:
            raise ConfigError("expected a file of settings, or --out with the folder of a run")
        args.out = Path("runs", args.config.stem)
    if args.plot:
        print(write_plots(args.out))
        return 0
    cluster = Cluster(args.workers or 0, args.address) if args.backend == "ray" else None
    path = args.config
    saved = args.out / "config.json"
    if path is None and args.resume and saved.exists():
        path = saved
    overrides = [*args.overrides, *_rules(args)]
    config = TrainConfig.load(path, overrides) if path else TrainConfig.of({}, overrides)
    train(config, args.out, args.seconds, args.resume, cluster)
    try:
        write_plots(args.out)
    except ConfigError as error:  # the run itself is saved
        print(f"no plots: {error}", file=sys.stderr)
    return 0


def _rules(args: argparse.Namespace) -> list[str]:
    """The options of the game's settings, as `key=value`."""
    from plyground.train.config import RULES, SETTING_FIELDS

    names = {setting_key(name): field for name, field in SETTING_FIELDS.items()}
    given = {key: vars(args)[key] for key in RULES if vars(args)[key] is not None}
    given |= {names.get(key, key): value for key, value in settings_given(args).items()}
    return [f"{key}={value}" for key, value in given.items()]
