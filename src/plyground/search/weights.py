"""Weights of Quoridor's evaluations in files, and the tuned ones that come with the package.

A file is a YAML mapping from names to numbers: `path_weight`, `progress_weight` and `wall_weight`
for the textbook's evaluation, and the names of `default_weights()` for the engine's. What is left
out keeps its default. `plyground tune` writes such files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

from plyground.config import read_yaml
from plyground.errors import ConfigError
from plyground.files import replacing
from plyground.search.engine import Engine, default_weights
from plyground.search.textbook import TextbookWeights

TUNED = "tuned"
"""What agents are told to take the tuned weights instead of a file's."""
TUNED_BOARDS = (5, 7, 9)
"""Boards that the textbook's weights were tuned on; docs/tuning.md has the matches."""


def read_textbook_weights(path: str | Path) -> TextbookWeights:
    """The textbook's weights in a file."""
    settings = read_yaml(path, [item.name for item in fields(TextbookWeights)])
    try:
        return TextbookWeights(**settings)
    except ConfigError as error:
        raise ConfigError(f"{error} in {path}") from None


def read_engine_weights(path: str | Path) -> dict[str, int]:
    """The engine's weights in a file."""
    settings = read_yaml(path, list(default_weights()))
    for name, value in settings.items():
        if type(value) is not int:
            raise ConfigError(f"expected {name} to be a whole number, got {value!r} in {path}")
    try:
        Engine(hash_mb=1, weights=settings)
    except ConfigError as error:
        raise ConfigError(f"{error} in {path}") from None
    return settings


@cache
def tuned_textbook_weights(board_size: int) -> TextbookWeights:
    """The tuned weights for a board: its own, or those of the tuned board nearest in size.

    >>> tuned_textbook_weights(6) == tuned_textbook_weights(7)
    True
    """
    nearest = min(TUNED_BOARDS, key=lambda size: (abs(size - board_size), -size))
    name = f"minimax-{nearest}x{nearest}.yaml"
    with as_file(files("plyground") / "data" / "weights" / name) as path:
        return read_textbook_weights(path)


@cache
def tuned_engine_weights() -> dict[str, int]:
    """The engine's tuned weights; they were tuned on the standard board."""
    with as_file(files("plyground") / "data" / "weights" / "engine.yaml") as path:
        return read_engine_weights(path)


def write_weights(path: Path, weights: Mapping[str, float], comment: str) -> None:
    """Write a file of weights, whole or not at all; the comment says where they come from."""
    lines = [f"# {line}".rstrip() for line in comment.splitlines()]
    lines += [f"{name}: {value:g}" for name, value in weights.items()]
    with replacing(path) as file:
        file.write(("\n".join(lines) + "\n").encode())
