"""docs/python-agents.md: its code runs, and the example plays."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "python-agents.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_the_code_of_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    exec("\n".join(BLOCKS), {})
    told = capsys.readouterr().out
    assert "First against random:seed=1, 4 games" in told
    assert len(re.findall(r"^(mine|pathfinder|random:seed=1) ", told, re.MULTILINE)) == 6


def test_the_example_plays_as_the_page_says(tmp_path: Path) -> None:
    shutil.copy(ROOT / "examples" / "my_agent.py", tmp_path)
    command = "match my_agent:Runner:caution=0.2 random:seed=1 --games 2 --preset tiny"
    assert "plyground match my_agent:Runner pathfinder" in PAGE
    done = subprocess.run(
        [sys.executable, "-P", "-m", "plyground", *command.split()],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "my_agent:Runner:caution=0.2 against random:seed=1, 2 games" in done.stdout
