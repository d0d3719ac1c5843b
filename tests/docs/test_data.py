"""What docs/data.md promises: its Python runs, in order, and its pictures are what it draws."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from plyground.arena import Filter
from plyground.cli.main import main
from plyground.data.columns import TYPES

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "data.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def test_every_option_it_names_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "--help"]) == 0
    known = capsys.readouterr().out
    for option in set(re.findall(r"--[a-z][a-z-]+", TEXT)):
        assert option in known


def test_every_column_is_described() -> None:
    for name in TYPES:
        assert f"`{name}`" in TEXT


def test_every_filter_is_named() -> None:
    internal = {"id", "after", "tournament"}
    for item in fields(Filter):
        assert item.name in internal or f"`{item.name}`" in TEXT


def test_python_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for code in BLOCKS:
        exec(compile(code, "docs/data.md", "exec"), names)
    drawn = (tmp_path / "board.svg").read_text(encoding="utf-8")
    assert drawn == (ROOT / "docs" / "images" / "board.svg").read_text(encoding="utf-8")
