"""Files that a run writes, each replaced as a whole: a kill at any moment leaves the last good one.

A run's folder holds `config.json`, `metrics.csv`, `checkpoint.pt` (everything needed to continue,
except the replay), `replay/` (see `shards.py`) and `snapshot-SECONDS.pt`, weights to play with.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

import torch
from torch import Tensor

from plyground import __version__
from plyground.errors import ConfigError
from plyground.files import atomic_write
from plyground.hints import reason_of
from plyground.json_types import JsonObject
from plyground.nets.architecture import ARCHITECTURES
from plyground.train.config import TrainConfig

FORMAT = 1

Checkpoint: TypeAlias = Mapping[str, Any]  # tensors, numbers and nested ones of these, by name


def save_checkpoint(path: Path, content: Checkpoint) -> None:
    """Write tensors and plain values; the file is replaced as a whole."""
    buffer = io.BytesIO()  # torch would not report a full disk as an OSError
    torch.save({"format": FORMAT, "version": __version__, **content}, buffer)
    with atomic_write(path) as file:
        file.write(buffer.getbuffer())


def load_checkpoint(path: Path, *needed: str) -> Checkpoint:
    """Read a checkpoint or snapshot with at least these keys; nothing in it is executed."""
    try:
        content = torch.load(path, map_location="cpu", weights_only=True)
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {reason_of(error)}") from error
    except Exception as error:  # torch raises many kinds for other files
        raise ConfigError(f"cannot read {path}: not a checkpoint") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ConfigError(f"expected a checkpoint of format {FORMAT} in {path}")
    for key in needed:
        if key not in content:
            raise ConfigError(f"expected {key!r} in the checkpoint {path}, found none")
    found: Checkpoint = content
    return found


def playing_weights(path: Path) -> tuple[dict[str, Tensor], TrainConfig]:
    """The averaged weights of a checkpoint or snapshot, and the settings they were trained with."""
    content = load_checkpoint(path, "config", "average")
    config, weights = read_config(content, path), content["average"]
    if not (
        isinstance(weights, dict)
        and all(isinstance(weight, Tensor) for weight in weights.values())
        and {name: weight.shape for name, weight in weights.items()} == _shapes(config)
        and all(weight.is_floating_point() for weight in weights.values())
        and all(bool(weight.isfinite().all()) for weight in weights.values())
    ):
        raise ConfigError(f"expected the weights of its network in the checkpoint {path}")
    return weights, config


def _shapes(config: TrainConfig) -> dict[str, torch.Size]:
    """The shapes of a network's weights, by name; {} if the settings are absurd."""
    try:
        with torch.device("meta"):
            net = ARCHITECTURES[config.network].build(config.net_shape, config.encoding)
    except (RuntimeError, TypeError, OverflowError):
        return {}
    return {name: value.shape for name, value in net.state_dict().items() if value.dim()}


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
