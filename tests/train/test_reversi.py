"""Training for Reversi: views, checkpoints, matches of snapshots, and a network that learns."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor

from plyground import _core
from plyground.errors import ConfigError
from plyground.nets.evaluator import OnnxEvaluator
from plyground.nets.export import export_onnx
from plyground.nets.network import NetOutputs, PathNet
from plyground.nets.reversi_encoding import REVERSI
from plyground.reversi import State
from plyground.search.gumbel import EvaluateBatch
from plyground.train.checkpoint import playing_weights, save_checkpoint
from plyground.train.config import TrainConfig
from plyground.train.ladder import LadderGame, NetPlayer, openings_for, play_pairs
from plyground.train.learner import Learner
from plyground.train.loop import CHECKPOINT, train
from plyground.train.losses import Targets, standard_loss
from plyground.train.replay import Batch, ReplayBuffer
from plyground.train.selfplay import play_positions
from plyground.train.shards import Shards

CPU = torch.device("cpu")
CONFIG = TrainConfig(game="reversi", games=32, threads=1, batch_size=64, blocks=1, channels=16)
MOST_SECONDS = 120
PART_SECONDS = 10


def weights(seed: int) -> dict[str, Tensor]:
    torch.manual_seed(seed)
    return PathNet(REVERSI, 1, 16, 1).state_dict()


def test_the_settings_name_the_game() -> None:
    assert (CONFIG.start, CONFIG.encoding, CONFIG.size) == (State(), REVERSI, 8)
    assert TrainConfig.of(CONFIG.as_dict()) == CONFIG
    with pytest.raises(ConfigError, match="unknown game 'revers'; did you mean 'reversi'"):
        TrainConfig(game="revers")


def test_each_part_of_a_batch_is_turned_by_its_own_symmetry() -> None:
    """A batch of one position eight times: its loss is the mean over the eight views of it."""
    learner = Learner(CONFIG, ReplayBuffer(REVERSI, 100, 1.0, CPU))
    learner.net.eval()
    features = torch.from_numpy(play_positions(CONFIG, weights(1), 20)[9:10].repeat(8, 0))
    legal = learner.legal(features)
    policy = (legal * torch.arange(1, 66)).half()
    batch = Batch(features, policy / policy.sum(1, keepdim=True), torch.zeros(8, 4))
    losses = []
    for view in learner.views:
        logits, value, margin = learner.net(view.expander.planes(features))
        outputs = NetOutputs(view.turn_back(logits, features), value, {"margin": margin})
        parts = standard_loss(CONFIG, outputs, Targets.of(batch, legal))
        losses.append(parts["policy_loss"].item())
    assert len(losses) == 8
    assert learner.losses(batch)["policy_loss"].item() == pytest.approx(np.mean(losses), rel=1e-4)
    assert np.ptp(losses) > 1e-4, "the views differ"


def test_the_replay_goes_to_the_disk_and_back(tmp_path: Path) -> None:
    rows: dict[str, NDArray[np.generic]] = {
        "features": np.arange(3 * 56, dtype=np.uint8).reshape(3, 56),
        "policy": np.eye(3, 65, dtype=np.float16),
        **dict.fromkeys(("outcome", "root_value", "margin", "surprise"), np.ones(3, np.float32)),
    }
    shards = Shards(REVERSI, tmp_path / "replay", 8)
    shards.add(rows)
    shards.close()
    replay = ReplayBuffer(REVERSI, 8, 1.0, CPU)
    shards.load(replay)
    np.testing.assert_array_equal(replay.ring.features[:3], rows["features"])
    np.testing.assert_array_equal(replay.ring.policy[:3], rows["policy"])


def test_a_network_against_itself_splits_every_pair() -> None:
    config = TrainConfig(game="reversi", blocks=1, channels=16, ladder_games=12)
    openings = openings_for(config, random.Random(1))
    assert len(openings) == 6
    player = NetPlayer(config, weights(1), CPU)
    assert play_pairs((player, player), openings, simulations=(2, 2)) == [1.0] * 6


def test_points_go_to_the_network_whose_discs_won() -> None:
    """The last mover may be the one who lost: the points follow the discs."""
    start = State.parse("OX" + "-" * 62 + " X")  # black passes and is wiped out
    for first in (0, 1):
        game = LadderGame(start, first, simulations=(4, 4))
        while not game.is_over:
            if (features := game.leaves()) is not None:
                silent = np.zeros((len(features), 65), np.float32)
                game.tree.expand(silent, np.zeros(len(features), np.float32))
        assert game.winner == 1 - first


def test_a_run_of_another_game_is_not_continued(tmp_path: Path) -> None:
    content = dict.fromkeys(CHECKPOINT) | {"config": TrainConfig().as_dict()}
    save_checkpoint(tmp_path / "checkpoint.pt", content)
    with pytest.raises(ConfigError, match=r"expected a run with game reversi in .*, got quoridor"):
        train(CONFIG, tmp_path, seconds=1, resume=True)


def wins_without_search(evaluate: EvaluateBatch, games: int, rng: random.Random) -> float:
    """What the policy's best moves, unsearched, score against random ones: untrained, half."""
    points = 0.0
    for number in range(games):
        state, mine = State(), 1 + number % 2
        while not state.game_over:
            legal = state.legal_actions()
            if state.current_player == mine:
                logits, _ = evaluate(_core.reversi_net_features(state)[None])
                state = state.play(max(legal, key=lambda action: logits[0, action]))
            else:
                state = state.play(rng.choice(legal))
        points += {None: 0.5, mine: 1.0}.get(state.winner, 0.0)
    return points / games


def test_a_short_training_beats_random_play_without_search(
    tmp_path: Path, rng: random.Random
) -> None:
    settings = ["games=64", "simulations=8", "channels=16", "blocks=1", "warmup_positions=1000"]
    settings += ["batch_size=128", "report_s=5", "heuristic_weight=0.5", "learning_rate=0.004"]
    config = TrainConfig.load("configs/train/reversi-tiny.yaml", settings)
    share = 0.0
    for start in range(0, MOST_SECONDS, PART_SECONDS):
        train(config, tmp_path, PART_SECONDS, resume=start > 0)
        state, trained = playing_weights(tmp_path / "checkpoint.pt")
        assert trained == config
        export_onnx(state, tmp_path / "net.onnx", encoding=config.encoding)
        evaluate = OnnxEvaluator(tmp_path / "net.onnx", game="reversi")
        share = wins_without_search(evaluate, 60, rng)
        print(f"{start + PART_SECONDS} s: {share:.0%}")
        if share >= 0.85:
            return
    raise AssertionError(f"only {share:.0%} against random play after {MOST_SECONDS} s")
