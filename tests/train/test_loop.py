"""Whole runs on the smallest board: they learn, stop, resume, and survive being killed."""

from __future__ import annotations

import csv
import errno
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pytest
import torch

from plyground.cli.main import main
from plyground.cluster import Cluster
from plyground.errors import ConfigError
from plyground.files import remove_temporary_files, try_lock
from plyground.nets.quoridor_encoding import QUORIDOR
from plyground.train.checkpoint import load_checkpoint, playing_weights, save_checkpoint
from plyground.train.config import TrainConfig
from plyground.train.loop import Training, train
from plyground.train.players import LocalSelfPlay
from tests.train.stopping import MOST_S, StopWhen
from tests.waiting import wait_until

SETTINGS = {
    "games": 32,
    "threads": 1,
    "simulations": 4,
    "channels": 8,
    "batch_size": 64,
    "warmup_positions": 64,
    "replay_positions": 2000,
    "report_s": 0.2,
    "save_s": 0.3,
    "refresh_s": 0.2,
    "snapshot_s": 0.5,
    "device": "cpu",
}
CONFIG = TrainConfig.of(SETTINGS)
ARGUMENTS = [word for key, value in SETTINGS.items() for word in ("--set", f"{key}={value}")]


def metrics(folder: Path) -> list[dict[str, float]]:
    with (folder / "metrics.csv").open(newline="") as file:
        return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]


@pytest.fixture
def quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs of a second or two should not be spent waiting for a busy disk."""
    monkeypatch.setattr("plyground.files.os.fsync", lambda number: None)


@pytest.mark.usefixtures("quick_disk")
def test_a_run_learns_stops_and_resumes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def is_enough(run: Training, row: Mapping[str, float]) -> bool:
        has_snapshot = any(tmp_path.glob("snapshot-*.pt"))
        return has_snapshot and row["steps"] > 10 and row["games"] > 30 and row["loss"] > 0

    train(CONFIG, tmp_path, MOST_S, callbacks=[StopWhen(is_enough)])
    rows = metrics(tmp_path)
    assert rows[-1]["steps"] > 10
    assert rows[-1]["loss"] > rows[-1]["policy_loss"] > rows[-1]["policy_kl"] > 0
    assert rows[-1]["games"] > 30
    assert all(0 <= row["draw_share"] <= 1 and row["mean_plies"] >= 0 for row in rows)
    assert "games/s" in capsys.readouterr().err
    saved = load_checkpoint(tmp_path / "checkpoint.pt")
    assert saved["elapsed_s"] >= rows[-1]["elapsed_s"]
    snapshots = sorted(tmp_path.glob("snapshot-*.pt"))
    weights, config = playing_weights(snapshots[-1])
    assert config == CONFIG
    assert weights["stem.weight"].shape == (8, 32, 3, 3)

    def is_further(run: Training, row: Mapping[str, float]) -> bool:
        return all(row[name] > saved[name] for name in ("steps", "positions", "games"))

    train(CONFIG, tmp_path, MOST_S, resume=True, callbacks=[StopWhen(is_further)])
    resumed = load_checkpoint(tmp_path / "checkpoint.pt")
    assert resumed["elapsed_s"] > saved["elapsed_s"]
    assert resumed["steps"] > saved["steps"]
    assert resumed["positions"] > saved["positions"]
    assert resumed["games"] > saved["games"]
    times = [row["elapsed_s"] for row in metrics(tmp_path)]
    assert times == sorted(times)
    assert times[-1] > saved["elapsed_s"]
    # The replay came back with the rest: what was played before is sampled from at once.
    after = [row for row in metrics(tmp_path) if row["elapsed_s"] > saved["elapsed_s"]]
    before = min(CONFIG.window_share * saved["positions"], CONFIG.replay_positions)
    assert after[0]["window"] >= before - 1
    # Nor does what was learned before count as if it had been learned just now.
    learned = (after[0]["steps"] - saved["steps"]) * CONFIG.batch_size
    assert after[0]["samples_per_s"] <= learned / CONFIG.report_s


@pytest.mark.usefixtures("quick_disk")
def test_a_run_ends_when_its_time_is_over(tmp_path: Path) -> None:
    config = TrainConfig.of(SETTINGS | {"seconds": 0.5, "save_replay": False})
    train(config, tmp_path)
    elapsed = load_checkpoint(tmp_path / "checkpoint.pt")["elapsed_s"]
    assert 0.5 <= elapsed < 30
    assert not (tmp_path / "replay").exists()
    train(config, tmp_path, resume=True)
    assert load_checkpoint(tmp_path / "checkpoint.pt")["elapsed_s"] < elapsed + 0.5


@pytest.mark.parametrize(
    "error",
    [MemoryError(), RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to")],
)
def test_a_run_beyond_the_memory_is_refused(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise error

    monkeypatch.setattr("plyground.train.loop.ReplayBuffer", full)
    with pytest.raises(ConfigError, match=r"not enough memory for .* replay_positions=2000"):
        train(CONFIG, tmp_path)


def test_a_run_is_not_overwritten_and_not_invented(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "--out", str(tmp_path), "--resume"]) == 2
    assert "no checkpoint to resume from" in capsys.readouterr().err
    assert main(["train", "--out", str(tmp_path / "none"), "--resume"]) == 2
    assert "no checkpoint to resume from" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()
    save_checkpoint(tmp_path / "checkpoint.pt", {})
    assert main(["train", "--out", str(tmp_path)]) == 2
    assert "holds a run already; add --resume" in capsys.readouterr().err
    assert main(["train", "none.yaml", "--out", str(tmp_path)]) == 2
    assert "cannot read none.yaml" in capsys.readouterr().err
    (tmp_path / "checkpoint.pt").write_bytes(b"nonsense")
    with pytest.raises(ConfigError, match="not a checkpoint"):
        load_checkpoint(tmp_path / "checkpoint.pt")


def start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "plyground", "train", "--out", str(folder), *ARGUMENTS]
    return subprocess.Popen([*command, *arguments], stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_polite_stop_saves(tmp_path: Path, number: signal.Signals) -> None:
    run = start(tmp_path, "--set", "save_s=1000")
    wait_until((tmp_path / "metrics.csv").exists)
    run.send_signal(number)
    _, errors = run.communicate(timeout=30)
    assert run.returncode == 0, errors
    assert "saved" in errors
    assert load_checkpoint(tmp_path / "checkpoint.pt")["elapsed_s"] > 0


def test_a_killed_run_continues_with_one_command(tmp_path: Path) -> None:
    checkpoint = tmp_path / "checkpoint.pt"
    for kill in range(2):
        run = start(tmp_path, *(["--resume"] if kill else []))
        before = checkpoint.stat().st_mtime_ns if kill else 0

        def is_newer(before: int = before) -> bool:
            return checkpoint.exists() and checkpoint.stat().st_mtime_ns > before

        wait_until(is_newer)
        time.sleep(0.25)
        run.kill()
        run.communicate()
        assert run.returncode == -signal.SIGKILL
    saved = load_checkpoint(checkpoint)
    assert main(["train", "--out", str(tmp_path), "--resume", "--seconds", "0.5"]) == 0
    resumed = load_checkpoint(checkpoint)
    assert resumed["elapsed_s"] > saved["elapsed_s"]
    assert json.loads((tmp_path / "config.json").read_text())["games"] == 32
    times = [row["elapsed_s"] for row in metrics(tmp_path)]
    assert times == sorted(times)


WRITER = """
import itertools, sys
from pathlib import Path
from plyground.files import atomic_write
for number in itertools.count():
    with atomic_write(Path(sys.argv[1])) as file:
        file.write(bytes([number % 256]) * 3_000_000)
    print(number, flush=True)
"""


def test_a_kill_while_writing_leaves_the_last_whole_file(
    tmp_path: Path, rng: random.Random
) -> None:
    path = tmp_path / "checkpoint.pt"
    for _ in range(4):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(rng.random() * 0.1)
        os.kill(writer.pid, signal.SIGKILL)
        writer.communicate()
        content = path.read_bytes()
        assert len(content) == 3_000_000
        assert len(set(content)) == 1
    assert len(list(tmp_path.iterdir())) <= 2  # the next writer uses the temporary file again
    remove_temporary_files(tmp_path)
    assert list(tmp_path.iterdir()) == [path]


def test_a_gpu_that_is_not_there_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    with pytest.raises(ConfigError, match="expected a CUDA device for device cuda, found none"):
        train(TrainConfig(device="cuda"), tmp_path)


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="cannot create the folder"):
        train(TrainConfig(), tmp_path / "file" / "run")


def test_seconds_train_on_after_a_run_is_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = TrainConfig.of(SETTINGS | {"seconds": 0.3})
    train(config, tmp_path)
    over = load_checkpoint(tmp_path / "checkpoint.pt")
    capsys.readouterr()
    train(config, tmp_path, resume=True)
    assert "the 0.3 s of the run are over; --seconds N continues it" in capsys.readouterr().err
    train(config, tmp_path, seconds=0.3, resume=True)
    assert load_checkpoint(tmp_path / "checkpoint.pt")["elapsed_s"] >= over["elapsed_s"] + 0.3


def test_a_run_has_the_name_of_its_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("quick.yaml").write_text("".join(f"{key}: {value}\n" for key, value in SETTINGS.items()))
    assert main(["train", "quick.yaml", "--seconds", "0"]) == 0
    assert Path("runs", "quick", "checkpoint.pt").exists()
    assert main(["train", "--resume"]) == 2
    assert "expected a file of settings, or --out" in capsys.readouterr().err


def test_what_a_run_left_without_a_checkpoint_is_not_learned_from(tmp_path: Path) -> None:
    config = TrainConfig.of(SETTINGS | {"save_replay": True})
    left = tmp_path / "replay" / "000007.npy"
    left.parent.mkdir()
    left.write_bytes(b"of another game")
    train(config, tmp_path, seconds=0)
    assert not left.exists()
    train(config, tmp_path, seconds=0, resume=True)


def test_a_run_that_ends_as_another_begins_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lock_at_last(path: Path) -> BinaryIO | None:
        save_checkpoint(tmp_path / "checkpoint.pt", {})  # what the one that had the lock left
        return try_lock(path)

    monkeypatch.setattr("plyground.train.loop.try_lock", lock_at_last)
    with pytest.raises(ConfigError, match="holds a run already"):
        train(CONFIG, tmp_path, seconds=0)


@pytest.mark.parametrize("seconds", ["nan", "inf", "-5"])
def test_a_time_that_is_none_is_told_before_anything_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], seconds: str
) -> None:
    assert main(["train", "--out", str(tmp_path / "run"), f"--seconds={seconds}"]) == 2
    assert f"expected seconds to train, 0 or more, got {seconds}" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("content", [b"", b"root:x:0:0:root:/root\n", b"q\x00r0", b"PK\x03\x04"])
def test_other_files_are_no_checkpoints(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file.pt").write_bytes(content)
    with pytest.raises(ConfigError, match="not a checkpoint"):
        load_checkpoint(tmp_path / "file.pt")


def test_two_runs_cannot_share_a_folder(tmp_path: Path) -> None:
    lock = try_lock(tmp_path / ".lock")
    assert lock is not None
    with lock, pytest.raises(ConfigError, match="another process is train"):
        train(CONFIG, tmp_path, seconds=1)
    train(CONFIG, tmp_path, seconds=0)


@pytest.mark.parametrize("missing", ["config", "net", "moments", "elapsed_s"])
def test_a_checkpoint_that_lacks_something_is_one_line(tmp_path: Path, missing: str) -> None:
    train(CONFIG, tmp_path, seconds=0)
    path = tmp_path / "checkpoint.pt"
    content = load_checkpoint(path)
    save_checkpoint(path, {key: content[key] for key in content if key != missing})
    with pytest.raises(ConfigError, match=f"expected '{missing}' in the checkpoint"):
        train(CONFIG, tmp_path, resume=True)


def test_a_run_continues_from_the_weights_of_a_snapshot(tmp_path: Path) -> None:
    train(CONFIG, tmp_path, seconds=1)
    path = tmp_path / "checkpoint.pt"
    content = load_checkpoint(path)
    save_checkpoint(path, {key: content[key] for key in ("config", "elapsed_s", "average")})
    train(CONFIG, tmp_path, seconds=0, resume=True)
    continued = load_checkpoint(path)
    assert continued["elapsed_s"] >= content["elapsed_s"]
    assert (continued["steps"], continued["moments"]) == (0, {})
    for name, weight in content["average"].items():
        assert torch.equal(continued["average"][name], weight)
        assert torch.equal(continued["net"][name], weight.float())


def test_a_smaller_network_grows_and_a_larger_one_is_refused(tmp_path: Path) -> None:
    train(CONFIG, tmp_path, seconds=0)
    wider = TrainConfig.of(SETTINGS | {"channels": 16})
    train(wider, tmp_path, seconds=1, resume=True)
    weights = load_checkpoint(tmp_path / "checkpoint.pt")["net"]
    assert weights["stem.weight"].shape[0] == 16
    with pytest.raises(ConfigError, match=r"expected a run with channels 8 or less in .*, got 16"):
        train(CONFIG, tmp_path, resume=True)


@pytest.mark.usefixtures("quick_disk")
def test_a_teacher_plays_until_it_is_dismissed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first network alone plays until teacher_s, then the one that is trained."""
    teacher_s = 3.0
    train(CONFIG, tmp_path / "teacher", 0.5)
    taught = replace(
        CONFIG,
        channels=16,
        piece_pooling=True,
        teacher=str(tmp_path / "teacher"),
        teacher_s=teacher_s,
    )
    playing: list[tuple[bool, int]] = []

    def watch(run: Training, row: Mapping[str, float]) -> bool:
        assert isinstance(run.players, LocalSelfPlay)
        net = run.players.evaluator.net  # type: ignore[attr-defined]
        playing.append((row["elapsed_s"] < teacher_s, net.weights["stem.weight"].shape[0]))
        return playing[-1][1] == 16 and row["steps"] > 5 and row["games"] > 0

    train(taught, tmp_path / "run", MOST_S, callbacks=[StopWhen(watch)])
    assert playing[0] == (True, 8)
    assert playing[-1] == (False, 16)
    train(taught, tmp_path / "run", 0.3, resume=True)  # past teacher_s, without the teacher
    monkeypatch.setattr("plyground.train.loop.playing_weights", None)
    train(replace(taught, teacher_s=0.5), tmp_path / "run", 0.3, resume=True)


@pytest.mark.parametrize(
    ("teacher", "message"),
    [
        ({"game": "reversi"}, "expected a teacher with game quoridor"),
        ({"network": "quoridor_net"}, "expected a teacher with network path_net"),
    ],
)
def test_a_teacher_of_another_kind_is_one_line(
    teacher: dict[str, str], message: str, tmp_path: Path
) -> None:
    train(TrainConfig.of(SETTINGS | teacher), tmp_path / "teacher", 0.2)
    config = replace(CONFIG, teacher=str(tmp_path / "teacher"), teacher_s=9)
    with pytest.raises(ConfigError, match=message):
        train(config, tmp_path / "run", 0.2)


def test_a_teacher_does_not_play_on_a_cluster(tmp_path: Path) -> None:
    config = replace(CONFIG, teacher="other.pt", teacher_s=9)
    with pytest.raises(ConfigError, match="a teacher plays without a cluster"):
        train(config, tmp_path, 0.2, cluster=Cluster())


def test_a_run_on_boards_of_several_sizes_learns(tmp_path: Path) -> None:
    mixed = {"boards": {"3": 0.5, "4": 0.3, "5": 0.2}, "random_walls": 0.5, "quick_moves": 0.3}
    config = TrainConfig.of(SETTINGS | mixed | {"surprise_weight": 0.5})
    train(config, tmp_path, seconds=3)
    losses = [row["loss"] for row in metrics(tmp_path) if row["steps"] > 0]
    assert len(losses) > 1
    assert all(np.isfinite(losses))
    sizes = {
        int(size)
        for path in (tmp_path / "replay").glob("*.npy")
        for size in np.load(path)["features"][:, QUORIDOR.size_byte]
    }
    assert sizes == {3, 4, 5}


def test_a_full_disk_is_an_error_of_the_system() -> None:
    with pytest.raises(OSError, match="No space left on device"):
        save_checkpoint(Path("/dev/full"), {"weights": torch.zeros(1_000_000)})


def test_a_folder_that_cannot_be_written_to_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: Path) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), "run/.lock")

    monkeypatch.setattr("plyground.train.loop.try_lock", refuse)
    with pytest.raises(ConfigError, match=r"cannot write to .*: Read-only file system"):
        train(TrainConfig(), tmp_path, 1, resume=True)


@pytest.mark.parametrize(
    "change", [{"net": 7}, {"moments": 7}, {"elapsed_s": "x"}, {"games": None}]
)
def test_a_checkpoint_with_other_content_is_one_line(
    tmp_path: Path, change: dict[str, object]
) -> None:
    train(CONFIG, tmp_path, 0)
    path = tmp_path / "checkpoint.pt"
    save_checkpoint(path, {**load_checkpoint(path), **change})
    with pytest.raises(ConfigError, match=r"checkpoint\.pt"):
        train(CONFIG, tmp_path, 0, resume=True)
