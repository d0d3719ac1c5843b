"""The checks of `plyground check-engine`: ours passes, and each fault is found."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from plyground.agents.engine_adapter import EngineAdapter
from plyground.agents.engine_file import EngineProgram
from plyground.arena import engine_check
from plyground.arena.engine_check import EngineChecker
from plyground.cli.main import main
from plyground.errors import ConfigError
from plyground.quoridor import GameConfig, State

TINY = State(GameConfig.preset("tiny"))
EXAMPLE = Path(__file__).parents[2] / "examples" / "engine.c"


def test_our_engine_passes(capsys: pytest.CaptureFixture[str]) -> None:
    command = f"{sys.executable} -m plyground engine --hash 1"
    options = ["--preset", "tiny", "--games", "2", "--timeout", "30"]
    assert main(["check-engine", command, *options]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[-1] == f"all {len(out) - 1} checks passed"
    assert all(line.startswith("ok    ") for line in out[:-1])


FAULTS = {
    "start": ("id name Smallest in C\\n", ""),
    "isready": ('puts("readyok")', 'puts(asked++ < 9 ? "readyok" : "later")'),
    "options": ("in C\\n", "in C\\noption name Hash type list default 1\\n"),
    "positions": ("play(move);", "(void)move;"),
    "limits": ("choose(move);", 'choose(move); if (strstr(line, "depth")) return 3;'),
    "clocks": ("choose(move);", 'choose(move); if (strstr(line, "movestogo")) return 3;'),
    "stop": ('strstr(line, "infinite") ||', ""),
    "ponder": ('|| strstr(line, "ponder")', ""),
    "end of the game": ('"none"', '"resign"'),
    "bad lines": ('if (!strcmp(line, "quit"))', "if (line[0] == 'x' || !strcmp(line, \"quit\"))"),
    "scores": ("choose(move);", 'choose(move); puts("info depth 1 score points 3");'),
    "games": (
        "choose(move);",
        'choose(move); if (!strcmp(line, "go movetime 10")) strcpy(move, "a5");',
    ),
    "quit": ('"quit")) return 0', '"quit")) return 4'),
    "end of input": ("    return 0;\n}\n", "    for (;;) sleep(1);\n}\n"),
}
"""For each check a change of the example in C that this check alone finds."""


@pytest.mark.parametrize("name", FAULTS)
def test_every_fault_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(engine_check, "QUIET_S", 0.05)
    before, after = FAULTS[name]
    text = EXAMPLE.read_text()
    assert before in text
    at = text.rindex(before)
    (tmp_path / "engine.c").write_text(
        "#include <unistd.h>\nint asked;\n" + text[:at] + after + text[at + len(before) :]
    )
    subprocess.run(["cc", "-o", tmp_path / "engine", tmp_path / "engine.c"], check=True)
    checker = EngineChecker(EngineProgram((str(tmp_path / "engine"),)), State(), games=2)
    if name == "isready":  # other checks would find it too
        checker.checks = {name: checker.checks[name]}
    results = list(checker.run())
    failed = {result.name: result for result in results if not result.passed}
    assert list(failed) == [name], failed
    assert failed[name].note
    assert failed[name].lines


def test_a_program_that_does_not_start_fails_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "engine.py"
    path.write_text("raise SystemExit('out of ideas')")
    assert main(["check-engine", f"{sys.executable} {path}", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["failed"] == 1
    (check,) = found["checks"]
    assert check["note"] == "the program ended with status 1: out of ideas"
    assert check["lines"] == ["> uci", "! out of ideas"]


def test_a_failure_is_shown_with_its_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "engine.py"
    path.write_text("print('id name Mute', 'uciok', sep='\\n', flush=True); input(); input()")
    main(["check-engine", f"{sys.executable} {path}", "--preset", "tiny", "--games", "0"])
    out = capsys.readouterr().out
    assert "FAIL  start: the program ended with status 0\n        > uci\n" in out
    assert out.splitlines()[-1].endswith("checks failed; the protocol is in docs/protocol.md")


def test_programs_with_an_adapter_cannot_be_checked() -> None:
    program = EngineProgram((sys.executable,), adapter=EngineAdapter(go="think"))
    with pytest.raises(ConfigError, match="expected a program that speaks the engine protocol"):
        EngineChecker(program, TINY)


def test_a_finished_game_cannot_be_checked() -> None:
    end = State.parse("3 a3/c2 - 0/0 2 5 5")
    with pytest.raises(ConfigError, match="expected a position to play from"):
        EngineChecker(EngineProgram((sys.executable,)), end)
