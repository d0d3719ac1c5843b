"""docs/recipes.md: its programs run, and its commands have the options it uses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from plyground.cli.main import main

TEXT = (Path(__file__).parents[2] / "docs" / "recipes.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
COMMANDS = re.findall(r"^plyground (.+)$", TEXT, re.MULTILINE)


def test_there_are_answers_to_fifteen_questions() -> None:
    assert len(re.findall(r"^## How do I .+\?$", TEXT, re.MULTILINE)) >= 15


@pytest.mark.parametrize("program", PROGRAMS, ids=range(len(PROGRAMS)))
def test_a_program_runs(
    program: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(program, "docs/recipes.md", "exec"), {})
    assert capsys.readouterr().out.strip() or list(tmp_path.iterdir())


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_has_its_options(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    name, *words = command.split()
    parts = [name, words[0]] if name == "serve" else [name]
    assert main([*parts, "--help"]) == 0
    described = set(re.findall(r"--?[a-z][a-z0-9-]*", capsys.readouterr().out))
    assert {word for word in words if word.startswith("-")} <= described
