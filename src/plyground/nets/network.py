"""`PathNet`, the network that comes with the package, and what all networks have in common.

`PathNet` reads the planes of `features.Expander`, distance fields among them in Quoridor, and no
layer of it depends on the board's size. It serves every game that has an `Encoding`: what differs
is the number of planes, and how the policy's maps are spread over the moves. `fold` turns its
weights into what is needed to play, without batch norms; `FoldedNet` runs that, and `export` writes
it to ONNX. `quoridor_net.py` has the other network, `architecture.py` the table of both.

`Network` is what a module of your own needs to be trained, exported and played with.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cache, reduce
from itertools import product
from types import MappingProxyType
from typing import NamedTuple, Protocol

import numpy as np

from plyground.errors import ConfigError
from plyground.lazy import missing_extra
from plyground.nets.board_norm import BoardNorm, cut
from plyground.nets.encoding import Encoding

try:
    import torch
    from torch import Tensor, nn
    from torch.nn import functional as F  # noqa: N812
except ModuleNotFoundError as error:
    raise missing_extra(__name__, error) from error

HEAD_CHANNELS = 64
HIDDEN = 128


class NetOutputs(NamedTuple):
    """What a network says about a batch of positions, for the players to move."""

    logits: Tensor
    """Raw policy logits [batch, actions], in the order of `Encoding.policy`."""
    value: Tensor
    """Expected results [batch], from -1 to 1."""
    side: Mapping[str, Tensor] = MappingProxyType({})
    """Side tasks by name, each [batch, ...]. "margin" is the margin at the end of the game."""


class Network(Protocol):
    """A torch module that can be trained, exported and played with.

    It is called with the planes [batch, planes, rows, columns] of the encoding, and with the
    scalars [batch, scalars] if the encoding has some. It returns a `NetOutputs`, or a plain tuple
    of logits, value and, if it has side tasks, a mapping of them. The logits have an entry for each
    action of the encoding (`Encoding.actions`), or of the board; illegal ones are masked later.
    """

    def __call__(
        self, *inputs: Tensor
    ) -> NetOutputs | tuple[Tensor, Tensor] | tuple[Tensor, Tensor, Mapping[str, Tensor]]:
        """Logits, values and side tasks of a batch."""


class TrainableNet(nn.Module, ABC):
    """A network of this package, which the learner can train on boards of several sizes."""

    @abstractmethod
    def training_outputs(
        self, inputs: tuple[Tensor, ...], on_board: Tensor | None = None
    ) -> NetOutputs:
        """Logits, values and, if it predicts it, the margin.

        `inputs` are those of `features.Expander`.
        """


def network_outputs(
    net: nn.Module,
    inputs: tuple[Tensor, ...],
    encoding: Encoding,
    size: int,
    on_board: Tensor | None = None,
) -> NetOutputs:
    """What a network says about a batch; a ConfigError if it does not follow `Network`."""
    if isinstance(net, TrainableNet):
        return net.training_outputs(inputs, on_board)
    return _read_outputs(net(*inputs), len(inputs[0]), encoding, size)


def _read_outputs(found: object, count: int, encoding: Encoding, size: int) -> NetOutputs:
    """The outputs of a module that is not of this package."""
    if not isinstance(found, tuple) or len(found) not in (2, 3):
        raise ConfigError(
            "expected logits, value and perhaps a mapping of side tasks from the network, got "
            f"{type(found).__name__}"
        )
    logits, value, side = found if len(found) == 3 else (*found, {})
    widths = (encoding.actions, len(encoding.board_actions(size)))
    if _shape(logits) not in [(count, width) for width in widths]:
        raise ConfigError(
            f"expected logits of shape {(count, encoding.actions)} from the network, got "
            f"{_shape(logits)}"
        )
    if _shape(value) not in [(count,), (count, 1)]:
        raise ConfigError(
            f"expected values of shape {(count,)} from the network, got {_shape(value)}"
        )
    if not isinstance(side, Mapping) or not all(isinstance(t, Tensor) for t in side.values()):
        raise ConfigError(
            "expected tensors by name, the side tasks, as the network's third output, got "
            f"{_shape(side)}"
        )
    if logits.shape[1] != encoding.actions:
        logits = spread(logits, _board_sources(encoding, size, logits.device))
    side = {name: task.float() for name, task in side.items()}
    return NetOutputs(logits, value.flatten().float(), side)


def _shape(found: object) -> tuple[int, ...] | str:
    """The shape of a tensor; the type of anything else."""
    # Numbers, since a trace of the network has tensors in its shapes.
    return tuple(map(int, found.shape)) if isinstance(found, Tensor) else type(found).__name__


@cache
def _board_sources(encoding: Encoding, size: int, device: torch.device) -> Tensor:
    """For each entry of the policy, the action of a board of this size, or the one after them."""
    entries = encoding.board_actions(size)
    sources = np.full(encoding.actions, len(entries))
    sources[entries] = np.arange(len(entries))
    return torch.from_numpy(sources).to(device)


def spread(logits: Tensor, sources: Tensor) -> Tensor:
    """Logits of a board's own actions as those of the whole canvas; 0 outside the board."""
    return F.pad(logits, (0, 1)).index_select(1, sources)


class PathBlock(nn.Module):
    """A residual block; with `pooled`, what the whole board holds is added between its halves.

    The pooling is KataGo's (Wu 2019, section 3.3), reduced to mean and maximum.
    """

    def __init__(self, channels: int, pooled: bool, pieces: int = 0) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.bn1 = BoardNorm(channels)
        self.pool = nn.Linear((2 + pieces) * channels, channels) if pooled else None
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.bn2 = BoardNorm(channels)

    def forward(
        self, x: Tensor, on_board: Tensor | None = None, pieces: Tensor | None = None
    ) -> Tensor:
        """[batch, channels, n, n] in and out."""
        out = F.relu(self.bn1(self.conv1(x), on_board))
        if self.pool is not None:
            pooled = self.pool(pool(out, on_board, pieces))[:, :, None, None].to(out.dtype)
            out = cut(out + pooled, on_board)
        return F.relu(x + self.bn2(self.conv2(out), on_board))


class PathNet(TrainableNet):
    """Convolutional policy heads, global pooling, a value, and the final margin as a side task."""

    def __init__(
        self,
        encoding: Encoding,
        blocks: int = 6,
        channels: int = 96,
        pooled_blocks: int = 1,
        piece_pooling: bool = False,
    ) -> None:
        super().__init__()
        self.encoding = encoding
        self.piece_planes = encoding.piece_planes if piece_pooling else ()
        pieces = len(self.piece_planes)
        self.stem = nn.Conv2d(encoding.planes, channels, 3, padding=1, bias=False)
        self.stem_bn = BoardNorm(channels)
        pooled = pooled_places(blocks, pooled_blocks)
        self.blocks = nn.ModuleList(
            PathBlock(channels, index in pooled, pieces) for index in range(blocks)
        )
        self.head = nn.Conv2d(channels, HEAD_CHANNELS, 1, bias=False)
        self.head_bn = BoardNorm(HEAD_CHANNELS)
        self.policy = nn.Linear(HEAD_CHANNELS, encoding.policy_maps)
        self.hidden = nn.Linear((2 + pieces) * HEAD_CHANNELS, HIDDEN)
        self.outcome = nn.Linear(HIDDEN, 2)
        nn.init.zeros_(self.outcome.weight)
        nn.init.zeros_(self.outcome.bias)

    def forward(
        self, planes: Tensor, on_board: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Raw policy logits [batch, actions], values [batch], margins [batch], for the mover.

        Boards of several sizes may share a batch if `on_board` [batch, 1, n, n] says which cells
        are theirs: each then gets what it would get alone. Logits outside a board mean nothing.
        """
        pieces = choose_planes(planes, self.piece_planes) if self.piece_planes else None
        x = F.relu(self.stem_bn(self.stem(planes), on_board))
        for block in self.blocks:
            x = block(x, on_board, pieces)
        x = F.relu(self.head_bn(self.head(x), on_board))
        logits = spread_policy(self.policy(x.permute(0, 2, 3, 1)), self.encoding)
        hidden = F.relu(self.hidden(pool(x, on_board, pieces)))
        value, margin = self.outcome(hidden).float().unbind(1)
        return logits, torch.tanh(value), margin

    def training_outputs(
        self, inputs: tuple[Tensor, ...], on_board: Tensor | None = None
    ) -> NetOutputs:
        """Logits, values and margins."""
        logits, value, margin = self(*inputs, on_board)
        return NetOutputs(logits, value, {"margin": margin})


def pooled_places(blocks: int, pooled_blocks: int) -> set[int]:
    """Which blocks pool: as many as asked for, evenly over the trunk.

    >>> sorted(pooled_places(6, 2))
    [2, 4]
    """
    count = min(blocks, pooled_blocks)
    return {(index + 1) * blocks // (count + 1) for index in range(count)}


def choose_planes(planes: Tensor, chosen: Sequence[int]) -> Tensor:
    """Some of the planes, without an index tensor, which a CUDA graph could not record."""
    return torch.cat([planes[:, index : index + 1] for index in chosen], dim=1)


def pool(x: Tensor, on_board: Tensor | None = None, pieces: Tensor | None = None) -> Tensor:
    """Mean and maximum over the board, and what is at the pieces; nothing is below 0.

    `pieces` [batch, kinds, n, n] has a 1 at each piece. The result has all channels of the mean,
    then those of the maximum and of each kind of piece, [batch, (2 + kinds) * channels].
    """
    mean = x.mean((2, 3)) if on_board is None else x.sum((2, 3)) / on_board.sum((2, 3))
    parts = [mean, _maximum(x)]
    if pieces is not None:
        cells = x.permute(0, 2, 3, 1).flatten(1, 2)  # [batch, cells, channels]
        parts.append(torch.bmm(pieces.flatten(2).to(x.dtype), cells).flatten(1))
    return torch.cat(parts, dim=1)


def _maximum(x: Tensor) -> Tensor:
    """The maximum over the board of each channel.

    With gradients it is found by its place. `amax` would compare the cells with its result to find
    where the gradient goes, and a compiled step may have rounded them differently by then.
    """
    return x.flatten(2).max(2).values if x.requires_grad else x.amax((2, 3))


def spread_policy(maps: Tensor, encoding: Encoding) -> Tensor:
    """Logits [batch, actions] from maps [batch, n, n, policy_maps].

    A move that covers several cells adds up one map at each of them, which is a convolution;
    written so, all parts of the policy are one small matrix product.
    """
    n = maps.shape[1]
    parts, first = [], 0
    for part in encoding.policy:
        width = n - part.kernel + 1
        cells = []
        for row, col in product(range(part.kernel), repeat=2):
            cells.append(maps[:, row : row + width, col : col + width, first : first + part.maps])
            first += part.maps
        moves = reduce(torch.add, cells).permute(0, 3, 1, 2)  # [batch, part.maps, width, width]
        if n < encoding.canvas:
            rest = encoding.canvas - n
            moves = F.pad(moves, (0, rest, 0, rest))
        parts.append(moves.flatten(1))
    logits = parts[0] if len(parts) == 1 else torch.cat(parts, dim=1)
    return F.pad(logits, (0, 1)) if encoding.has_pass else logits


def fold(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """PathNet's weights with each batch norm taken into the convolution before it, in float32."""
    folded: dict[str, Tensor] = {}
    for name, norm in [("stem", "stem_bn"), ("head", "head_bn")] + [
        (f"blocks.{index}.conv{k}", f"blocks.{index}.bn{k}")
        for index in range(count_blocks(state))
        for k in (1, 2)
    ]:
        folded |= fold_norm(state, name, norm)
    linear = ("pool", "policy", "hidden", "outcome")
    folded |= {name: state[name] for name in state if name.split(".")[-2] in linear}
    return {name: weight.float() for name, weight in folded.items()}


def fold_norm(state: Mapping[str, Tensor], layer: str, norm: str) -> dict[str, Tensor]:
    """Weight and bias of a layer and the batch norm after it, as one layer."""
    weight, mean = state[f"{layer}.weight"], state[f"{norm}.running_mean"]
    gain = state[f"{norm}.weight"] / torch.sqrt(state[f"{norm}.running_var"] + 1e-5)
    bias = state[f"{layer}.bias"] - mean if f"{layer}.bias" in state else -mean
    return {
        f"{layer}.weight": weight * gain.view(-1, *(1 for _ in weight.shape[1:])),
        f"{layer}.bias": state[f"{norm}.bias"] + bias * gain,
    }


def count_blocks(state: Mapping[str, Tensor]) -> int:
    """How many blocks the weights are for."""
    return sum(name.endswith("conv1.weight") for name in state)


class PlayingNet(ABC):
    """A network to play with: folded weights in one precision, on one device, replaced in place.

    On a GPU each convolution is one cuDNN call with bias, sum and ReLU. The weights keep their
    places in memory, so that a CUDA graph recorded once uses those loaded last.
    """

    def __init__(
        self,
        state: Mapping[str, Tensor],
        device: torch.device,
        dtype: torch.dtype,
        encoding: Encoding,
    ) -> None:
        self.encoding = encoding
        self.blocks = count_blocks(state)
        self.dtype = dtype
        self.fused = device.type == "cuda"
        self.weights = {
            name: weight.detach()
            .to(device, dtype, copy=True)
            .contiguous(memory_format=_layout(weight))
            for name, weight in self.fold(state).items()
        }

    @torch.no_grad()
    def load(self, state: Mapping[str, Tensor]) -> None:
        """Take over the weights of a network's state."""
        for name, weight in self.fold(state).items():
            self.weights[name].copy_(weight)

    @staticmethod
    @abstractmethod
    def fold(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """The weights without batch norms, in float32."""

    @abstractmethod
    def __call__(self, *inputs: Tensor) -> tuple[Tensor, Tensor]:
        """Raw policy logits [batch, actions] and values [batch]."""

    def _linear(self, name: str, x: Tensor) -> Tensor:
        return F.linear(x, self.weights[f"{name}.weight"], self.weights[f"{name}.bias"])

    def _conv(self, name: str, x: Tensor, add: Tensor | None = None) -> Tensor:
        """Convolution, sum and ReLU."""
        weight, bias = self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]
        pad = weight.shape[-1] // 2
        geometry = ([1, 1], [pad, pad], [1, 1], 1)
        if not self.fused:
            out = F.conv2d(x, weight, bias, padding=pad)
            return F.relu_(out if add is None else out.add_(add))
        if add is None:
            return torch.cudnn_convolution_relu(x, weight, bias, *geometry)
        return torch.cudnn_convolution_add_relu(x, weight, add, 1.0, bias, *geometry)


class FoldedNet(PlayingNet):
    """PathNet to play with."""

    fold = staticmethod(fold)

    def __call__(self, *inputs: Tensor) -> tuple[Tensor, Tensor]:
        """Raw policy logits [batch, actions] and values [batch]."""
        (planes,) = inputs
        kinds = self.encoding.piece_planes
        pieces = choose_planes(planes, kinds) if sees_pieces(self.weights) else None
        x = self._conv("stem", planes)
        for index in range(self.blocks):
            name = f"blocks.{index}"
            out = self._conv(f"{name}.conv1", x)
            if f"{name}.pool.weight" in self.weights:
                pooled = self._linear(f"{name}.pool", pool(out, pieces=pieces))
                out = out + pooled[:, :, None, None]
            x = self._conv(f"{name}.conv2", out, x)
        x = self._conv("head", x)
        logits = spread_policy(self._linear("policy", x.permute(0, 2, 3, 1)), self.encoding)
        hidden = F.relu(self._linear("hidden", pool(x, pieces=pieces)))
        return logits, torch.tanh(self._linear("outcome", hidden)[:, 0].float())


def sees_pieces(state: Mapping[str, Tensor]) -> bool:
    """Whether the pooling of these weights reads the cells of the pieces."""
    return count_pooled_parts(state) > 2


def count_pooled_parts(state: Mapping[str, Tensor]) -> int:
    """The parts of what pooling layers read: mean, maximum, and one for each kind of piece."""
    return state["hidden.weight"].shape[1] // HEAD_CHANNELS


def _layout(weight: Tensor) -> torch.memory_format:
    return torch.channels_last if weight.dim() == 4 else torch.contiguous_format
