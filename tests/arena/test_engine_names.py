"""Programs in tournaments: their names in tables, the log, and one start for many games."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from plyground.cli.main import main

EXAMPLE = Path(__file__).parents[2] / "examples" / "engine.c"


def test_a_program_stays_has_a_name_and_is_logged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program, log = tmp_path / "engine", tmp_path / "lines.log"
    subprocess.run(["cc", "-o", program, EXAMPLE], check=True)
    command = [
        *("arena", f"engine:cmd={program}", "random:seed=1", "--preset", "tiny", "--games", "4"),
        *("--openings", "start", "--clock", "5+0.1", "--store", str(tmp_path / "games.sqlite")),
        *("--log", str(log)),
    ]
    assert main(command) == 0
    assert "Smallest in C" in capsys.readouterr().out
    lines = [line.split("] ")[1] for line in log.read_text().splitlines()]
    assert lines.count("> uci") == 1
    assert lines.count("> ucinewgame") == 4
    searches = [line.split() for line in lines if line.startswith("> go ")]
    assert {tuple(words[2::2]) for words in searches} == {("time1", "time2", "inc1", "inc2")}
    assert main(command) == 0  # no game is left to play: the name comes from the store
    assert "Smallest in C against random:seed=1, 4 games" in capsys.readouterr().out


def test_a_log_that_cannot_be_written_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["match", "random:seed=1", "random:seed=2", "--preset", "tiny", "--games", "2"]
    assert main([*command, "--log", "/nowhere/lines.log"]) == 2
    assert "cannot write the log /nowhere/lines.log: No such file" in capsys.readouterr().err
