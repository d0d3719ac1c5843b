"""The guide's Python runs as written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

GUIDE = (Path(__file__).parents[2] / "docs" / "environments.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"^```python\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("program", PROGRAMS)
def test_python_runs(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(program, "environments.md", "exec"), {})
    assert capsys.readouterr().out.strip()


def test_there_is_an_example_of_each_environment() -> None:
    assert len(PROGRAMS) == 6
