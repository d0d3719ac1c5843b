"""Networks in the files that training writes: what they read, their size and their weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import torch
from torch import Tensor, nn

from plyground.errors import ConfigError
from plyground.games import registry
from plyground.games.base import AnyGame
from plyground.hints import reason_of
from plyground.nets.architecture import ARCHITECTURES
from plyground.nets.encoding import PATH_NET, Encoding, NetShape, start_on

FORMAT = 1
MODULE = "module"
"""The key of the class name of a network that is not of this package."""

Checkpoint: TypeAlias = Mapping[str, Any]  # tensors, numbers and nested ones of these, by name


class SavedNetwork(NamedTuple):
    """The network of a checkpoint or snapshot."""

    weights: dict[str, Tensor]
    """The averaged weights."""
    encoding: Encoding
    shape: NetShape


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


def read_network(path: Path, network: nn.Module | None = None) -> SavedNetwork:
    """The network of a checkpoint or snapshot that a training run wrote.

    `network` is a module of the same kind if the run trained one that is not of this package.
    """
    content = load_checkpoint(path, "config", "average")
    try:
        encoding, shape = _network_settings(content["config"])
    except (TypeError, ValueError, AttributeError, KeyError) as error:
        raise ConfigError(f"cannot read the settings in {path}: {reason_of(error)}") from error
    build = ARCHITECTURES[encoding.network].build
    weights = averaged_weights(content, path, network, lambda: build(shape, encoding))
    return SavedNetwork(weights, encoding, shape)


def averaged_weights(
    content: Checkpoint,
    path: Path,
    network: nn.Module | None,
    build: Callable[[], nn.Module],
) -> dict[str, Tensor]:
    """The averaged weights of a checkpoint; a ConfigError unless they fit the network.

    That is a custom network, or else the one that is built from the settings.
    """
    name = content.get(MODULE)
    if name is not None and network is None:
        raise ConfigError(
            f"the checkpoint {path} has the weights of a custom network, {name}: pass such a "
            "module to plyground.nets.load or load_torch, as network=..."
        )
    weights = content["average"]
    if not (
        isinstance(weights, dict)
        and all(isinstance(weight, Tensor) for weight in weights.values())
        and {name: weight.shape for name, weight in weights.items()}
        == _shapes(build if network is None else lambda: network)
        and all(weight.is_floating_point() for weight in weights.values())
        and all(bool(weight.isfinite().all()) for weight in weights.values())
    ):
        whose = "its network" if network is None else f"a {type(network).__name__}"
        raise ConfigError(f"expected the weights of {whose} in the checkpoint {path}")
    return weights


def _shapes(build: Callable[[], nn.Module]) -> dict[str, torch.Size]:
    """The shapes of a network's weights, by name; {} if the settings are absurd."""
    try:
        with torch.device("meta"):
            net = build()
    except (RuntimeError, TypeError, OverflowError):
        return {}
    weights = net.state_dict().items()
    return {name: value.shape for name, value in weights if value.is_floating_point()}


def _network_settings(settings: Mapping[str, object]) -> tuple[Encoding, NetShape]:
    """What a network reads, and its size, from the settings of its run."""
    game: AnyGame = registry.get(str(settings.get("game", registry.default().name)))
    kind = str(settings.get("network", PATH_NET))
    game.check_network(kind)
    encoding = game.encoding(kind, _number(settings, "history_length", 0))
    start = start_on(game, _number(settings, "board_size", 0))
    blocks, channels = (_number(settings, name) for name in ("blocks", "channels"))
    pooled = _number(settings, "pooled_blocks", 0)
    pieces = settings.get("piece_pooling", False) is True
    return encoding, NetShape(game.board_size(start), blocks, channels, pooled, pieces)


def _number(settings: Mapping[str, object], name: str, default: int | None = None) -> int:
    """A whole number, 0 or more."""
    value = settings.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ConfigError(f"expected {name} to be a whole number, got {value!r}")
    return value
