"""QuoridorNet in self-play, training, matches and play: it sees the moves of the game."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor

from plyground import _core, quoridor
from plyground.agents import ZeroAgent, make
from plyground.cli.main import main
from plyground.errors import ConfigError
from plyground.games.quoridor import expect_state
from plyground.nets.architecture import ARCHITECTURES
from plyground.nets.evaluator import OnnxEvaluator
from plyground.nets.export import export_onnx
from plyground.nets.features import Expander
from plyground.nets.network import PathNet
from plyground.nets.quoridor_encoding import QUORIDOR, history_encoding
from plyground.quoridor import GameConfig, State
from plyground.search import SearchLimits
from plyground.search.gumbel import GumbelSearch
from plyground.train.checkpoint import load_checkpoint, playing_weights
from plyground.train.config import TrainConfig
from plyground.train.ladder import NetPlayer, openings_for, play_pairs
from plyground.train.loop import train
from plyground.train.replay import Rows
from plyground.train.selfplay import CpuEvaluator, make_pool
from tests.train.stopping import MOST_S, after_steps

CONFIG = TrainConfig(
    network="quoridor_net",
    blocks=1,
    channels=8,
    games=32,
    threads=1,
    simulations=((0, 4),),
    batch_size=64,
    warmup_positions=64,
    replay_positions=2000,
    report_s=0.2,
    save_s=0.3,
    snapshot_s=0,
    device="cpu",
)
ENCODING = CONFIG.encoding


@pytest.fixture(scope="module")
def weights() -> dict[str, Tensor]:
    torch.set_num_threads(1)
    torch.manual_seed(1)
    return ARCHITECTURES[CONFIG.network].build(CONFIG.net_shape, ENCODING).eval().state_dict()


@pytest.fixture(scope="module")
def rows(weights: dict[str, Tensor]) -> Rows:
    """Positions of finished games that begin without random moves."""
    evaluator, pool = CpuEvaluator(CONFIG, weights), make_pool(CONFIG)
    pool.set("simulations", 4)
    pool.set("random_openings", 0)
    pool.set("heuristic_weight", 1)
    for half in range(2):
        pool.step(half, None, None, evaluator.features[half])
    while pool.stats()["waiting"] < 300:
        for half in range(2):
            evaluator.submit(half)
            pool.step(half, *evaluator.wait(half), evaluator.features[half])
    return pool.drain(1000)


def test_positions_of_self_play_carry_the_history(rows: Rows) -> None:
    planes, scalars = Expander(ENCODING, 3).inputs(torch.tensor(rows["features"]))
    state = expect_state(CONFIG.start)
    for i, ply in enumerate(rows["ply"]):
        if ply == 0:
            state = expect_state(CONFIG.start)
        spatial, numbers = quoridor.encode_state(state)
        assert np.array_equal(planes[i].numpy(), spatial)
        assert np.array_equal(scalars[i].numpy(), numbers)
        seen = _dense(int(rows["action"][i]))
        state = state.play(seen if state.current_player == 1 else quoridor.flip_action(seen, 3))


def _dense(action: int) -> int:
    return quoridor.encode_action(*quoridor.decode_action(action, 9), 3)


class Watching:
    """An evaluation without opinion that keeps the features it was given."""

    def __init__(self) -> None:
        self.seen: list[bytes] = []

    def __call__(
        self, features: NDArray[np.uint8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        self.seen += [row.tobytes() for row in features]
        count = len(features)
        return np.zeros((count, 209), np.float32), np.zeros(count, np.float32)


def played(*moves: str) -> State:
    state = State(GameConfig(board_size=5))
    for move in moves:
        state = state.play(move)
    return state


def features(state: State) -> bytes:
    return _core.quoridor_net_features(state, 4).tobytes()


def test_a_search_extends_the_history_along_its_moves() -> None:
    root, watching = played("c2", "c4", "b2h"), Watching()
    GumbelSearch(watching, batch=1, history_length=4).search(root, SearchLimits(simulations=60))
    children = [root.play(action) for action in root.legal_actions()]
    below = {features(child.play(reply)) for child in children for reply in child.legal_actions()}
    assert watching.seen[0] == features(root)
    assert set(watching.seen[1:]) <= below | {features(child) for child in children}
    assert len(set(watching.seen)) == len(watching.seen) > 50
    assert set(watching.seen) & below


def test_a_tree_is_kept_only_with_the_same_history() -> None:
    root = played("c2", "c4")
    for moves in [], ["a1h"]:
        for has_history in (True, False):
            watching = Watching()
            search = GumbelSearch(watching, batch=1, history_length=4)
            search.search(root, SearchLimits(simulations=200))
            watching.seen.clear()
            later = played("c2", "c4", *moves)
            if not has_history:
                later = State.parse(later.text(), later.config)
            search.search(later, SearchLimits(simulations=1))
            assert (features(later) in watching.seen) != has_history


def test_the_agent_plays_with_and_without_history(
    weights: dict[str, Tensor], tmp_path: Path
) -> None:
    path = tmp_path / "net.onnx"
    export_onnx(weights, path, encoding=ENCODING)
    agent = make(f"zero:sims=8,network={path}")
    assert isinstance(agent, ZeroAgent)
    state = expect_state(CONFIG.start).play("b2")
    bare = State.parse(state.text(), state.config)
    for each in (state, bare):
        assert agent.search(each).best_move in each.legal_actions()
        assert agent.rank(each)
    assert agent.cache_identity(state) != agent.cache_identity(bare), "they are evaluated apart"
    with pytest.raises(ConfigError, match="plays on boards of size 3 only, got one of size 9"):
        agent.search(State())


def test_two_kinds_of_networks_play_a_match(weights: dict[str, Tensor]) -> None:
    cpu = torch.device("cpu")
    path_net = replace(CONFIG, network="path_net", ladder_games=4)
    players = (
        NetPlayer(CONFIG, weights, cpu),
        NetPlayer(path_net, PathNet(QUORIDOR, 1, 8, 1).state_dict(), cpu),
    )
    openings = openings_for(path_net, random.Random(1))
    points = play_pairs(players, openings, (4, 4), ({"history_length": 4}, {}))
    assert len(points) == 2
    assert all(0 <= each <= 2 for each in points)
    assert (
        play_pairs((players[0],) * 2, openings, (4, 4), ({"history_length": 4},) * 2) == [1.0] * 2
    )


def test_a_run_learns_resumes_and_is_exported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyground.files.os.fsync", lambda number: None)  # a busy disk is slow
    run = tmp_path / "run"
    train(CONFIG, run, MOST_S, callbacks=[after_steps(6)])
    saved = load_checkpoint(run / "checkpoint.pt")
    assert saved["steps"] > 5
    shard = np.load(next((run / "replay").glob("*.npy")))
    assert shard["features"].shape[1] == ENCODING.feature_bytes
    train(CONFIG, run, MOST_S, resume=True, callbacks=[after_steps(1)])
    assert load_checkpoint(run / "checkpoint.pt")["steps"] > saved["steps"]
    _, config = playing_weights(run / "checkpoint.pt")
    assert (config.network, config.history_length) == ("quoridor_net", 4)
    out = tmp_path / "net.onnx"
    export = ["export", str(run / "checkpoint.pt"), "--out", str(out), "--positions", "64"]
    assert main(export) == 0
    evaluator = OnnxEvaluator(out)
    assert (evaluator.encoding, evaluator.board_size) == (history_encoding(4), 3)


@pytest.mark.parametrize(
    ("setting", "value"),
    [("network", "path_net"), ("history_length", 2), ("channels", 16), ("blocks", 2)],
)
def test_a_run_of_another_network_is_not_continued(
    setting: str, value: str | int, tmp_path: Path
) -> None:
    train(CONFIG, tmp_path, seconds=0)
    other = TrainConfig.of({**CONFIG.as_dict(), setting: value})
    with pytest.raises(ConfigError, match=f"expected a run with {setting} {value} in"):
        train(other, tmp_path, resume=True)
