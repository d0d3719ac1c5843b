"""QuoridorNet: the layers of the specification, its inputs, folding, ONNX and 8 bits."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor

from plyground import _core, quoridor
from plyground.errors import ConfigError
from plyground.nets.evaluator import OnnxEvaluator
from plyground.nets.export import export_onnx
from plyground.nets.features import Expander
from plyground.nets.quantize import quantize_onnx
from plyground.nets.quoridor_encoding import QUORIDOR, canvas_sources, history_encoding
from plyground.nets.quoridor_net import FoldedQuoridorNet, QuoridorNet
from plyground.quoridor import GameConfig, State
from tests.nets.conftest import shake_norms

FOUR = history_encoding(4)

# Written from the document: blocks, board size, input planes and scalars as variables.
WIDTH, JOINT, HIDDEN = 256, 512, 256


def norm(name: str, width: int) -> dict[str, tuple[int, ...]]:
    shapes: dict[str, tuple[int, ...]] = {
        f"{name}.{part}": (width,) for part in ("weight", "bias", "running_mean", "running_var")
    }
    return shapes | {f"{name}.num_batches_tracked": ()}


def layer(name: str, *shape: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": shape, f"{name}.bias": shape[:1]}


def document_shapes(
    size: int = 9, planes: int = 16, scalars: int = 5, blocks: int = 10
) -> dict[str, tuple[int, ...]]:
    """Names and shapes of the document's state_dict, in its order."""
    shapes = layer("conv_input", WIDTH, planes, 3, 3) | norm("bn_input", WIDTH)
    for index in range(blocks):
        for k in (1, 2):
            shapes |= layer(f"res_blocks.{index}.conv{k}", WIDTH, WIDTH, 3, 3)
            shapes |= norm(f"res_blocks.{index}.bn{k}", WIDTH)
    shapes |= layer("fc_combined", JOINT, WIDTH * size * size + scalars)
    shapes |= norm("bn_combined", JOINT)
    for head, outputs in [("policy", size**2 + 2 * (size - 1) ** 2), ("value", 1)]:
        shapes |= layer(f"{head}_fc1", HIDDEN, JOINT) | norm(f"{head}_bn1", HIDDEN)
        shapes |= layer(f"{head}_fc2", outputs, HIDDEN)
    return shapes


@pytest.fixture(autouse=True)
def _repeatable(seed: int) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(seed)


def test_the_network_of_the_document() -> None:
    with torch.device("meta"):
        net = QuoridorNet()
    shapes = document_shapes()
    assert {name: tuple(weight.shape) for name, weight in net.state_dict().items()} == shapes
    assert list(net.state_dict()) == list(shapes), "also the order"
    assert sum(parameter.numel() for parameter in net.parameters()) == 22_788_050
    assert (net.board_size, net.action_size, net.conv_output_size) == (9, 209, 256 * 81)


def test_a_state_dict_of_the_document_loads() -> None:
    shapes = document_shapes(3, 8, 5, 1)
    weights = {name: torch.randn(shape).abs() for name, shape in shapes.items()}
    net = QuoridorNet(3, 8, 5, 1).eval()
    net.load_state_dict(weights, strict=True)
    logits, value = net(torch.rand(2, 8, 3, 3), torch.rand(2, 5))
    assert (logits.shape, value.shape) == ((2, 17), (2, 1))


def test_it_gives_logits_and_bounded_values() -> None:
    net = QuoridorNet(board_size=5, n_res_blocks=2, channels=8).eval()
    spatial, scalars = torch.randn(4, 16, 5, 5) * 100, torch.randn(4, 5) * 100
    logits, value = net(spatial, scalars)
    assert (logits.shape, value.shape) == ((4, 57), (4, 1))
    assert value.abs().max() <= 1
    other, _ = net(spatial, -scalars)
    assert not torch.equal(logits, other), "the scalars take part"


def random_states(size: int, rng: random.Random, count: int) -> list[State]:
    """Positions of random games, most of them with a history; some have lost theirs."""
    config = GameConfig(board_size=size, max_moves=300, no_progress_limit=77)
    states: list[State] = []
    while len(states) < count:
        state = State(config)
        while state.outcome is None and len(states) < count:
            states.append(state if rng.random() < 0.9 else State.parse(state.text(), config))
            state = state.play(rng.choice(state.legal_actions()))
    return states


def packed(states: list[State], history_length: int = 4) -> NDArray[np.uint8]:
    return np.stack([_core.quoridor_net_features(state, history_length) for state in states])


@pytest.mark.parametrize("history_length", [1, 4, 8])
@pytest.mark.parametrize("size", [3, 5, 9])
def test_its_inputs_are_those_of_encode_state(
    size: int, history_length: int, rng: random.Random
) -> None:
    encoding = history_encoding(history_length)
    states = random_states(size, rng, 60)
    features = torch.from_numpy(packed(states, history_length))
    assert features.shape[1] == encoding.feature_bytes
    expander = Expander(encoding, size)
    planes, scalars = expander.inputs(features)
    legal = expander.legal(features)
    for i, state in enumerate(states):
        spatial, numbers = quoridor.encode_state(state, history_length)
        assert np.array_equal(planes[i].numpy(), spatial)
        assert np.array_equal(scalars[i].numpy(), numbers)
        mask = np.append(quoridor.get_action_mask(state, flipped=True), False)
        assert np.array_equal(legal[i].numpy(), mask[canvas_sources(size)])


def mirrored(state: State, moves: list[int]) -> State:
    for move in moves:
        state = state.play(quoridor.mirror_action(move, state.board_size))
    return state


@pytest.mark.parametrize("size", [3, 5, 9])  # where the start is its own mirror image
def test_the_mirror_turns_planes_and_policy(size: int, rng: random.Random) -> None:
    start = State(GameConfig(board_size=size))
    state, moves = start, list[int]()
    for _ in range(7):
        move = rng.choice(state.legal_actions())
        if state.play(move).outcome is not None:
            break
        state, moves = state.play(move), [*moves, move]
    plain, turned = Expander(FOUR, size), Expander(FOUR, size, symmetry=1)
    here = torch.from_numpy(packed([state]))
    there = torch.from_numpy(packed([mirrored(start, moves)]))
    assert torch.equal(turned.planes(here), plain.planes(there))
    order = FOUR.turn_policy(size, 1)
    assert torch.equal(plain.legal(here)[:, order], plain.legal(there))


def test_histories_of_other_lengths_are_rejected() -> None:
    for length in (0, 9):
        with pytest.raises(ConfigError, match=f"history_length .* from 1 to 8, got {length}"):
            history_encoding(length)
    with pytest.raises(ConfigError, match="history_length from 0"):
        _core.quoridor_net_features(State(), 9)


@pytest.fixture
def net() -> QuoridorNet:
    """A small network whose norms have seen something."""
    net = QuoridorNet(5, n_res_blocks=2, channels=16)
    shake_norms(net)
    return net.eval()


def canvas_outputs(net: QuoridorNet, features: NDArray[np.uint8]) -> tuple[Tensor, Tensor]:
    with torch.no_grad():
        inputs = Expander(FOUR, net.board_size).inputs(torch.from_numpy(features))
        logits, values, side = net.training_outputs(inputs)
    assert not side
    return logits, values


def test_logits_lie_on_the_canvas(net: QuoridorNet, rng: random.Random) -> None:
    states = random_states(5, rng, 20)
    logits, _ = canvas_outputs(net, packed(states))
    with torch.no_grad():
        inputs = Expander(FOUR, 5).inputs(torch.from_numpy(packed(states)))
        own, _ = net(*inputs)
    for action in range(57):
        kind, row, col = quoridor.decode_action(action, 5)
        there = quoridor.encode_action(kind, row, col, 9)
        assert torch.equal(own[:, action], logits[:, there])
    assert logits[:, canvas_sources(5) == 57].eq(0).all()


def test_folding_changes_nothing(net: QuoridorNet, rng: random.Random) -> None:
    features = packed(random_states(5, rng, 20))
    folded = FoldedQuoridorNet(net.state_dict(), torch.device("cpu"), torch.float32, FOUR)
    with torch.no_grad():
        found = folded(*Expander(FOUR, 5).inputs(torch.from_numpy(features)))
    for one, other in zip(found, canvas_outputs(net, features), strict=True):
        assert torch.allclose(one, other, atol=1e-4)


@pytest.mark.parametrize("half", [False, True])
def test_the_exported_network_computes_the_same(
    net: QuoridorNet, half: bool, tmp_path: Path, rng: random.Random
) -> None:
    path = tmp_path / "net.onnx"
    export_onnx(net.state_dict(), path, FOUR, half)
    features = packed(random_states(5, rng, 40))
    evaluator = OnnxEvaluator(path)
    assert (evaluator.encoding, evaluator.board_size) == (FOUR, 5)
    logits, values = evaluator(features)
    expected_logits, expected_values = canvas_outputs(net, features)
    tolerance = 0.05 if half else 1e-4
    assert np.abs(logits - expected_logits.numpy()).max() < tolerance
    assert np.abs(values - expected_values.numpy()).max() < tolerance


def test_eight_bits_say_nearly_the_same(
    net: QuoridorNet, tmp_path: Path, rng: random.Random
) -> None:
    exact, small = tmp_path / "exact.onnx", tmp_path / "small.onnx"
    export_onnx(net.state_dict(), exact, FOUR, False)
    quantize_onnx(exact, small, packed(random_states(5, rng, 200)), FOUR)
    features = packed(random_states(5, rng, 40))
    evaluator = OnnxEvaluator(small)
    assert (evaluator.encoding, evaluator.board_size) == (FOUR, 5), "the metadata stays"
    logits, values = OnnxEvaluator(exact)(features)
    small_logits, small_values = evaluator(features)
    assert 0 < np.abs(small_logits - logits).mean() < 0.1 * logits.std()
    assert np.abs(small_values - values).mean() < 0.05
    assert small.stat().st_size < 0.5 * exact.stat().st_size


def test_files_that_do_not_fit_are_rejected(net: QuoridorNet, tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"
    with pytest.raises(ConfigError, match="weights of a path_net, found no 'stem"):
        export_onnx(net.state_dict(), path, encoding=QUORIDOR)
    export_onnx(net.state_dict(), path, encoding=FOUR)
    with pytest.raises(ConfigError, match=r"network for reversi in .*, got one for quoridor"):
        OnnxEvaluator(path, game="reversi")
    model = onnx.load(path)
    for key, value, reason in [
        ("history_length", "many", "history_length to be a whole number"),
        ("history_length", "3", "reads 232 bytes a position, not 192"),
        ("network", "other", "unknown network 'other' for quoridor"),
    ]:
        known = {prop.key: prop.value for prop in model.metadata_props}
        changed = onnx.ModelProto.FromString(model.SerializeToString())
        onnx.helper.set_model_props(changed, known | {key: value})
        onnx.save(changed, path)
        with pytest.raises(ConfigError, match=reason):
            OnnxEvaluator(path)
