"""What docs/training.md promises: its settings, options and files are real."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from plyground.cli.main import main
from plyground.train.config import TrainConfig

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")


def test_every_setting_has_its_line_and_every_line_its_setting() -> None:
    table = TEXT.split("## Settings", 1)[1].split("\n## ", 1)[0]
    cells = re.findall(r"^\| (`[^|]+) \|", table, re.MULTILINE)
    named = [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]
    assert sorted(named) == sorted(field.name for field in fields(TrainConfig))


def test_what_it_sets_on_the_command_line_can_be_set() -> None:
    overrides = re.findall(r"--set \"?([a-z_]+=[\w.:,]+)", TEXT)
    assert overrides
    for override in overrides:
        TrainConfig.load(ROOT / "configs" / "train" / "standard.yaml", [override])


def test_every_option_it_names_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    known = ""
    for command in ("train", "export", "arena"):
        assert main([command, "--help"]) == 0
        known += capsys.readouterr().out
    commands = re.findall(r"^plyground .*?[^\\]$", TEXT, re.MULTILINE | re.DOTALL)
    assert commands
    for option in set(re.findall(r" (--[a-z]+)", " ".join(commands))):
        assert option in known


def test_every_file_it_names_is_there() -> None:
    for name in re.findall(r"(?:configs|checkpoints|benchmarks)/[\w/.-]+\.\w+", TEXT):
        assert (ROOT / name).is_file(), name
