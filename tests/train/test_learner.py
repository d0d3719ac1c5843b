"""Losses on known targets, and a learner that learns, averages and resumes."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from plyground.nets.features import Expander
from plyground.nets.network import NetOutputs, network_outputs
from plyground.nets.quoridor_encoding import QUORIDOR
from plyground.train.config import TrainConfig
from plyground.train.learner import Learner
from plyground.train.losses import Targets, standard_loss
from plyground.train.replay import Batch, ReplayBuffer, Rows
from plyground.train.selfplay import CpuEvaluator, make_pool

ACTIONS = QUORIDOR.actions
CONFIG = TrainConfig(games=32, threads=1, batch_size=64, channels=16, average_decay=0.9)


@pytest.fixture(scope="module")
def played() -> Rows:
    """Positions of finished 3x3 games, played by an untrained network."""
    torch.set_num_threads(1)
    torch.manual_seed(1)
    learner = Learner(CONFIG, ReplayBuffer(QUORIDOR, 4000, 1.0, torch.device("cpu")))
    evaluator = CpuEvaluator(CONFIG, learner.average.state_dict())
    pool = make_pool(CONFIG)
    pool.set("simulations", 4)
    pool.set("heuristic_weight", 1)
    for half in range(2):
        pool.step(half, None, None, evaluator.features[half])
    while pool.stats()["waiting"] < 1000:
        for half in range(2):
            evaluator.submit(half)
            pool.step(half, *evaluator.wait(half), evaluator.features[half])
    return pool.drain(1000)


@pytest.fixture
def learner(played: Rows) -> Learner:
    torch.manual_seed(1)
    replay = ReplayBuffer(QUORIDOR, 4000, 1.0, torch.device("cpu"))
    replay.add(played)
    return Learner(CONFIG, replay)


def one_row(outcome: float = 1.0, root_value: float = 1.0, margin: float = 0.0) -> Batch:
    policy = torch.zeros(1, ACTIONS, dtype=torch.float16)
    policy[0, :2] = 0.5
    return Batch(torch.zeros(1, 1), policy, torch.tensor([[outcome, root_value, margin, 0.0]]))


def test_loss_on_known_targets() -> None:
    legal = torch.zeros(1, ACTIONS, dtype=torch.bool)
    legal[0, :4] = True
    logits = torch.zeros(1, ACTIONS)
    logits[0, 100] = 50  # illegal: must not matter
    batch = one_row(outcome=1.0, root_value=0.2, margin=12.0)
    value, margin = torch.tensor([0.5]), torch.tensor([0.5])
    config = TrainConfig(root_value_share=0.25, margin_weight=0.2, value_weight=2.0)
    outputs = NetOutputs(logits, value, {"margin": margin})
    losses = standard_loss(config, outputs, Targets.of(batch, legal))
    total, policy, kl, squares, side = (loss.item() for loss in losses.values())
    assert policy == pytest.approx(math.log(4), abs=1e-3)
    assert kl == pytest.approx(math.log(2), abs=1e-3)
    assert squares == pytest.approx((0.75 * 1 + 0.25 * 0.2 - 0.5) ** 2)
    assert side == pytest.approx(0.5)  # 12 / 8 - 0.5 = 1, of which smooth L1 takes a half
    assert total == pytest.approx(policy + 2 * squares + 0.2 * side)


@pytest.mark.parametrize("piece_pooling", [False, True])
def test_a_compiled_network_learns_as_a_plain_one(
    played: Rows, monkeypatch: pytest.MonkeyPatch, piece_pooling: bool
) -> None:
    """`torch.compile` traces the whole network and changes neither losses nor gradients."""
    config = replace(CONFIG, boards=((3, 1), (4, 1)), piece_pooling=piece_pooling)
    found = []
    for outputs in (
        network_outputs,
        torch.compile(network_outputs, backend="aot_eager", fullgraph=True),
    ):
        monkeypatch.setattr("plyground.train.learner.network_outputs", outputs)
        torch.manual_seed(1)
        replay = ReplayBuffer(QUORIDOR, 4000, 1.0, torch.device("cpu"))
        replay.add(played)
        learner = Learner(config, replay)
        losses = learner.losses(replay.sample(64))
        losses["loss"].backward()
        gradients = [p.grad for p in learner.net.parameters() if p.grad is not None]
        found.append([*losses.values(), *gradients])
    for plain, compiled in zip(*found, strict=True):
        assert torch.allclose(plain, compiled, atol=1e-5)


def test_half_of_the_batch_is_mirrored_and_compared_as_it_was(
    learner: Learner, played: Rows
) -> None:
    """A batch of the same position twice: the halves differ in the network's view alone."""
    learner.net.eval()
    features = torch.from_numpy(np.repeat(played["features"][:1], 2, 0))
    policy = torch.from_numpy(np.repeat(played["policy"][:1], 2, 0))
    batch = Batch(features, policy, torch.zeros(2, 4))
    loss = learner.losses(batch)["policy_loss"]
    parts = []
    for view in learner.views:
        logits = learner.net(view.expander.planes(features[:1]))[0]
        logits = view.turn_back(logits, features[:1])
        legal = Expander(QUORIDOR, 3).legal(features[:1])
        chances = logits.masked_fill(~legal, -1e9).log_softmax(1)
        parts.append(-(policy[:1].float() * chances).sum())
    assert loss.item() == pytest.approx(torch.stack(parts).mean().item(), rel=1e-4)
    assert parts[0].item() != pytest.approx(parts[1].item(), rel=1e-6)


def test_it_learns(learner: Learner) -> None:
    for _ in range(10):
        learner.step(3e-3)
    before = learner.mean_losses()
    for _ in range(80):
        learner.step(3e-3)
    learner.mean_losses()
    for _ in range(10):
        learner.step(1e-3)
    after = learner.mean_losses()
    assert after["loss"] < before["loss"]
    assert after["policy_kl"] < 0.9 * before["policy_kl"]
    assert after["value_loss"] < 0.8 * before["value_loss"]
    assert after["margin_loss"] < 0.8 * before["margin_loss"]


def test_averages_follow_slowly(learner: Learner) -> None:
    start = learner.net.get_parameter("policy.weight").detach().clone()
    learner.step(1e-2)
    moved = learner.net.get_parameter("policy.weight").detach() - start
    followed = learner.average.get_parameter("policy.weight") - start
    assert torch.allclose(followed, 0.1 * moved, atol=1e-6)
    assert moved.abs().max() > 1e-3


def test_a_saved_learner_continues_as_the_original_would(learner: Learner, played: Rows) -> None:
    for _ in range(20):
        learner.step(3e-3)
    saved = learner.state()
    replay = ReplayBuffer(QUORIDOR, 4000, 1.0, torch.device("cpu"))
    replay.add(played)
    resumed = Learner(CONFIG, replay)
    resumed.load_state(saved)
    assert resumed.steps == 20
    start = learner.net.get_parameter("head.weight").detach().clone()
    for each in (learner, resumed):
        torch.manual_seed(7)
        each.step(3e-3)
    step, resumed_step = (
        each.net.get_parameter("head.weight").detach() - start for each in (learner, resumed)
    )
    # The moments are kept in bfloat16, so the steps agree to about a percent.
    assert (step - resumed_step).norm() < 0.03 * step.norm()
    for name, weight in learner.average.state_dict().items():
        other = resumed.average.state_dict()[name]
        assert torch.allclose(weight.float(), other.float(), rtol=2e-3, atol=1e-4), name


def test_a_standard_checkpoint_is_compact(tmp_path: Path) -> None:
    config = TrainConfig.load("configs/train/standard.yaml", ["device=cpu", "batch_size=2"])
    learner = Learner(config, ReplayBuffer(QUORIDOR, 4, 1.0, torch.device("cpu")))
    learner.optimizer.zero_grad()
    for parameter in learner.net.parameters():
        parameter.grad = torch.zeros_like(parameter)
    learner.optimizer.step()
    torch.save(learner.state(), tmp_path / "checkpoint.pt")
    torch.save(learner.playing_weights(), tmp_path / "play.pt")
    assert (tmp_path / "checkpoint.pt").stat().st_size < 12 * 2**20
    assert (tmp_path / "play.pt").stat().st_size < 3 * 2**20
