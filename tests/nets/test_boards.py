"""Boards of several sizes in one batch: each gets what it would get alone."""

import random
from collections.abc import Callable

import pytest
import torch

from plyground import _core
from plyground.nets.board_norm import BoardNorm
from plyground.nets.features import ON_BOARD, CanvasExpander, Expander, board_sizes
from plyground.nets.network import PathNet
from plyground.nets.quoridor_encoding import QUORIDOR
from plyground.quoridor import GameConfig, State

Shaken = Callable[[PathNet], PathNet]
SIZES = (3, 4, 5, 6, 7, 8, 9)


@pytest.fixture(autouse=True)
def _repeatable(seed: int) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(seed)


def positions(rng: random.Random, size: int, count: int = 4) -> torch.Tensor:
    """Packed features after some random moves."""
    rows: list[torch.Tensor] = []
    while len(rows) < count:
        state = State(GameConfig.for_size(size))
        for _ in range(rng.randrange(6)):
            state = state.play(rng.choice(state.legal_actions()))
            if state.game_over:
                break
        else:
            rows.append(torch.from_numpy(_core.quoridor_net_features(state)))
    return torch.stack(rows)


@pytest.fixture
def mixed(rng: random.Random) -> torch.Tensor:
    packed = torch.cat([positions(rng, size) for size in SIZES])
    return packed[torch.randperm(len(packed))]


@pytest.mark.parametrize("symmetry", [0, 1])
def test_each_board_lies_in_the_corner_with_zeros_around(
    mixed: torch.Tensor, symmetry: int
) -> None:
    planes = CanvasExpander(QUORIDOR, symmetry).planes(mixed)
    for row, size in enumerate(board_sizes(mixed, QUORIDOR).tolist()):
        alone = Expander(QUORIDOR, size, symmetry).planes(mixed[row : row + 1])[0]
        assert torch.equal(planes[row, :, :size, :size], alone)
        rest = planes[row].clone()
        rest[:, :size, :size] = 0
        assert not rest.any()


@pytest.mark.parametrize("symmetry", [0, 1])
@pytest.mark.parametrize("piece_pooling", [False, True])
def test_a_network_says_the_same_of_a_board_in_any_company(
    mixed: torch.Tensor, shaken: Shaken, symmetry: int, piece_pooling: bool
) -> None:
    net = shaken(PathNet(QUORIDOR, 3, 8, pooled_blocks=2, piece_pooling=piece_pooling))
    planes = CanvasExpander(QUORIDOR, symmetry).planes(mixed)
    together = net(planes, planes[:, ON_BOARD : ON_BOARD + 1])
    for row, size in enumerate(board_sizes(mixed, QUORIDOR).tolist()):
        expander = Expander(QUORIDOR, size, symmetry)
        alone = net(expander.planes(mixed[row : row + 1]))
        here = torch.zeros(QUORIDOR.actions, dtype=torch.bool)
        here[:81].view(9, 9)[:size, :size] = True
        here[81:].view(2, 8, 8)[:, : size - 1, : size - 1] = True
        assert torch.allclose(together[0][row][here], alone[0][0][here], atol=1e-5)
        for ours, theirs in zip(together[1:], alone[1:], strict=True):
            assert torch.allclose(ours[row], theirs[0], atol=1e-5)


def test_norms_count_the_cells_on_the_board_alone() -> None:
    x = torch.randn(6, 5, 9, 9) * 3 + 2
    on_board = torch.zeros(6, 1, 9, 9)
    on_board[:2] = 1
    on_board[2:, :, :4, :4] = 1
    norm, plain = BoardNorm(5), torch.nn.BatchNorm1d(5)
    with torch.no_grad():
        for layer in (norm, plain):
            layer.weight.copy_(torch.linspace(0.5, 2, 5))
            layer.bias.copy_(torch.linspace(-1, 1, 5))
    x.requires_grad_()
    wanted = torch.randn(6, 5, 9, 9)
    here = on_board[:, 0].bool()

    def on_boards(canvas: torch.Tensor) -> torch.Tensor:
        return canvas.permute(0, 2, 3, 1)[here]

    expected, found = plain(on_boards(x)), on_boards(norm(x, on_board))
    assert torch.allclose(found, expected, atol=1e-5)
    gradients = [
        torch.autograd.grad((out * on_boards(wanted)).sum(), [x, layer.weight, layer.bias])
        for layer, out in ((plain, expected), (norm, found))
    ]
    for theirs, ours in zip(*gradients, strict=True):
        assert torch.allclose(ours, theirs, atol=1e-4)
    assert not gradients[1][0].permute(0, 2, 3, 1)[~here].any()
    for name, tolerance in (("running_mean", 1e-6), ("running_var", 1e-5)):
        ours, theirs = norm.get_buffer(name), plain.get_buffer(name)
        assert torch.allclose(ours, theirs, atol=tolerance)


def test_a_batch_of_one_size_trains_as_without_the_canvas(rng: random.Random) -> None:
    """With 9x9 alone the masks change neither outputs nor gradients."""
    packed = positions(rng, 9, 8)
    planes = Expander(QUORIDOR).planes(packed)
    net = PathNet(QUORIDOR, blocks=2, channels=8)
    results = []
    for on_board in (None, planes[:, ON_BOARD : ON_BOARD + 1]):
        net.zero_grad()
        logits, value, margin = net.train()(planes, on_board)
        (
            logits.square().sum() + (value - 1).square().sum() + (margin - 1).square().sum()
        ).backward()
        gradient = net.stem.weight.grad
        assert gradient is not None
        results.append((logits.detach(), gradient.clone()))
    for plain, masked in zip(*results, strict=True):
        assert (plain - masked).norm() < 1e-3 * plain.norm()
