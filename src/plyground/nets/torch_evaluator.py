"""Networks of checkpoints, evaluated on the CPU by torch."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from plyground.errors import ConfigError
from plyground.games.base import State
from plyground.nets.architecture import ARCHITECTURES, check_is_module
from plyground.nets.checkpoint import SavedNetwork, read_network
from plyground.nets.encoding import PATH_NET, Encoding
from plyground.nets.features import Expander
from plyground.nets.network import network_outputs


def load_module(path: Path, network: nn.Module | None = None) -> tuple[nn.Module, SavedNetwork]:
    """The network of a checkpoint as a module, with all that the file says about it."""
    if network is not None:
        check_is_module(network)
    saved = read_network(path, network)
    build = ARCHITECTURES[saved.encoding.network].build
    net = build(saved.shape, saved.encoding) if network is None else network
    net.load_state_dict({name: weight.float() for name, weight in saved.weights.items()}, False)
    return net.cpu().eval(), saved


class TorchEvaluator:
    """Evaluates batches of packed features, like `OnnxEvaluator`, with a torch module."""

    def __init__(self, net: nn.Module, encoding: Encoding, board_size: int | None) -> None:
        self.net = net
        self.encoding = encoding
        self.board_size = board_size
        """The only board size of the network; None: any."""
        self._expander = cache(lambda size: Expander(encoding, size))

    @classmethod
    def load(cls, path: Path, network: nn.Module | None = None) -> TorchEvaluator:
        """The evaluator of a checkpoint or snapshot."""
        net, saved = load_module(path, network)
        any_size = network is None and saved.encoding.network == PATH_NET
        return cls(net, saved.encoding, None if any_size else saved.shape.board_size)

    def check_board(self, state: State) -> None:
        """Raise a ConfigError unless the network can evaluate positions on this board."""
        size = state.game.board_size(state)
        if self.board_size not in (None, size):
            raise ConfigError(
                f"the network plays on boards of size {self.board_size} only, got one of size "
                f"{size}"
            )

    @torch.inference_mode()
    def __call__(
        self, features: NDArray[np.uint8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logits [batch, actions] and values [batch] from uint8 [batch, bytes], for the mover."""
        at = self.encoding.size_byte
        size = self.encoding.canvas if at is None else int(features[0, at])
        inputs = self._expander(size).inputs(torch.from_numpy(features))
        outputs = network_outputs(self.net, inputs, self.encoding, size)
        return outputs.logits.float().numpy(), outputs.value.float().numpy()
