"""What docs/training.md and docs/experiments.md promise: settings, options and files are real."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from torch import nn

import plyground.train
from plyground.cli.main import main
from plyground.train import Callback, Training, loop
from plyground.train.config import TrainConfig

PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
BOTH = TEXT + (ROOT / "docs" / "experiments.md").read_text(encoding="utf-8")


def test_every_setting_has_its_line_and_every_line_its_setting() -> None:
    table = TEXT.split("## Settings", 1)[1].split("\n## ", 1)[0]
    cells = re.findall(r"^\| (`[^|]+) \|", table, re.MULTILINE)
    named = [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]
    assert sorted(named) == sorted(field.name for field in fields(TrainConfig))


def test_what_it_sets_on_the_command_line_can_be_set() -> None:
    overrides = re.findall(r"--set \"?([a-z_]+=[\w.:,]+)", BOTH)
    assert overrides
    for override in overrides:
        TrainConfig.load(ROOT / "configs" / "train" / "standard.yaml", [override])


def test_every_option_it_names_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    known = ""
    for command in ("train", "export", "arena"):
        assert main([command, "--help"]) == 0
        known += capsys.readouterr().out
    commands = re.findall(r"^plyground .*?[^\\]$", BOTH, re.MULTILINE | re.DOTALL)
    assert commands
    for option in set(re.findall(r" (--[a-z]+)", " ".join(commands))):
        assert option in known


def test_every_file_it_names_is_there() -> None:
    for name in re.findall(r"(?:configs|checkpoints|benchmarks)/[\w/.-]+\.\w+", BOTH):
        assert (ROOT / name).is_file(), name


class FakeRun:
    """A run of Weights & Biases that keeps what it is told."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, dict[str, float]]] = []
        self.is_finished = False

    def log(self, metrics: dict[str, float], step: int) -> None:
        self.rows.append((step, metrics))

    def finish(self) -> None:
        self.is_finished = True


class StopAfterReport(Callback):
    """Ends a run with the first report of a training step, however slow the machine is."""

    def on_report(self, run: Training, metrics: Mapping[str, float]) -> None:
        run.stop = run.steps > 0


def test_python_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run, wandb = FakeRun(), ModuleType("wandb")
    monkeypatch.setattr(wandb, "init", lambda **settings: run, raising=False)
    monkeypatch.setitem(sys.modules, "wandb", wandb)

    def stopped(*given: Any, callbacks: Sequence[Callback] = (), **named: Any) -> nn.Module:
        return loop.train(*given, callbacks=[*callbacks, StopAfterReport()], **named)

    names: dict[str, object] = {}
    monkeypatch.setattr(plyground.train, "train", stopped, raising=False)
    for code in PYTHON.findall(TEXT):
        quick = code.replace("seconds=3", "seconds=600, report_s=0.1, warmup_positions=64")
        exec(compile(quick, "docs/training.md", "exec"), names)
    assert run.rows[-1][0] > 0
    assert run.is_finished
    assert all((tmp_path / "runs" / name).is_dir() for name in ("tiny", "mine", "loss", "logged"))
    assert "illegal" in (tmp_path / "runs/loss/metrics.csv").read_text().splitlines()[0]


def test_every_callback_is_described() -> None:
    methods = {name for name in vars(Callback) if name.startswith("on_")}
    assert methods == set(re.findall(r"^\| `(on_\w+)\(", TEXT, re.MULTILINE))
