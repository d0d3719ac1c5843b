"""Growing a network changes its shape and not what it says."""

from collections.abc import Callable

import pytest
import torch

from plyground.errors import ConfigError
from plyground.nets.grow import grow, grow_moments
from plyground.nets.network import PathNet
from plyground.nets.quoridor_encoding import QUORIDOR

Shape = tuple[int, int, int] | tuple[int, int, int, bool]
Shaken = Callable[[PathNet], PathNet]


@pytest.fixture(autouse=True)
def _repeatable(seed: int) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(seed)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ((2, 8, 1), (2, 8, 1)),
        ((6, 8, 1), (6, 8, 3)),
        ((6, 8, 1), (8, 8, 3)),
        ((2, 8, 1), (5, 12, 2)),
        ((2, 8, 0), (2, 12, 0)),
        ((2, 8, 1), (2, 8, 1, True)),
        ((2, 8, 1), (3, 12, 2, True)),
        ((2, 8, 1, True), (3, 12, 2, True)),
    ],
)
@pytest.mark.parametrize("training", [False, True])
def test_it_computes_the_same(old: Shape, new: Shape, training: bool, shaken: Shaken) -> None:
    small, large = shaken(PathNet(QUORIDOR, *old)), shaken(PathNet(QUORIDOR, *new))
    large.load_state_dict(grow(small.state_dict(), large))
    planes = torch.rand(6, 32, 9, 9)
    for ours, theirs in zip(
        small.train(training)(planes), large.train(training)(planes), strict=True
    ):
        assert torch.allclose(ours, theirs, atol=1e-4)


def test_all_that_is_new_can_learn(shaken: Shaken) -> None:
    small, large = shaken(PathNet(QUORIDOR, 2, 8, 1)), PathNet(QUORIDOR, 4, 12, 2, True)
    large.load_state_dict(grow(small.state_dict(), large))
    optimizer = torch.optim.SGD(large.parameters(), 0.01)
    planes = torch.rand(6, 32, 9, 9)
    before = {name: weight.detach().clone() for name, weight in large.named_parameters()}
    for _ in range(3):
        optimizer.zero_grad()
        sum(out.square().sum() for out in large.train()(planes)).backward()
        optimizer.step()
    for name, weight in large.named_parameters():
        assert not torch.equal(weight, before[name]), name


def test_moments_grow_with_zeros(shaken: Shaken) -> None:
    small, large = shaken(PathNet(QUORIDOR, 2, 8, 1)), PathNet(QUORIDOR, 3, 12, 1)
    moments = {
        name: (torch.ones_like(weight), torch.ones_like(weight) * 2)
        for name, weight in small.named_parameters()
    }
    grown = grow_moments(moments, small.state_dict(), large)
    first, second = grown["stem.weight"]
    assert first.shape == second.shape == large.stem.weight.shape
    assert first.sum() == small.stem.weight.numel()
    assert (first[8:] == 0).all()
    pooled = next(name for name in grown if name.endswith("pool.weight"))
    assert grown[pooled][0].view(12, 2, 12).sum((0, 2)).tolist() == [64, 64]


@pytest.mark.parametrize(("old", "new"), [((6, 8, 1), (6, 8, 2)), ((2, 8, 1), (2, 4, 1))])
def test_what_does_not_fit_is_told(old: Shape, new: Shape) -> None:
    with pytest.raises(ConfigError, match="cannot grow a network of"):
        grow(PathNet(QUORIDOR, *old).state_dict(), PathNet(QUORIDOR, *new))
