"""Command-line options for the settings of every game, as each game describes them."""

from __future__ import annotations

import argparse
from collections.abc import Collection

from plyground.games import registry
from plyground.games.base import setting_key


def add_setting_options(parser: argparse.ArgumentParser, *, without: Collection[str] = ()) -> None:
    """Add `--rules`, `--preset` and an option for each setting; the game checks their values."""
    presets: dict[str, list[str]] = {}
    helps: dict[str, list[str]] = {}
    for game in registry.games().values():
        if game.presets:
            presets[game.title] = list(game.presets)
        for name, text in game.setting_help.items():
            helps.setdefault(setting_key(name), []).append(f"{text} ({game.title} only)")
    names = "; ".join(f"{', '.join(known)} ({title} only)" for title, known in presets.items())
    if "preset" not in without:
        parser.add_argument("--preset", metavar="NAME", help=f"ready-made settings: {names}")
    parser.add_argument(
        "--rules",
        metavar="FILE",
        help="YAML file of settings; if it has sections, --preset names one of them",
    )
    for key, texts in helps.items():
        if key in without:
            continue
        option = f"--{key.replace('_', '-')}"
        parser.add_argument(option, metavar="VALUE", help="; ".join(texts))


def settings_given(args: argparse.Namespace) -> dict[str, str]:
    """The settings that were given as options, by `setting_key`."""
    keys = (setting_key(name) for game in registry.games().values() for name in game.setting_help)
    found = {key: getattr(args, key, None) for key in keys}
    return {key: value for key, value in found.items() if value is not None}
