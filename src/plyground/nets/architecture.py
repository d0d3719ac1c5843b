"""The kinds of networks by name: how each is built for training, and how it plays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from plyground.nets.encoding import PATH_NET, Encoding, NetShape
from plyground.nets.network import FoldedNet, PathNet, PlayingNet, TrainableNet
from plyground.nets.quoridor_encoding import QUORIDOR_NET
from plyground.nets.quoridor_net import FoldedQuoridorNet, QuoridorNet


@dataclass(frozen=True, slots=True)
class Architecture:
    """One kind of network."""

    build: Callable[[NetShape, Encoding], TrainableNet]
    playing: type[PlayingNet]


def _build_path_net(shape: NetShape, encoding: Encoding) -> PathNet:
    return PathNet(shape.blocks, shape.channels, shape.pooled_blocks, encoding)


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
