"""`QuoridorNet`: the residual network over `encode_state` that the second specification describes.

The layers, their names and their order are those of the document, so that its weights load. All
networks have the board size that they were made for. `FoldedQuoridorNet` plays with its weights.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from plyground.games.quoridor import action_space_size
from plyground.nets.encoding import Encoding
from plyground.nets.network import (
    NetOutputs,
    PlayingNet,
    TrainableNet,
    count_blocks,
    fold_norm,
    spread,
)
from plyground.nets.quoridor_encoding import CANVAS, canvas_sources

WIDTH = 256
JOINT = 512
HIDDEN = 256
HEADS = ("policy", "value")


class ResidualBlock(nn.Module):
    """Two 3x3 convolutions around which the input is added."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels, kernel_size=3, padding=1)
        self.bn1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, kernel_size=3, padding=1)
        self.bn2 = nn.BatchNorm2d(channels)

    def forward(self, x: Tensor) -> Tensor:
        """[batch, channels, n, n] in and out."""
        out = F.relu(self.bn1(self.conv1(x)))
        return F.relu(x + self.bn2(self.conv2(out)))


class QuoridorNet(TrainableNet):
    """A residual tower, flattened; the scalars join it before the two heads.

    >>> net = QuoridorNet(board_size=5, n_res_blocks=1, channels=8).eval()
    >>> [tuple(out.shape) for out in net(torch.zeros(2, 16, 5, 5), torch.zeros(2, 5))]
    [(2, 57), (2, 1)]

    `channels` is the width of the tower, 256 in the document.
    """

    def __init__(
        self,
        board_size: int = 9,
        n_spatial_channels: int = 16,
        n_scalars: int = 5,
        n_res_blocks: int = 10,
        *,
        channels: int = WIDTH,
    ) -> None:
        super().__init__()
        self.board_size = board_size
        self.action_size = action_space_size(board_size)
        self.conv_input = nn.Conv2d(n_spatial_channels, channels, kernel_size=3, padding=1)
        self.bn_input = nn.BatchNorm2d(channels)
        self.res_blocks = nn.ModuleList(ResidualBlock(channels) for _ in range(n_res_blocks))
        self.conv_output_size = channels * board_size * board_size
        self.fc_combined = nn.Linear(self.conv_output_size + n_scalars, JOINT)
        self.bn_combined = nn.BatchNorm1d(JOINT)
        self.policy_fc1 = nn.Linear(JOINT, HIDDEN)
        self.policy_bn1 = nn.BatchNorm1d(HIDDEN)
        self.policy_fc2 = nn.Linear(HIDDEN, self.action_size)
        self.value_fc1 = nn.Linear(JOINT, HIDDEN)
        self.value_bn1 = nn.BatchNorm1d(HIDDEN)
        self.value_fc2 = nn.Linear(HIDDEN, 1)
        sources = torch.from_numpy(canvas_sources(board_size))
        self.register_buffer("canvas_sources", sources, persistent=False)

    def forward(self, spatial: Tensor, scalars: Tensor) -> tuple[Tensor, Tensor]:
        """Raw policy logits (batch, actions) and values from -1 to 1 (batch, 1), for the mover."""
        x = F.relu(self.bn_input(self.conv_input(spatial)))
        for block in self.res_blocks:
            x = block(x)
        x = torch.cat([x.flatten(1), scalars], dim=1)
        x = F.relu(self.bn_combined(self.fc_combined(x)))
        policy_logits = self.policy_fc2(F.relu(self.policy_bn1(self.policy_fc1(x))))
        value = torch.tanh(self.value_fc2(F.relu(self.value_bn1(self.value_fc1(x)))))
        return policy_logits, value

    def training_outputs(
        self,
        inputs: tuple[Tensor, ...],
        on_board: Tensor | None = None,  # noqa: ARG002
    ) -> NetOutputs:
        """Logits on the 9x9 canvas and values; there is no margin."""
        logits, value = self(*inputs)
        return NetOutputs(spread(logits, self.get_buffer("canvas_sources")), value[:, 0].float())


class FoldedQuoridorNet(PlayingNet):
    """QuoridorNet to play with."""

    def __init__(
        self,
        state: Mapping[str, Tensor],
        device: torch.device,
        dtype: torch.dtype,
        encoding: Encoding,
    ) -> None:
        super().__init__(state, device, dtype, encoding)
        self.sources = torch.from_numpy(canvas_sources(board_size_of(state))).to(device)

    @staticmethod
    def fold(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """The weights without batch norms, in float32."""
        blocks = [f"res_blocks.{index}" for index in range(count_blocks(state))]
        layers = [(f"{block}.conv{k}", f"{block}.bn{k}") for block in blocks for k in (1, 2)]
        layers += [("conv_input", "bn_input"), ("fc_combined", "bn_combined")]
        layers += [(f"{head}_fc1", f"{head}_bn1") for head in HEADS]
        folded = {
            f"{head}_fc2.{part}": state[f"{head}_fc2.{part}"]
            for head in HEADS
            for part in ("weight", "bias")
        }
        for layer, norm in layers:
            folded |= fold_norm(state, layer, norm)
        return {name: weight.float() for name, weight in folded.items()}

    def __call__(self, *inputs: Tensor) -> tuple[Tensor, Tensor]:
        """Raw policy logits on the 9x9 canvas [batch, actions] and values [batch]."""
        spatial, scalars = inputs
        x = self._conv("conv_input", spatial)
        for index in range(self.blocks):
            out = self._conv(f"res_blocks.{index}.conv1", x)
            x = self._conv(f"res_blocks.{index}.conv2", out, x)
        x = F.relu(self._linear("fc_combined", torch.cat([x.flatten(1), scalars], dim=1)))
        logits, value = (
            self._linear(f"{head}_fc2", F.relu(self._linear(f"{head}_fc1", x))) for head in HEADS
        )
        return spread(logits, self.sources), torch.tanh(value[:, 0].float())


def board_size_of(state: Mapping[str, Tensor]) -> int:
    """The board size that a QuoridorNet's weights are for."""
    actions = len(state["policy_fc2.bias"])
    return next(size for size in range(3, CANVAS + 1) if action_space_size(size) == actions)
