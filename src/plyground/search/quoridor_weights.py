"""Files of weights for Quoridor's evaluations, and the tuned weights in the package.

A file is a YAML mapping from names to numbers: `path_weight`, `progress_weight` and `wall_weight`
for the textbook evaluation, and the names of `default_weights()` for the engine's. Omitted weights
keep their defaults. `plyground tune` writes such files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

from plyground.config import read_yaml
from plyground.errors import ConfigError
from plyground.files import atomic_write
from plyground.search.engine import Engine
from plyground.search.quoridor_engine import default_weights
from plyground.search.quoridor_textbook import TextbookWeights

TUNED = "tuned"
"""The value of an agent's option `weights` that stands for the tuned weights."""
TUNED_BOARDS = (5, 7, 9)
"""Boards on which the textbook weights were tuned (docs/tuning.md)."""


def read_textbook_weights(path: str | Path) -> TextbookWeights:
    """Read textbook weights from a file."""
    settings = read_yaml(path, [item.name for item in fields(TextbookWeights)])
    try:
        return TextbookWeights(**settings)
    except ConfigError as error:
        raise ConfigError(f"{error} in {path}") from None


def read_engine_weights(path: str | Path) -> dict[str, int]:
    """Read engine weights from a file."""
    settings = read_yaml(path, list(default_weights()))
    for name, value in settings.items():
        if type(value) is not int:
            raise ConfigError(f"expected {name} to be a whole number, got {value!r} in {path}")
    try:
        Engine(hash_mb=1, weights=settings, game="quoridor")
    except ConfigError as error:
        raise ConfigError(f"{error} in {path}") from None
    return settings


@cache
def tuned_textbook_weights(board_size: int) -> TextbookWeights:
    """The tuned weights for a board: its own, or those of the tuned board closest in size.

    >>> tuned_textbook_weights(6) == tuned_textbook_weights(7)
    True
    """
    nearest = min(TUNED_BOARDS, key=lambda size: (abs(size - board_size), -size))
    name = f"minimax-{nearest}x{nearest}.yaml"
    with as_file(files("plyground") / "data" / "weights" / name) as path:
        return read_textbook_weights(path)


@cache
def tuned_engine_weights() -> dict[str, int]:
    """The tuned engine weights, which were tuned on the standard board."""
    with as_file(files("plyground") / "data" / "weights" / "engine.yaml") as path:
        return read_engine_weights(path)


def write_weights(path: Path, weights: Mapping[str, float], comment: str) -> None:
    """Write a file of weights atomically, with a comment about their origin."""
    lines = [f"# {line}".rstrip() for line in comment.splitlines()]
    lines += [f"{name}: {value:g}" for name, value in weights.items()]
    with atomic_write(path) as file:
        file.write(("\n".join(lines) + "\n").encode())
