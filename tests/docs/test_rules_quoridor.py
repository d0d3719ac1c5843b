"""The page on Quoridor's rules: its Python runs and its calls give the results it states."""

import re
from pathlib import Path

import pytest

from plyground import quoridor

PAGE = (Path(__file__).parents[2] / "docs" / "rules-quoridor.md").read_text(encoding="utf-8")
CALLS = re.findall(r"^\| `(\w+\(.*\))` \| `(.*)` \|$", PAGE, re.MULTILINE)


def test_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    for program in re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        exec(compile(program, "rules-quoridor.md", "exec"), {})
    assert capsys.readouterr().out == "True\nFalse\n"


def test_calls_give_the_results_beside_them() -> None:
    assert len(CALLS) == 6
    for call, result in CALLS:
        exec(f"assert {call} == {result}", vars(quoridor).copy())
