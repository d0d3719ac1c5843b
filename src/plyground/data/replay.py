"""Replay files of training (`RUN/replay/*.npy`) as columns of positions."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from plyground.errors import ConfigError
from plyground.games import registry
from plyground.hints import reason_of
from plyground.nets.encoding import Encoding, expand

FILES = "[0-9]*.npy"
_MAPPED: Literal["r"] | None = "r" if find_spec("mmap") else None
"""How to open a file: mapped into memory, or read as a whole on a system that cannot map it."""


def is_replay(path: Path) -> bool:
    """Whether a path is a replay file, or a folder with such files."""
    return path.suffix == ".npy" or (path.is_dir() and any(path.glob(FILES)))


def replay_columns(path: Path, rows: int) -> Iterator[dict[str, NDArray[np.generic]]]:
    """The positions of a replay: planes, policy, action (its maximum), outcome and value.

    All are seen by the player to move. The value is that of the search at the root.
    """
    found: Encoding | None = None
    size = 0
    for file in sorted(path.glob(FILES)) if path.is_dir() else [path]:
        shard = _load(file)
        encoding = _encoding_of(shard, file)
        for first in range(0, len(shard), rows):
            part = shard[first : first + rows]
            sizes = _board_sizes(part, encoding) | ({size} if size else set())
            if len(sizes) > 1 or found not in (None, encoding):
                boards = ", ".join(map(str, sorted(sizes)))
                raise ConfigError(f"expected positions of one board in {path}, got sizes {boards}")
            found, (size,) = encoding, sizes
            yield _columns(part, encoding, size)


def _load(path: Path) -> NDArray[np.void]:
    try:
        shard: NDArray[np.void] = np.load(path, mmap_mode=_MAPPED, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise ConfigError(f"cannot read the replay {path}: {reason_of(error)}") from error
    return shard


def _encoding_of(shard: NDArray[np.void], path: Path) -> Encoding:
    """The encoding of the game whose features have the size of those in the file."""
    names = shard.dtype.names or ()
    if {"features", "policy", "outcome", "root_value"} <= set(names):
        shapes = shard.dtype["features"].shape, shard.dtype["policy"].shape
        for game in registry.games().values():
            try:
                encoding = game.encoding()
            except ConfigError:
                continue
            if shapes == ((encoding.feature_bytes,), (encoding.actions,)):
                return encoding
    raise ConfigError(f"expected a replay file of training, got {path}")


def _board_sizes(shard: NDArray[np.void], encoding: Encoding) -> set[int]:
    if encoding.size_byte is None:
        return {encoding.canvas}
    return set(np.unique(shard["features"][:, encoding.size_byte]).tolist())


def _columns(
    shard: NDArray[np.void], encoding: Encoding, size: int
) -> dict[str, NDArray[np.generic]]:
    policy = shard["policy"][:, encoding.board_actions(size)].astype(np.float32)
    return {
        "planes": expand(encoding, shard["features"], size),
        "policy": policy,
        "action": policy.argmax(axis=1).astype(np.int32),
        "outcome": shard["outcome"].astype(np.float32),
        "value": shard["root_value"].astype(np.float32),
    }
