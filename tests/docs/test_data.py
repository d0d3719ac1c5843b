"""What docs/data.md promises: its Python runs, in order, and its pictures are what it draws."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "data.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def test_python_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for code in BLOCKS:
        exec(compile(code, "docs/data.md", "exec"), names)
    drawn = (tmp_path / "board.svg").read_text(encoding="utf-8")
    assert drawn == (ROOT / "docs" / "images" / "board.svg").read_text(encoding="utf-8")
