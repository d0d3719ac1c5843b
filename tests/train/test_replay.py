"""The replay: a ring in memory, shards on disk."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
import torch

from plyground.nets.quoridor_encoding import QUORIDOR
from plyground.train.replay import ReplayBuffer, Rows
from plyground.train.shards import Shards, row_type

CPU = torch.device("cpu")
ACTIONS = QUORIDOR.actions


def rows(count: Iterable[int]) -> Rows:
    """Positions that can be told apart: each carries its number."""
    numbers = np.asarray(list(count))
    features = np.zeros((len(numbers), QUORIDOR.feature_bytes), np.uint8)
    features[:, 0], features[:, 1] = numbers % 256, numbers // 256
    policy = np.zeros((len(numbers), ACTIONS), np.float16)
    policy[np.arange(len(numbers)), numbers % ACTIONS] = 1
    return {
        "features": features,
        "policy": policy,
        "outcome": numbers.astype(np.float32),
        "root_value": numbers.astype(np.float32) / 2,
        "margin": -numbers.astype(np.float32),
        "surprise": numbers.astype(np.float32),
        "game": numbers.astype(np.int32),
    }


def sampled(replay: ReplayBuffer, batch_size: int = 4000) -> set[int]:
    """The numbers of a sample, after checking that each row is whole."""
    torch.manual_seed(1)
    batch = replay.sample(batch_size)
    numbers = batch.targets[:, 0].long()
    assert torch.equal(batch.features[:, 0] + 256 * batch.features[:, 1].long(), numbers)
    assert torch.equal(batch.policy.argmax(1), numbers % ACTIONS)
    assert torch.equal(batch.targets[:, 1], numbers / 2)
    assert torch.equal(batch.targets[:, 2], -numbers.float())
    return set(numbers.tolist())


def test_the_newest_positions_are_kept() -> None:
    replay = ReplayBuffer(QUORIDOR, 100, 1.0, CPU)
    replay.add(rows(range(60)))
    assert (len(replay), sampled(replay)) == (60, set(range(60)))
    replay.add(rows(range(60, 130)))
    assert (len(replay), sampled(replay)) == (100, set(range(30, 130)))
    replay.add(rows(range(130, 480)))
    assert (len(replay), sampled(replay)) == (100, set(range(380, 480)))


def test_early_positions_leave_the_window_before_the_replay_is_full() -> None:
    replay = ReplayBuffer(QUORIDOR, 100, 0.5, CPU)
    replay.add(rows(range(60)))
    assert sampled(replay) == set(range(30, 60))
    replay.add(rows(range(60, 150)))
    assert sampled(replay) == set(range(75, 150))
    replay.add(rows(range(150, 300)))
    assert sampled(replay) == set(range(200, 300))


def test_sampling_is_even() -> None:
    replay = ReplayBuffer(QUORIDOR, 10, 1.0, CPU)
    replay.add(rows(range(25)))
    torch.manual_seed(1)
    counts = replay.sample(10_000).targets[:, 0].long().bincount(minlength=25)[15:]
    assert counts.min() > 850
    assert counts.max() < 1150


def test_shards_fill_a_new_replay(tmp_path: Path) -> None:
    shards = Shards(QUORIDOR, tmp_path / "replay", capacity=80)
    for first in range(0, 200, 7):
        shards.add(rows(range(first, min(200, first + 7))))
    shards.close()
    again = Shards(QUORIDOR, tmp_path / "replay", capacity=80)
    replay = ReplayBuffer(QUORIDOR, 80, 1.0, CPU)
    again.load(replay)
    again.close()
    assert sampled(replay) == set(range(120, 200))
    kept = sum(path.stat().st_size // row_type(QUORIDOR).itemsize for path in again.paths())
    assert 80 <= kept <= 120, "old files are deleted"


def test_shards_of_a_resumed_run_come_after_those_before(tmp_path: Path) -> None:
    for part in (range(30), range(30, 60)):
        shards = Shards(QUORIDOR, tmp_path / "replay", capacity=80)
        shards.add(rows(part))
        shards.close()
    assert [path.stem for path in shards.paths()] == sorted(path.stem for path in shards.paths())
    replay = ReplayBuffer(QUORIDOR, 40, 1.0, CPU)
    shards.load(replay)
    assert sampled(replay) == set(range(20, 60))


def test_a_disk_that_refuses_is_noticed(tmp_path: Path) -> None:
    shards = Shards(QUORIDOR, tmp_path / "replay", capacity=8)
    (tmp_path / "replay").rmdir()
    shards.add(rows(range(8)))
    with pytest.raises(FileNotFoundError):
        shards.close()
