"""The kinds of networks by name: how each is built for training, and how it plays.

A module that is not of this package plays as it is (`ModulePlayer`); it has no name here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor, nn

from plyground.errors import ConfigError
from plyground.hints import reason_of
from plyground.nets.encoding import PATH_NET, Encoding, NetShape
from plyground.nets.features import Expander
from plyground.nets.network import (
    FoldedNet,
    PathNet,
    PlayingNet,
    TrainableNet,
    network_outputs,
)
from plyground.nets.quoridor_encoding import QUORIDOR_NET
from plyground.nets.quoridor_net import FoldedQuoridorNet, QuoridorNet


@dataclass(frozen=True, slots=True)
class Architecture:
    """One kind of network."""

    build: Callable[[NetShape, Encoding], TrainableNet]
    playing: type[PlayingNet]


def _build_path_net(shape: NetShape, encoding: Encoding) -> PathNet:
    return PathNet(
        encoding,
        shape.blocks,
        shape.channels,
        shape.pooled_blocks,
        shape.piece_pooling,
    )


def _build_quoridor_net(shape: NetShape, encoding: Encoding) -> QuoridorNet:
    return QuoridorNet(
        shape.board_size,
        encoding.planes,
        encoding.scalars,
        shape.blocks,
        channels=shape.channels,
    )


ARCHITECTURES = {
    PATH_NET: Architecture(_build_path_net, FoldedNet),
    QUORIDOR_NET: Architecture(_build_quoridor_net, FoldedQuoridorNet),
}
"""By the name that `Encoding.network` and the training setting `network` have."""


class PlayingModel(Protocol):
    """A network to play with, on one device."""

    def __call__(self, *inputs: Tensor) -> tuple[Tensor, Tensor]:
        """Raw policy logits [batch, actions] and values [batch]."""

    def load(self, state: Mapping[str, Tensor]) -> None:
        """Take over the weights of a network's state."""


class ModulePlayer:
    """A module to play with as it is, in one precision; its weights are replaced in place."""

    def __init__(
        self,
        net: nn.Module,
        state: Mapping[str, Tensor],
        device: torch.device,
        dtype: torch.dtype,
        encoding: Encoding,
        size: int,
    ) -> None:
        self.net = deepcopy(net).to(device, dtype).eval().requires_grad_(False)
        self.encoding = encoding
        self.size = size
        self.load(state)

    @torch.no_grad()
    def load(self, state: Mapping[str, Tensor]) -> None:
        """Take over the weights of a network's state."""
        for name, weight in self.net.state_dict().items():
            if name in state:
                weight.copy_(state[name])

    def __call__(self, *inputs: Tensor) -> tuple[Tensor, Tensor]:
        """Raw policy logits [batch, actions] and values [batch]."""
        outputs = network_outputs(self.net, inputs, self.encoding, self.size)
        return outputs.logits, outputs.value


def make_player(
    encoding: Encoding,
    size: int,
    state: Mapping[str, Tensor],
    device: torch.device,
    dtype: torch.dtype,
    network: nn.Module | None = None,
) -> PlayingModel:
    """A network to play with: a module that is not of this package, or the kind that the encoding
    names."""
    if network is not None:
        return ModulePlayer(network, state, device, dtype, encoding, size)
    return ARCHITECTURES[encoding.network].playing(state, device, dtype, encoding)


def check_is_module(net: object) -> None:
    """Raise a ConfigError unless the argument is a torch module, not a class of modules."""
    if not isinstance(net, nn.Module):
        what = f"the class {net.__name__}" if isinstance(net, type) else type(net).__name__
        raise ConfigError(f"expected a torch module as the network, got {what}")


@torch.no_grad()
def check_module(net: nn.Module, encoding: Encoding, size: int) -> None:
    """Raise a ConfigError unless a module reads the planes and returns what `Network` says."""
    check_is_module(net)
    packed = torch.zeros(2, encoding.feature_bytes, dtype=torch.uint8)
    inputs = Expander(encoding, size).inputs(packed)
    device = next((parameter.device for parameter in net.parameters()), torch.device("cpu"))
    was_training = net.training
    try:
        network_outputs(net.eval(), tuple(part.to(device) for part in inputs), encoding, size)
    except ConfigError:
        raise
    except (ArithmeticError, LookupError, RuntimeError, TypeError, ValueError) as error:
        shapes = " and ".join(str(tuple(part.shape)) for part in inputs)
        reason = reason_of(error).partition("\n")[0]
        raise ConfigError(f"the network cannot read inputs of shape {shapes}: {reason}") from error
    finally:
        net.train(was_training)
