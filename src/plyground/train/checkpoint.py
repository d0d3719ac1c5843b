"""Files that a run writes, each replaced as a whole: a kill at any moment leaves the last good one.

A run's folder holds `config.json`, `metrics.csv`, `checkpoint.pt` (everything needed to continue,
except the replay), `replay/` (see `shards.py`) and `snapshot-SECONDS.pt`, weights to play with.
"""

from __future__ import annotations

import io
import json
from pathlib import Path

import torch
from torch import Tensor, nn

from plyground import __version__
from plyground.errors import ConfigError
from plyground.files import atomic_write
from plyground.hints import reason_of
from plyground.json_types import JsonObject
from plyground.nets.architecture import ARCHITECTURES
from plyground.nets.checkpoint import FORMAT, Checkpoint, averaged_weights, load_checkpoint
from plyground.train.config import TrainConfig

CHECKPOINT_FILE = "checkpoint.pt"
"""The file in a run's folder from which it continues."""


def save_checkpoint(path: Path, content: Checkpoint) -> None:
    """Write tensors and plain values; the file is replaced as a whole."""
    buffer = io.BytesIO()  # torch would not report a full disk as an OSError
    torch.save({"format": FORMAT, "version": __version__, **content}, buffer)
    with atomic_write(path) as file:
        file.write(buffer.getbuffer())


def playing_weights(
    path: Path, network: nn.Module | None = None
) -> tuple[dict[str, Tensor], TrainConfig]:
    """The averaged weights of a checkpoint or snapshot, and the settings they were trained with.

    The folder of a run stands for its checkpoint.
    `network` is a module of the same kind if the run trained one that is not of this package.
    """
    if path.is_dir():
        path /= CHECKPOINT_FILE
    content = load_checkpoint(path, "config", "average")
    config = read_config(content, path)
    build = ARCHITECTURES[config.network].build
    weights = averaged_weights(
        content, path, network, lambda: build(config.net_shape, config.encoding)
    )
    return weights, config


def read_config(content: Checkpoint, path: Path) -> TrainConfig:
    """The settings in a checkpoint."""
    try:
        return TrainConfig.of(content["config"], where=f" in {path}")
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        raise ConfigError(f"cannot read the settings in {path}: {reason_of(error)}") from error


def save_json(path: Path, content: JsonObject) -> None:
    """Write a JSON file."""
    with atomic_write(path) as file:
        file.write((json.dumps(content, indent=2) + "\n").encode())


__all__ = [
    "Checkpoint",
    "load_checkpoint",
    "playing_weights",
    "read_config",
    "save_checkpoint",
    "save_json",
]
