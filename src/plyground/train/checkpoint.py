"""Files that a run writes, each whole or not at all: a kill at any moment leaves the last good one.

A run's folder holds `config.json`, `metrics.csv`, `checkpoint.pt` (all that continuing needs but
the replay, compact), `replay/` (see `shards.py`) and `snapshot-SECONDS.pt`, weights to play with.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from plyground import __version__
from plyground.errors import ConfigError
from plyground.files import replacing
from plyground.train.config import TrainConfig

FORMAT = 1


def save_checkpoint(path: Path, content: Mapping[str, Any]) -> None:
    """Write tensors and plain values; the file is there completely or as it was."""
    with replacing(path) as file:
        torch.save({"format": FORMAT, "version": __version__, **content}, file)


def load_checkpoint(path: Path, *needed: str) -> dict[str, Any]:
    """Read a checkpoint or snapshot that holds what is needed; nothing in it is executed."""
    try:
        content = torch.load(path, map_location="cpu", weights_only=True)
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from error
    except Exception as error:  # other files end the reading in many ways
        raise ConfigError(f"cannot read {path}: not a checkpoint") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ConfigError(f"expected a checkpoint of format {FORMAT} in {path}")
    for key in needed:
        if key not in content:
            raise ConfigError(f"expected {key!r} in the checkpoint {path}, found none")
    return content


def playing_weights(path: Path) -> tuple[dict[str, Tensor], TrainConfig]:
    """The averaged weights of a checkpoint or snapshot, and the settings they were trained with."""
    content = load_checkpoint(path, "config", "average")
    return content["average"], TrainConfig.of(content["config"], where=f" in {path}")


def save_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write plain values."""
    with replacing(path) as file:
        file.write((json.dumps(content, indent=2) + "\n").encode())
