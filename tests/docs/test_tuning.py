"""What docs/tuning.md promises: its commands, options, settings and weights are real."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from plyground.agents import make
from plyground.cli.main import main
from plyground.search.quoridor_weights import tuned_textbook_weights
from plyground.tune.candidates import with_options

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "tuning.md").read_text(encoding="utf-8")


def test_every_option_it_names_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    known = ""
    for kind in (["tune", "td"], ["tune", "grid"], ["tune", "spsa"], ["study", "depth"]):
        assert main([*kind, "--help"]) == 0
        known += capsys.readouterr().out
    for option in set(re.findall(r"--[a-z][a-z-]+", TEXT)):
        assert option in known


def test_every_file_of_settings_is_there() -> None:
    for name in re.findall(r"configs/[\w/.-]+\.yaml", TEXT):
        assert (ROOT / name).is_file()


def test_every_agent_it_names_can_be_made() -> None:
    for spec in re.findall(r"^\| `((?:minimax|engine):[^`]+)`", TEXT, re.MULTILINE):
        if "FILE" not in spec:
            make(spec)


def test_the_tuned_weights_are_those_of_the_table() -> None:
    rows = re.findall(
        r"^\| (\d)x\d, \d+ \| ([\d.-]+) \| ([\d.-]+) \| ([\d.-]+) \|", TEXT, re.MULTILINE
    )
    assert [row[0] for row in rows] == ["5", "7", "9"]
    for board, *values in rows:
        weights = tuned_textbook_weights(int(board))
        found = (weights.path_weight, weights.progress_weight, weights.wall_weight)
        assert found == tuple(map(float, values))


def test_strings_with_whole_numbers_stay_plain() -> None:
    assert with_options("minimax", {"depth": 2, "wall_weight": 18.257}) == (
        "minimax:depth=2,wall_weight=18.257"
    )
