"""What docs/write-an-engine.md promises: its engines pass all checks and play in the arena."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from plyground import quoridor, reversi
from plyground.agents.engine_file import EngineProgram
from plyground.arena.engine_check import EngineChecker
from plyground.arena.game import play_task
from plyground.arena.task import Conditions, Task
from plyground.games.base import State
from plyground.search import SearchLimits

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
PAGE = (ROOT / "docs" / "write-an-engine.md").read_text(encoding="utf-8")
SMALL = quoridor.State(quoridor.GameConfig.preset("tiny"))


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The engine in C; the core of this package needed a compiler too."""
    program = tmp_path_factory.mktemp("engine") / "engine"
    compiler = shutil.which("cc") or shutil.which("gcc") or "clang"
    flags = ["-O1", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([compiler, *flags, "-o", program, EXAMPLES / "engine.c"], check=True)
    return program


def check(command: str, start: State, games: int = 2) -> None:
    """Run all checks, and play a game in the arena."""
    program = EngineProgram.of(command)
    checker = EngineChecker(program, start, games, timeout_s=30)
    failed = [result for result in checker.run() if not result.passed]
    assert failed == []
    conditions = Conditions(SearchLimits(time_s=0.01))
    task = Task.of(f"engine:{command}", "random:seed=1", start, conditions=conditions)
    record = play_task(task).record
    assert record.states()[-1].outcome is not None, record.termination
    assert record.tags["Program1"].startswith("Smallest in ")


def test_the_engine_in_python() -> None:
    check(f"{sys.executable} {EXAMPLES / 'engine.py'}", SMALL)


def test_the_engine_in_python_plays_the_other_game() -> None:
    command = f"{sys.executable} {EXAMPLES / 'engine.py'}"
    conditions = Conditions(SearchLimits(time_s=0.01))
    task = Task.of(f"engine:{command}", "random", reversi.State(), conditions=conditions)
    assert play_task(task).record.states()[-1].outcome is not None


def test_the_engine_in_c(compiled: Path) -> None:
    check(str(compiled), quoridor.State())


def test_the_engine_in_c_moves_its_pawn_as_the_rules_say(compiled: Path) -> None:
    """Jumps and diagonal moves beside many walls, which random games seldom have."""
    program = EngineProgram((str(compiled),))
    for text in (
        "9 e4/e5 - 10/10 1 8 2",
        "9 e4/e5 e5h 9/10 1 9 0",
        "9 e4/e5 e5h,d5v 9/9 1 10 0",
        "9 a8/a9 - 10/10 1 14 14",
        "5 c3/c4 c4h,b4v 4/4 1 8 0",
        "9 d5/e5 e5v,e4h 9/9 2 10 0",
    ):
        state = quoridor.State.parse(text)
        checker = EngineChecker(program, state, games=0)
        checker._begin()
        assert checker._check_move(state, "movetime 10")
        checker._close()


def test_the_engine_in_shell() -> None:
    check(str(EXAMPLES / "engine.sh"), reversi.State(), games=1)


def test_the_page_names_every_example_and_every_check() -> None:
    assert set(re.findall(r"\(\.\./examples/([\w.]+)\)", PAGE)) == {
        path.name for path in EXAMPLES.glob("engine.*")
    }
    (rows,) = re.findall(r"^\| check \|.*\n\|[- |]+\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    named = [row.split("|")[1].strip() for row in rows.splitlines()]
    assert named == list(EngineChecker(EngineProgram((sys.executable,)), SMALL).checks)
