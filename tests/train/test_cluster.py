"""Training on a Ray cluster: a real one, of two nodes, one of which is killed."""

from __future__ import annotations

import csv
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor

from plyground import __version__
from plyground.cli.main import main
from plyground.cluster import Cluster, WorkerResources, capacity
from plyground.errors import ConfigError
from plyground.nets.network import FoldedNet, PathNet
from plyground.nets.quoridor_encoding import QUORIDOR
from plyground.train.checkpoint import load_checkpoint
from plyground.train.cluster import Arrays, RaySelfPlay, SelfPlayWorker, share_of
from plyground.train.config import TrainConfig
from plyground.train.selfplay import CpuEvaluator

# Ray's own warnings are not ours to mend.
pytestmark = pytest.mark.filterwarnings("default")

SETTINGS = {
    "games": 32,
    "threads": 1,
    "simulations": 4,
    "blocks": 1,
    "channels": 8,
    "batch_size": 64,
    "warmup_positions": 64,
    "replay_positions": 500_000,
    # Every ply is then a row, so that the workers' own counts say how many rows there must be.
    "random_openings": 0.0,
    "report_s": 0.5,
    "refresh_s": 0.5,
    "seconds": 600,
    "device": "cpu",
}
CONFIG = TrainConfig.of(SETTINGS)


class RayNodes(Protocol):
    """The fixture `nodes`: a cluster with a node that can be killed."""

    @property
    def address(self) -> str: ...

    def kill(self) -> None: ...

    def add(self) -> None: ...


LONG_S = 120


def weights(seed: int = 0) -> dict[str, Tensor]:
    torch.manual_seed(seed)
    return PathNet(QUORIDOR, CONFIG.blocks, CONFIG.channels, CONFIG.pooled_blocks).state_dict()


def arrays(seed: int = 0) -> Arrays:
    return {name: weight.numpy() for name, weight in weights(seed).items()}


def wait_for(
    condition: Callable[[], object], act: Callable[[], object] = lambda: time.sleep(0.05)
) -> None:
    deadline = time.monotonic() + LONG_S
    while not condition():
        assert time.monotonic() < deadline, "it took too long"
        act()


def test_a_lost_worker_is_replaced_and_no_row_counts_twice(
    nodes: RayNodes, capsys: pytest.CaptureFixture[str]
) -> None:
    players = RaySelfPlay(CONFIG, weights(), Cluster(2, nodes.address))
    assert "2 workers of 1 CPUs and 0 GPUs, room for 2 now" in capsys.readouterr().err
    players.set("simulations", 4)
    rows = 0
    answered: set[int] = set()
    seen = [players.stats()]

    def play() -> None:
        nonlocal rows
        players.step()
        answered.update(number for number, new in players.arrived if len(new["outcome"]))
        new = players.drain()
        assert len({len(column) for column in new.values()}) == 1
        rows += len(new["outcome"])
        seen.append(players.stats())
        assert rows == seen[-1]["plies"]

    try:
        wait_for(lambda: answered == {0, 1}, play)
        nodes.kill()
        wait_for(lambda: len(players.pool.workers.keys() & {0, 1}) == 1, play)
        lost = ({0, 1} - players.pool.workers.keys()).pop()
        # There is no room for another, and the one that is left plays on.
        before = rows
        wait_for(lambda: rows > before + 1000, play)
        assert answered == {0, 1}
        assert players.pool.workers.keys() == {0, 1, 2} - {lost}
        nodes.add()
        wait_for(lambda: 2 in answered, play)
    finally:
        players.close()
    rows += len(players.drain()["outcome"])
    assert rows == players.stats()["plies"]
    for name in ("games", "plies", "evaluations", "growing_s"):
        values = [stats[name] for stats in seen]
        assert values == sorted(values), name
    assert f"lost worker {lost}, starting another" in capsys.readouterr().err
    assert len(players.drain()["outcome"]) == 0


def test_a_run_goes_on_when_a_node_is_killed(nodes: RayNodes, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "plyground", "train", "--out", str(tmp_path)]
    command += [word for key, value in SETTINGS.items() for word in ("--set", f"{key}={value}")]
    command += ["--backend", "ray", "--workers", "2", "--address", nodes.address]
    errors = tmp_path / "errors.txt"

    def metrics() -> list[dict[str, str]]:
        path = tmp_path / "metrics.csv"
        with path.open(newline="") if path.exists() else errors.open() as file:
            return [row for row in csv.DictReader(file) if row.get("simulations")]

    with errors.open("w") as file, subprocess.Popen(command, stderr=file) as run:

        def wait_for_steps(number: float) -> None:
            wait_for(lambda: (rows := metrics()) and float(rows[-1]["steps"]) >= number)

        wait_for_steps(20)
        nodes.kill()
        wait_for(lambda: "lost worker" in errors.read_text())
        wait_for_steps(float(metrics()[-1]["steps"]) + 100)
        run.terminate()
        assert run.wait(LONG_S) == 0, errors.read_text()
    saved = load_checkpoint(tmp_path / "checkpoint.pt")
    rows = metrics()
    assert saved["steps"] >= float(rows[-1]["steps"])
    assert float(rows[-1]["loss"]) < float(next(row["loss"] for row in rows if row["loss"] != "0"))
    # All that was taken in was stored once, and learned from no more than the settings say.
    stored = sum(len(np.load(path)) for path in (tmp_path / "replay").glob("*.npy"))
    assert stored == saved["positions"] < CONFIG.replay_positions
    assert saved["steps"] <= stored * CONFIG.uses_per_position / CONFIG.batch_size


def test_a_worker_plays_rounds_with_the_weights_it_is_given() -> None:
    worker = SelfPlayWorker(CONFIG.as_dict(), __version__, on_gpu=False, seed=0)
    total, played = 0, 0.0
    editions = [0, 0, 1]
    while editions:
        edition = editions.pop(0)
        rows, counts = worker.play(0.2, edition, arrays(edition), {"simulations": 2})
        total += len(rows["outcome"])
        played += counts["plies"]
        assert played == total
        if not total:  # a busy machine has not come far yet
            editions.insert(0, edition)
    assert worker.players is not None
    assert isinstance(worker.players.evaluator, CpuEvaluator)
    assert isinstance(worker.players.evaluator.net, FoldedNet)
    loaded = worker.players.evaluator.net.weights["policy.weight"]
    assert torch.equal(loaded, weights(1)["policy.weight"])


def test_workers_play_different_games() -> None:
    def first_rows(seed: int) -> NDArray[np.generic]:
        worker = SelfPlayWorker(CONFIG.as_dict(), __version__, on_gpu=False, seed=seed)
        while True:
            rows, _ = worker.play(0.1, 0, arrays(), {})
            if len(rows["policy"]):
                return rows["policy"]

    first, second = first_rows(0), first_rows(1 << 40)
    count = min(len(first), len(second), 100)
    assert not np.array_equal(first[:count], second[:count])


def test_another_version_elsewhere_is_one_line() -> None:
    worker = SelfPlayWorker(CONFIG.as_dict(), "0.0.0", on_gpu=False, seed=0)
    with pytest.raises(ConfigError, match=r"expected plyground 0\.0\.0 on every machine"):
        worker.play(0.1, 0, arrays(), {})


@pytest.mark.parametrize(
    ("settings", "machines", "share", "room"),
    [
        ({"threads": 1, "device": "cpu"}, [{"CPU": 2.0}], WorkerResources(1, 0), 2),
        ({"threads": 0}, [{"CPU": 2.0}, {"CPU": 4.0}], WorkerResources(1, 0), 6),
        ({"threads": 3}, [{"CPU": 2.0}, {"CPU": 7.0}], WorkerResources(3, 0), 2),
        ({"threads": 0}, [{"CPU": 16.0, "GPU": 2.0}, {"CPU": 2.0}], WorkerResources(8, 1), 2),
        ({"threads": 4}, [{"CPU": 16.0, "GPU": 2.0}], WorkerResources(4, 1), 2),
        ({"device": "cpu"}, [{"CPU": 16.0, "GPU": 2.0}], WorkerResources(1, 0), 16),
        (
            {"threads": 0, "device": "cuda"},
            [{"CPU": 1.0, "GPU": 2.0}, {}],
            WorkerResources(1, 1),
            1,
        ),
    ],
)
def test_what_a_worker_takes(
    settings: dict[str, object], machines: list[dict[str, float]], share: WorkerResources, room: int
) -> None:
    assert share_of(TrainConfig.of(settings), machines) == share
    assert capacity(share, machines) == room


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"device": "cuda"}, "expected a cluster with GPUs for device cuda, found none"),
        ({"threads": 3}, "expected a machine with 3 CPUs and 0 GPUs .* set threads to 2 or less"),
    ],
)
def test_clusters_that_cannot_work(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        share_of(TrainConfig.of(settings), [{"CPU": 2.0}, {"CPU": 1.0}])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--workers", "2"], "--workers and --address need --backend ray"),
        (["--backend", "ray", "--workers", "0"], "from 1 to 10000, got '0'"),
        (["--backend", "ray", "--address", "here"], "expected the address of a Ray cluster"),
        (["--backend", "ray", "--address", "127.0.0.1:1"], "cannot reach a Ray cluster at 127"),
    ],
)
def test_mistakes_at_the_command_line(
    options: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "--out", str(tmp_path), *options]) == 2
    errors = capsys.readouterr().err
    assert message in errors
    assert errors.count("\n") == 1


def test_without_ray_it_says_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert main(["train", "--out", str(tmp_path), "--backend", "ray"]) == 2
    assert "--backend ray needs Ray: pip install 'plyground[ray]'" in capsys.readouterr().err
