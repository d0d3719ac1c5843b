"""PathNet: shapes, symmetries, folding, and learning by heart."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from plyground.nets.features import Expander
from plyground.nets.network import FoldedNet, PathNet, choose_planes, pool, spread_policy
from plyground.nets.quoridor_encoding import QUORIDOR


@pytest.fixture(autouse=True)
def _repeatable(seed: int) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(seed)


def random_packed(rows: int, size: int = 9) -> Tensor:
    packed = torch.randint(0, 256, (rows, QUORIDOR.feature_bytes), dtype=torch.uint8)
    packed[:, QUORIDOR.size_byte] = size
    return packed


@pytest.mark.parametrize("size", [3, 5, 9])
def test_path_net_serves_every_board_size(size: int, shaken: Callable[[PathNet], PathNet]) -> None:
    net = shaken(PathNet(QUORIDOR, blocks=2, channels=8, pooled_blocks=1))
    logits, value, margin = net(Expander(QUORIDOR, size).planes(random_packed(6, size)))
    assert (logits.shape, value.shape, margin.shape) == ((6, QUORIDOR.actions), (6,), (6,))
    assert value.abs().max() <= 1
    pawn, slots = logits[:, :81].view(6, 9, 9), logits[:, 81:].view(6, 2, 8, 8)
    assert (pawn[:, :size, :size] != 0).all()
    assert (slots[:, :, : size - 1, : size - 1] != 0).all()
    assert not pawn[:, size:].any()
    assert not slots[:, :, :, size - 1 :].any()


def test_an_untrained_path_net_has_no_opinion_on_the_outcome() -> None:
    _, value, margin = PathNet(QUORIDOR, 2, 8).eval()(Expander(QUORIDOR).planes(random_packed(6)))
    assert not value.any()
    assert not margin.any()


def test_wall_logits_are_a_two_by_two_convolution() -> None:
    maps = torch.randn(2, 9, 9, 9)
    logits = spread_policy(maps, QUORIDOR)
    assert torch.equal(logits[:, :81], maps[..., 0].flatten(1))
    row, col = 3, 5
    for direction in range(2):
        cells = [
            maps[:, row + down, col + right, 1 + 2 * (2 * down + right) + direction]
            for down in range(2)
            for right in range(2)
        ]
        expected = torch.stack(cells).sum(0)
        assert torch.allclose(logits[:, 81 + 64 * direction + 8 * row + col], expected, atol=1e-6)


@pytest.mark.parametrize("size", [3, 9])
@pytest.mark.parametrize("pooled_blocks", [0, 2])
def test_folding_changes_nothing(
    size: int, pooled_blocks: int, shaken: Callable[[PathNet], PathNet]
) -> None:
    net = shaken(PathNet(QUORIDOR, 3, 16, pooled_blocks, piece_pooling=pooled_blocks > 0))
    planes = Expander(QUORIDOR, size).planes(random_packed(8, size))
    folded = FoldedNet(net.state_dict(), torch.device("cpu"), torch.float32, QUORIDOR)
    with torch.no_grad():
        logits, value, _ = net(planes)
        folded_logits, folded_value = folded(planes)
    assert torch.allclose(logits, folded_logits, atol=1e-4)
    assert torch.allclose(value, folded_value, atol=1e-4)


def test_piece_pooling_reads_the_cells_of_the_pawns() -> None:
    x, planes = torch.rand(2, 5, 9, 9), torch.zeros(2, QUORIDOR.planes, 9, 9)
    for row, (mine, theirs) in enumerate([((0, 4), (8, 4)), ((3, 3), (3, 4))]):
        planes[row, 1][mine] = planes[row, 2][theirs] = 1
    pooled = pool(x, pieces=choose_planes(planes, QUORIDOR.piece_planes)).view(2, 4, 5)
    assert torch.allclose(pooled[:, 0], x.mean((2, 3)))
    assert torch.equal(pooled[:, 1], x.amax((2, 3)))
    assert torch.allclose(pooled[0, 2:], torch.stack([x[0, :, 0, 4], x[0, :, 8, 4]]))
    assert torch.allclose(pooled[1, 2:], torch.stack([x[1, :, 3, 3], x[1, :, 3, 4]]))


def test_new_weights_are_loaded_in_place(shaken: Callable[[PathNet], PathNet]) -> None:
    first, second = (shaken(PathNet(QUORIDOR, 2, 8)) for _ in range(2))
    folded = FoldedNet(first.state_dict(), torch.device("cpu"), torch.float32, QUORIDOR)
    places = {name: weight.data_ptr() for name, weight in folded.weights.items()}
    folded.load(second.state_dict())
    assert places == {name: weight.data_ptr() for name, weight in folded.weights.items()}
    planes = Expander(QUORIDOR).planes(random_packed(4))
    with torch.no_grad():
        assert torch.allclose(second(planes)[0], folded(planes)[0], atol=1e-4)


def test_a_small_net_learns_a_hundred_positions_by_heart() -> None:
    net = PathNet(QUORIDOR, blocks=2, channels=24)
    planes = Expander(QUORIDOR, 5).planes(random_packed(100, 5))
    moves = torch.randint(0, 5, (100,)) * 9 + torch.randint(0, 5, (100,))
    outcomes = torch.randint(0, 2, (100,)) * 2.0 - 1
    optimizer = torch.optim.AdamW(net.parameters(), lr=3e-3)
    for _ in range(80):
        logits, value, _ = net(planes)
        loss = nn.functional.cross_entropy(logits, moves) + ((value - outcomes) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    net.eval()
    with torch.no_grad():
        logits, value, _ = net(planes)
    assert (logits.argmax(1) == moves).float().mean() > 0.95
    assert ((value - outcomes).abs() < 0.5).float().mean() > 0.95
