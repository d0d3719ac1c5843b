"""PathNet for Reversi: shapes, folding, ONNX, and files for the wrong game."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor

from plyground import _core, quoridor
from plyground.cli.main import main
from plyground.errors import ConfigError
from plyground.nets.evaluator import OnnxEvaluator, load_evaluator, network_for
from plyground.nets.export import export_onnx
from plyground.nets.features import Expander
from plyground.nets.network import FoldedNet, PathNet
from plyground.nets.reversi_encoding import REVERSI
from plyground.reversi import PASS, State
from plyground.train.checkpoint import save_checkpoint
from plyground.train.config import TrainConfig


def random_features(rng: random.Random, count: int = 32) -> NDArray[np.uint8]:
    rows: list[NDArray[np.uint8]] = []
    while len(rows) < 2 * count:
        state = State()
        while not state.game_over:
            rows.append(_core.reversi_net_features(state))
            state = state.play(rng.choice(state.legal_actions()))
    return np.stack(rng.sample(rows, count))


@pytest.fixture(scope="module")
def net(shaken: Callable[[PathNet], PathNet]) -> PathNet:
    torch.set_num_threads(1)
    torch.manual_seed(1)
    return shaken(PathNet(REVERSI, blocks=2, channels=16, pooled_blocks=1))


def evaluated(net: PathNet | FoldedNet, features: NDArray[np.uint8]) -> tuple[Tensor, ...]:
    with torch.no_grad():
        outputs: tuple[Tensor, ...] = net(Expander(REVERSI).planes(torch.from_numpy(features)))
        return outputs


def test_logits_for_squares_and_the_pass(net: PathNet, rng: random.Random) -> None:
    logits, value, margin = evaluated(net, random_features(rng))
    assert (logits.shape, value.shape, margin.shape) == ((32, 65), (32,), (32,))
    assert not logits[:, PASS].any(), "a pass is never a choice"
    assert (logits[:, :PASS] != 0).all()
    assert value.abs().max() <= 1


def test_a_square_has_the_logit_of_its_own_cell(net: PathNet, rng: random.Random) -> None:
    """Turning what the network sees and what it says by hand gives what a turned network would."""
    features = random_features(rng, 4)
    mirrored = {name: weight.clone() for name, weight in net.state_dict().items()}
    for name, weight in mirrored.items():
        if weight.dim() == 4:
            mirrored[name] = weight.flip(3)
    other = PathNet(REVERSI, 2, 16, 1).eval()
    other.load_state_dict(mirrored)
    with torch.no_grad():
        planes = Expander(REVERSI, symmetry=1).planes(torch.from_numpy(features))
        turned = other(planes)[0]
    back = REVERSI.turn_policy(8, 1).argsort()
    assert torch.allclose(evaluated(net, features)[0], turned[:, back], atol=1e-4)


def test_folding_changes_nothing(net: PathNet, rng: random.Random) -> None:
    features = random_features(rng)
    folded = FoldedNet(net.state_dict(), torch.device("cpu"), torch.float32, REVERSI)
    logits, value, _ = evaluated(net, features)
    folded_logits, folded_value = evaluated(folded, features)
    assert torch.allclose(logits, folded_logits, atol=1e-4)
    assert torch.allclose(value, folded_value, atol=1e-4)


@pytest.mark.parametrize(("half", "tolerance"), [(False, 1e-5), (True, 5e-3)])
def test_onnx_equals_torch(
    net: PathNet, half: bool, tolerance: float, rng: random.Random, tmp_path: Path
) -> None:
    export_onnx(net.state_dict(), tmp_path / "net.onnx", REVERSI, half)
    features = random_features(rng)
    logits, values = OnnxEvaluator(tmp_path / "net.onnx", game="reversi")(features)
    expected, expected_values, _ = evaluated(net, features)
    assert np.ptp(logits) > 0.1
    assert np.abs(logits - expected.numpy()).max() < tolerance
    assert np.abs(values - expected_values.numpy()).max() < tolerance


def test_the_command_exports_a_checkpoint(net: PathNet, tmp_path: Path, rng: random.Random) -> None:
    config = TrainConfig(game="reversi", blocks=2, channels=16)
    halves = {name: weight.half() for name, weight in net.state_dict().items() if weight.dim()}
    save_checkpoint(tmp_path / "run.pt", {"config": config.as_dict(), "average": halves})
    features = random_features(rng, 64)
    exact = evaluated(net, features)[0].numpy()
    path = tmp_path / "small.onnx"
    command = ["export", str(tmp_path / "run.pt"), "--out", str(path), "--positions", "256"]
    assert main(command) == 0
    logits, _ = OnnxEvaluator(path, game="reversi")(features)
    assert 0 < np.abs(logits - exact).mean() < 0.1 * exact.std()


def test_a_network_of_another_game_is_refused(reversi_network: Path) -> None:
    with pytest.raises(ConfigError, match=r"expected a network for quoridor in '.*reversi.onnx'"):
        OnnxEvaluator(reversi_network, game="quoridor")
    with pytest.raises(ConfigError, match="expected a network for reversi"):
        load_evaluator(network_for(quoridor.State()), game="reversi")


def test_a_file_says_which_game_it_is_for(reversi_network: Path) -> None:
    assert OnnxEvaluator(reversi_network).encoding is REVERSI


def test_without_a_file_the_package_says_that_it_has_none() -> None:
    with pytest.raises(ConfigError, match="no network for reversi comes with this package"):
        load_evaluator(game="reversi")
