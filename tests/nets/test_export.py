"""ONNX files say what torch says."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from numpy.typing import NDArray

from plyground import _core
from plyground.cli.main import main
from plyground.errors import ConfigError
from plyground.nets import quantize
from plyground.nets.evaluator import OnnxEvaluator
from plyground.nets.export import export_network, export_onnx
from plyground.nets.features import Expander
from plyground.nets.network import PathNet
from plyground.nets.quantize import quantize_onnx
from plyground.nets.quoridor_encoding import QUORIDOR
from plyground.nets.rounding import STEPS, round_rows
from plyground.quoridor import GameConfig, State
from plyground.train.checkpoint import CHECKPOINT_FILE, playing_weights, save_checkpoint
from plyground.train.config import TrainConfig


def random_features(size: int, rng: random.Random, count: int = 32) -> NDArray[np.uint8]:
    config = GameConfig.for_size(size)
    rows: list[NDArray[np.uint8]] = []
    while len(rows) < count:
        state = State(config)
        while not state.game_over:
            rows.append(_core.quoridor_net_features(state))
            state = state.play(rng.choice(state.legal_actions()))
    return np.stack(rng.sample(rows, count))


@pytest.fixture(scope="module")
def net(shaken: Callable[[PathNet], PathNet]) -> PathNet:
    torch.set_num_threads(1)
    torch.manual_seed(1)
    return shaken(PathNet(QUORIDOR, blocks=3, channels=16, pooled_blocks=1))


def test_onnx_with_piece_pooling_equals_torch(
    shaken: Callable[[PathNet], PathNet], rng: random.Random, tmp_path: Path
) -> None:
    net = shaken(PathNet(QUORIDOR, 3, 16, pooled_blocks=2, piece_pooling=True))
    for size in (3, 9):
        test_onnx_equals_torch(net, size, False, 1e-5, rng, tmp_path)


@pytest.mark.parametrize("size", [3, 5, 9])
@pytest.mark.parametrize(("half", "tolerance"), [(False, 1e-5), (True, 5e-3)])
def test_onnx_equals_torch(
    net: PathNet, size: int, half: bool, tolerance: float, rng: random.Random, tmp_path: Path
) -> None:
    export_onnx(net.state_dict(), tmp_path / "net.onnx", QUORIDOR, half)
    features = random_features(size, rng)
    logits, values = OnnxEvaluator(tmp_path / "net.onnx")(features)
    with torch.no_grad():
        expected, expected_values, _ = net(
            Expander(QUORIDOR, size).planes(torch.from_numpy(features))
        )
    assert np.ptp(logits) > 0.1
    assert np.abs(logits - expected.numpy()).max() < tolerance
    assert np.abs(values - expected_values.numpy()).max() < tolerance


def test_half_precision_halves_the_file(net: PathNet, tmp_path: Path) -> None:
    for half in (False, True):
        export_onnx(net.state_dict(), tmp_path / f"{half}.onnx", QUORIDOR, half)
    sizes = [(tmp_path / f"{half}.onnx").stat().st_size for half in (False, True)]
    assert sizes[1] < 0.7 * sizes[0]


def test_a_network_that_is_not_there_or_not_one_is_a_plain_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot read the network"):
        OnnxEvaluator(tmp_path / "none.onnx")
    (tmp_path / "text.onnx").write_text("no network")
    with pytest.raises(ConfigError, match="expected an ONNX file"):
        OnnxEvaluator(tmp_path / "text.onnx")


def test_eight_bits_say_almost_the_same_in_less_room(
    net: PathNet, rng: random.Random, tmp_path: Path
) -> None:
    exact, small = tmp_path / "exact.onnx", tmp_path / "small.onnx"
    export_onnx(net.state_dict(), exact, QUORIDOR, half=False)
    quantize_onnx(exact, small, random_features(9, rng, 256), QUORIDOR)
    features = random_features(9, rng, 64)
    logits, values = OnnxEvaluator(exact)(features)
    small_logits, small_values = OnnxEvaluator(small)(features)
    assert 0 < np.abs(small_logits - logits).mean() < 0.1 * logits.std()
    assert np.abs(small_values - values).mean() < 0.05
    assert small.stat().st_size < 0.9 * exact.stat().st_size


def test_weights_rounded_together_lose_less_than_rounded_alone(
    net: PathNet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exact, sample = tmp_path / "exact.onnx", random_features(9, random.Random(3), 64)
    export_onnx(net.state_dict(), exact, QUORIDOR, half=False)
    logits, _ = OnnxEvaluator(exact)(features := random_features(9, random.Random(4), 64))

    def error(name: str) -> float:
        quantize_onnx(exact, tmp_path / name, sample, QUORIDOR)
        return float(np.square(OnnxEvaluator(tmp_path / name)(features)[0] - logits).mean())

    together = error("together.onnx")
    monkeypatch.setattr(quantize, "round_together", lambda *_: None)
    assert together < 0.8 * error("alone.onnx")


def test_rounding_together_keeps_the_sums_of_a_layer() -> None:
    rng = np.random.default_rng(1)
    inputs = rng.normal(size=(500, 40)) @ rng.normal(size=(40, 40))
    rows = rng.normal(scale=10, size=(8, 40))
    rounded = round_rows(rows, np.cov(inputs.T))
    assert np.array_equal(rounded, np.rint(rounded))
    assert np.abs(rounded).max() <= STEPS
    error, nearest = (np.square(inputs @ (rows - w).T).mean() for w in (rounded, np.rint(rows)))
    assert error < 0.5 * nearest


def test_the_step_of_the_input_fits_its_fractions(tmp_path: Path, net: PathNet) -> None:
    """Distances are sixteenths up to 2, so steps of 1/112 hit them and 1 exactly."""
    export_onnx(net.state_dict(), tmp_path / "exact.onnx", QUORIDOR, half=False)
    sample = random_features(9, random.Random(2), 64)
    _, step = quantize.input_scale(tmp_path / "exact.onnx", [sample])
    assert 1 / step == pytest.approx(112)


def test_the_command_exports_a_checkpoint(
    tmp_path: Path, rng: random.Random, capsys: pytest.CaptureFixture[str]
) -> None:
    config = TrainConfig(channels=8, blocks=1)
    weights = PathNet(QUORIDOR, 1, 8, config.pooled_blocks).state_dict()
    halves = {name: weight.half() for name, weight in weights.items() if weight.dim()}
    save_checkpoint(tmp_path / CHECKPOINT_FILE, {"config": config.as_dict(), "average": halves})
    kinds = {"small": ["--positions", "64"], "half": ["--float16"], "whole": ["--float32"]}
    sizes = {}
    for name, options in kinds.items():
        path = tmp_path / f"{name}.onnx"
        source = tmp_path if name == "half" else tmp_path / CHECKPOINT_FILE
        assert main(["export", str(source), "--out", str(path), *options]) == 0
        assert f"{name}.onnx: " in capsys.readouterr().out
        logits, values = OnnxEvaluator(path)(random_features(3, rng, 8))
        assert (logits.shape, values.shape) == ((8, 209), (8,))
        sizes[name] = path.stat().st_size
    assert sizes["half"] < sizes["whole"]
    assert main(["export", "run.pt", "--out", "x.onnx", "--float16", "--float32"]) == 2


def evaluate(path: Path) -> None:
    """Load a network and evaluate the first position."""
    features = np.asarray(_core.quoridor_net_features(State()))[None]
    OnnxEvaluator(path)(features)


def test_a_damaged_network_is_a_plain_error(net: PathNet, tmp_path: Path) -> None:
    path = tmp_path / "damaged.onnx"
    export_onnx(net.state_dict(), path, encoding=QUORIDOR)
    whole = path.read_bytes()
    rng, refused = random.Random(1), 0
    for _ in range(25):
        damaged = bytearray(whole)
        for _ in range(rng.choice((1, 10, 100))):
            damaged[rng.randrange(rng.choice((2000, len(damaged))))] = rng.randrange(256)
        path.write_bytes(damaged)
        try:
            evaluate(path)
        except ConfigError:
            refused += 1
    assert refused > 5


@pytest.mark.parametrize(
    ("outputs", "message"),
    [
        ({"logits": [[1.0] * 209], "others": [0.0]}, "the outputs 'logits' and 'values'"),
        ({"logits": [[1.0] * 208], "values": [0.0]}, "expected 209 finite logits and a value"),
        ({"logits": [[1.0] * 209], "values": [float("nan")]}, "expected 209 finite logits"),
        ({"logits": [[1.0] * 209], "values": [[0.0]]}, "expected 209 finite logits"),
    ],
)
def test_a_network_with_other_outputs_is_a_plain_error(
    tmp_path: Path, outputs: dict[str, list[object]], message: str
) -> None:
    path = tmp_path / "other.onnx"
    arrays = {name: np.asarray(values, np.float32) for name, values in outputs.items()}
    graph = onnx.helper.make_graph(
        [
            onnx.helper.make_node("Constant", [], [name], value=onnx.numpy_helper.from_array(array))
            for name, array in arrays.items()
        ],
        "constants",
        [
            onnx.helper.make_tensor_value_info(
                "features", onnx.TensorProto.UINT8, ["n", QUORIDOR.feature_bytes]
            )
        ],
        [
            onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, array.shape)
            for name, array in arrays.items()
        ],
    )
    opset = [onnx.helper.make_opsetid("", 18)]
    onnx.save(onnx.helper.make_model(graph, opset_imports=opset, ir_version=9), path)
    with pytest.raises(ConfigError, match=message):
        evaluate(path)


@pytest.mark.parametrize(
    "change",
    [
        {"average": 7},
        {"average": {}},
        {"average": {"stem.weight": 7}},
        {"average": {"stem.weight": torch.zeros(1)}},
        {"config": 7},
        {"config": {"blocks": "x"}},
        {"config": {"blocks": [1]}},
        {"config": {"channels": 10**30}},
        {"config": {"simulations": {"a": "b"}}},
        {"config": {"game": ["quoridor"]}},
    ],
)
def test_a_checkpoint_with_other_content_is_a_plain_error(
    net: PathNet, tmp_path: Path, change: dict[str, object]
) -> None:
    config = TrainConfig(blocks=2, channels=16, pooled_blocks=1)
    content = {"config": config.as_dict(), "average": net.state_dict()}
    path = tmp_path / "checkpoint.pt"
    save_checkpoint(path, content | change)
    with pytest.raises(ConfigError):
        playing_weights(path)


@pytest.mark.parametrize("name", ["net.foo", "net", "net.pt"])
def test_a_file_of_another_kind_is_refused(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    assert main(["export", "run.pt", "--out", str(path)]) == 2
    message = f"expected a file to write named *.npz or *.onnx, got '{path}'"
    assert message in capsys.readouterr().err
    with pytest.raises(ConfigError, match=r"named \*\.npz or \*\.onnx"):
        export_network(PathNet(QUORIDOR, 1, 8, 0), path, QUORIDOR, 3)
    assert not any(tmp_path.iterdir())
