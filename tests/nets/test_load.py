"""`plyground.nets.load`: a state in, a policy over its legal actions and a value out."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

import plyground.nets
from plyground import quoridor, reversi
from plyground.agents import ZeroAgent
from plyground.analysis.policy import network_policy
from plyground.errors import ConfigError
from plyground.games.base import State
from plyground.games.quoridor import expect_state
from plyground.nets import load, load_torch
from plyground.nets.architecture import ARCHITECTURES
from plyground.nets.export import export_onnx
from plyground.nets.network import PathNet
from plyground.nets.quoridor_encoding import QUORIDOR
from plyground.nets.reversi_encoding import REVERSI
from plyground.search import SearchLimits
from plyground.search.gumbel import GumbelSearch
from plyground.train.checkpoint import save_checkpoint
from plyground.train.config import TrainConfig
from tests.nets.conftest import shake_norms

OWN = {
    "path_net": TrainConfig(board_size=5, blocks=1, channels=8),
    "quoridor_net": TrainConfig(board_size=5, blocks=1, channels=8, network="quoridor_net"),
    "reversi": TrainConfig(game="reversi", blocks=1, channels=8),
}


def random_states(start: State, rng: random.Random, count: int) -> list[State]:
    """Unfinished positions of random games, with both players to move."""
    found: list[State] = []
    state = start
    while len(found) < count:
        state = start if state.outcome is not None else state
        found.append(state)
        state = state.play(rng.choice(state.legal_actions()))
    return found


def board(size: int) -> quoridor.State:
    return quoridor.State(quoridor.GameConfig(board_size=size))


def checkpoint(config: TrainConfig, folder: Path) -> Path:
    """A checkpoint of an untrained network, and the same network as float32.onnx beside it."""
    torch.manual_seed(1)
    net = ARCHITECTURES[config.network].build(config.net_shape, config.encoding).eval()
    shake_norms(net)
    if isinstance(net, PathNet):
        torch.nn.init.normal_(net.outcome.weight, std=0.2)
    weights = {
        name: weight.half()
        for name, weight in net.state_dict().items()
        if weight.is_floating_point()
    }
    save_checkpoint(folder / "run.pt", {"config": config.as_dict(), "average": weights})
    export_onnx(weights, folder / "float32.onnx", encoding=config.encoding, half=False)
    return folder / "run.pt"


@pytest.mark.parametrize("size", [5, 9])
def test_the_policy_is_the_one_that_the_search_starts_from(size: int, rng: random.Random) -> None:
    net, agent = load("builtin"), ZeroAgent(sims=1, precise=True)
    for state in random_states(board(size), rng, 12):
        policy, value = net(state)
        assert policy == pytest.approx(network_policy(agent, state), abs=1e-3)
        assert list(policy) == state.legal_actions()
        assert sum(policy.values()) == pytest.approx(1)
        assert -1 <= value <= 1


def test_reversi_is_evaluated_as_in_the_search(reversi_network: Path, rng: random.Random) -> None:
    net, evaluator = load(reversi_network), plyground.nets.OnnxEvaluator(reversi_network)
    for state in random_states(reversi.State(), rng, 20):
        policy, _ = net(state)
        search = GumbelSearch(evaluator)
        search.search(state, SearchLimits(simulations=1))
        weights = {move["action"]: np.exp(move["logit"]) for move in search.moves()}
        total = sum(weights.values())
        expected = {action: weight / total for action, weight in weights.items()}
        assert policy == pytest.approx(expected, abs=1e-3)


def test_a_value_is_of_the_player_to_move() -> None:
    net = load("builtin")
    ahead, behind = (quoridor.State.parse(f"9 e7/c8 - 3/3 {player} 8 8") for player in (1, 2))
    assert net(ahead).value > 0.5
    assert net(behind).value < -0.5


def test_a_batch_may_mix_boards_and_keeps_the_order(rng: random.Random) -> None:
    net = load("builtin")
    states = [*random_states(board(9), rng, 3), *random_states(board(5), rng, 3)]
    rng.shuffle(states)
    for one, other in zip(net.batch(iter(states)), map(net, states), strict=True):
        assert one.policy == pytest.approx(other.policy, abs=1e-4)
        assert one.value == pytest.approx(other.value, abs=1e-4)
    assert net.batch([]) == []


@pytest.mark.parametrize("kind", OWN)
def test_a_checkpoint_says_what_its_onnx_file_says(
    kind: str, tmp_path: Path, rng: random.Random
) -> None:
    config = OWN[kind]
    path = checkpoint(config, tmp_path)
    states = random_states(config.start, rng, 16)
    exact = load(tmp_path / "float32.onnx").batch(states)
    for one, other in zip(load(str(path)).batch(states), exact, strict=True):
        assert one.policy == pytest.approx(other.policy, abs=1e-4)
        assert one.value == pytest.approx(other.value, abs=1e-4)


@pytest.mark.parametrize("kind", OWN)
def test_a_module_reads_the_features(kind: str, tmp_path: Path, rng: random.Random) -> None:
    path = checkpoint(OWN[kind], tmp_path)
    net, module = load(path), load_torch(path)
    assert not module.training
    for state in random_states(OWN[kind].start, rng, 4):
        planes, scalars = net.features(state)
        inputs = [torch.from_numpy(part)[None] for part in (planes, scalars) if part.size]
        with torch.inference_mode():
            value = module(*inputs)[1]
        assert value.item() == pytest.approx(net(state).value, abs=1e-5)


def test_the_features_are_the_planes_of_the_game(tmp_path: Path, rng: random.Random) -> None:
    net = load("builtin")
    with_history = load(checkpoint(OWN["quoridor_net"], tmp_path))
    for state in random_states(board(5), rng, 6):
        planes, scalars = net.features(state)
        assert np.array_equal(planes, state.game.planes(state))
        assert scalars.shape == (0,)
        spatial, numbers = quoridor.encode_state(expect_state(state))
        seen = with_history.features(state)
        assert np.allclose(seen.planes, spatial)
        assert np.allclose(seen.scalars, numbers)


def test_other_sources_and_states_are_plain_errors(tmp_path: Path, reversi_network: Path) -> None:
    path = checkpoint(OWN["quoridor_net"], tmp_path)
    broken = tmp_path / "text.pt"
    broken.write_text("nothing")
    expected: list[tuple[Callable[[], object], str]] = [
        (
            lambda: load("built-in"),
            "expected 'builtin', FILE.npz, FILE.onnx or FILE.pt as the source",
        ),
        (lambda: load("builtin", network=PathNet(QUORIDOR)), "expected a checkpoint, FILE.pt, as"),
        (lambda: load(tmp_path / "none.onnx"), "cannot read the network .*No such file"),
        (lambda: load(tmp_path / "none.pt"), "cannot read .*none.pt: No such file"),
        (lambda: load(broken), "text.pt: not a checkpoint"),
        (lambda: load_torch(broken), "text.pt: not a checkpoint"),
        (lambda: load("builtin")(reversi.State()), "no network for reversi comes with"),
        (lambda: load(reversi_network)(quoridor.State()), "a state of reversi .* of quoridor"),
        (lambda: load(path)(quoridor.State()), "boards of size 5 only, got one of size 9"),
        (lambda: load(path).features(quoridor.State()), "boards of size 5 only, got one of size"),
    ]
    for call, message in expected:
        with pytest.raises(ConfigError, match=message):
            call()
    over = board(3).play("b2").play("a3").play("b3")
    with pytest.raises(ConfigError, match=r"has no policy for '3 .*': the game is over"):
        load("builtin")(over)


@pytest.mark.parametrize(
    "settings",
    [
        7,
        {},
        {"blocks": 1, "channels": 8},
        {"board_size": 5, "blocks": "1", "channels": 8},
        {"board_size": 50, "blocks": 1, "channels": 8},
        {"game": "go", "board_size": 5, "blocks": 1, "channels": 8},
        {"network": "mine", "board_size": 5, "blocks": 1, "channels": 8},
        {"board_size": 5, "blocks": 2, "channels": 8},
    ],
)
def test_a_checkpoint_with_other_settings_is_a_plain_error(
    settings: object, tmp_path: Path
) -> None:
    weights = {"stem.weight": torch.zeros(1)}
    save_checkpoint(tmp_path / "run.pt", {"config": settings, "average": weights})
    with pytest.raises(ConfigError, match=r"run\.pt"):
        load(tmp_path / "run.pt")


def test_weights_load_into_a_module_of_the_same_shape(tmp_path: Path) -> None:
    path = checkpoint(OWN["reversi"], tmp_path)
    own = PathNet(REVERSI, 1, 8, 1)
    assert load_torch(path, own) is own
    state = reversi.State()
    assert load(path, network=own)(state).value == pytest.approx(load(path)(state).value)
    with pytest.raises(ConfigError, match=r"expected the weights of a PathNet in .*run\.pt"):
        load(path, network=PathNet(REVERSI, 2, 8, 1))


WITHOUT_TORCH = """
import sys
sys.modules["torch"] = None
from importlib.util import find_spec
import importlib.util
importlib.util.find_spec = lambda name, package=None: None if name == "torch" else find_spec(name)
from plyground import nets, quoridor, train
assert train.TrainConfig().channels
assert nets.load("builtin")(quoridor.State()).policy
for use in (
    lambda: nets.PathNet,
    lambda: train.train,
    lambda: __import__("plyground.nets.network"),
    lambda: __import__("plyground.train.loop"),
    lambda: nets.load("run.pt"),
    lambda: nets.load_torch("run.pt"),
):
    try:
        use()
    except (ImportError, ValueError) as error:
        print(error)
"""


def test_without_torch_only_checkpoints_fail_and_name_the_extra() -> None:
    run = [sys.executable, "-c", WITHOUT_TORCH]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert len(lines) == 6
    assert all(line.endswith("torch: pip install 'plyground[train]'") for line in lines)


def test_importing_the_package_imports_no_heavy_library() -> None:
    code = "import sys, plyground.nets; print({'torch', 'onnxruntime', 'numpy'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
