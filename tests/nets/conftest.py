"""What the tests of networks share."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from torch import nn

from plyground.nets.network import PathNet


def shake_norms(net: nn.Module) -> None:
    """Make the norms of a network do something, as after training."""
    for module in net.modules():
        if isinstance(module, nn.BatchNorm1d | nn.BatchNorm2d):
            nn.init.uniform_(module.weight, 0.5, 1.5)
            nn.init.normal_(module.bias, std=0.2)
            assert module.running_mean is not None
            assert module.running_var is not None
            nn.init.normal_(module.running_mean, std=0.2)
            nn.init.uniform_(module.running_var, 0.5, 2)


def _shaken(net: PathNet) -> PathNet:
    shake_norms(net)
    nn.init.normal_(net.outcome.weight, std=0.2)
    return net.eval()


@pytest.fixture(scope="session")
def shaken() -> Callable[[PathNet], PathNet]:
    """Makes the norms and last layers of a network do something, as after training."""
    return _shaken
