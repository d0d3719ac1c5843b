"""What training minimises. `standard_loss` is the default; a function of your own replaces it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812

from plyground.nets.network import NetOutputs
from plyground.train.config import TrainConfig
from plyground.train.replay import Batch

LOSSES = ("loss", "policy_loss", "policy_kl", "value_loss", "margin_loss")
"""The parts of the standard loss."""


class Targets(NamedTuple):
    """What the network should have said about the positions of a batch."""

    policy: Tensor
    """The search's improved policy, float16 [batch, actions]."""
    legal: Tensor
    """Which actions are legal, bool [batch, actions]."""
    outcome: Tensor
    """The result of the game for the player to move, [batch], from -1 to 1."""
    root_value: Tensor
    """The value that the search found, [batch]."""
    margin: Tensor
    """The margin at the end of the game, [batch], in steps or discs."""
    surprise: Tensor
    """How much the search changed the policy, [batch]: the divergence from the network's."""
    features: Tensor
    """The positions, packed, uint8 [batch, bytes]."""

    @classmethod
    def of(cls, batch: Batch, legal: Tensor) -> Targets:
        """The targets of positions from the replay."""
        outcome, root_value, margin, surprise = batch.targets.unbind(1)
        return cls(batch.policy, legal, outcome, root_value, margin, surprise, batch.features)


Loss: TypeAlias = Callable[[TrainConfig, NetOutputs, Targets], Mapping[str, Tensor]]
"""Computes the losses of a batch by name, a number each. "loss" is the total, which is minimised;
the others are reported."""


def standard_loss(config: TrainConfig, outputs: NetOutputs, targets: Targets) -> dict[str, Tensor]:
    """Cross-entropy to the improved policy over legal moves, squared error of the value, margin.

    A network without the side task "margin" has no loss for it.
    """
    policy, margin = targets.policy.float(), outputs.side.get("margin")
    logits = outputs.logits.float().masked_fill(~targets.legal, -1e9)
    log_probabilities = F.log_softmax(logits, dim=1)
    weight = surprise_weights(targets.surprise, config.surprise_weight)
    policy_loss = -((policy * log_probabilities).sum(1) * weight).mean()
    entropy = -((policy * policy.clamp_min(1e-9).log()).sum(1) * weight).mean()
    share = config.root_value_share
    expected = (1 - share) * targets.outcome + share * targets.root_value
    value_loss = F.mse_loss(outputs.value, expected)
    margin_loss = (
        torch.zeros_like(value_loss)
        if margin is None
        else F.smooth_l1_loss(margin, targets.margin / config.encoding.margin_scale)
    )
    loss = policy_loss + config.value_weight * value_loss + config.margin_weight * margin_loss
    parts = (loss, policy_loss, policy_loss - entropy, value_loss, margin_loss)
    return dict(zip(LOSSES, parts, strict=True))


def surprise_weights(surprise: Tensor, share: float) -> Tensor:
    """Weights of the positions, 1 on average, of which a share follows the surprise (Wu 2022).

    >>> surprise_weights(torch.tensor([0.0, 1.0, 2.0]), 0.5).tolist()
    [0.5, 1.0, 1.5]
    """
    return 1 - share + share * surprise / surprise.mean().clamp_min(1e-6)
