"""The guide for students: its agent is the example, and its tournament can be played."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, cast
from xmlrpc.client import ServerProxy

import pytest

from plyground.arena.store import Store
from plyground.cli.main import main
from plyground.protocol.course import percepts_of, read_action
from plyground.quoridor import State

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "course.md").read_text()
AGENT = ROOT / "examples" / "course_agent.py"


@contextmanager
def running(*options: str) -> Iterator[str]:
    """The address of the example, started as the guide says, on a free port."""
    with ExitStack() as stack:
        process = subprocess.Popen(
            [sys.executable, AGENT, "-p", "0", *options], stdout=subprocess.PIPE, text=True
        )
        stack.enter_context(process)
        stack.callback(process.terminate)
        assert process.stdout
        words = process.stdout.readline().split()
        assert words[:2] == ["Listening", "on"]
        yield f"http://{words[2]}"


def test_the_example_is_short_and_quoted_as_it_is() -> None:
    text = AGENT.read_text()
    assert len(text.splitlines()) < 60
    for code in re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL):
        assert code in text


def test_every_command_of_the_guide_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    commands = re.findall(r"^plyground (\w+)(.*)$", GUIDE, re.MULTILINE)
    assert {name for name, _ in commands} == {"host", "arena", "analyse", "serve"}
    for name, rest in commands:
        assert main([name, *(["course"] if name == "serve" else []), "--help"]) == 0
        known = capsys.readouterr().out
        for option in re.findall(r"(?<= )--?[a-z][a-z-]*", rest):
            assert option in known


def test_the_random_agent_answers_pythons_client() -> None:
    with running() as address:
        proxy = ServerProxy(address, allow_none=True)
        percepts: dict[str, Any] = dict(percepts_of(State()))
        assert proxy.initialize(percepts, [0, 2], None) is None
        kind, row, column = cast(list[object], proxy.play(percepts, 0, 1, None))
        assert kind in ("P", "WH", "WV")
        assert isinstance(row, int)
        assert isinstance(column, int)
        proxy("close")()


def test_the_tournament_at_the_end_of_the_guide(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "plyground arena http://localhost:8000 http://localhost:8001 --clock 60" in GUIDE
    store = tmp_path / "arena.sqlite"
    with running() as weak, running("--depth", "1") as strong:
        status = main(
            ["arena", strong, weak, "--clock", "60", "--games", "2", "--store", str(store)]
        )
    assert status == 0
    assert "2 games: " in capsys.readouterr().out
    with Store(store, read_only=True) as games:
        ends = [game.record().termination for game in games.games()]
    assert len(ends) == 2
    assert set(ends) <= {"goal", "move limit", "no progress"}  # and no forfeit


def test_the_example_evaluates_a_position_in_which_a_pawn_blocks_the_only_way() -> None:
    walls = "a1h,c1h,e1h,h1h,a4h,c4h,b6h,d7h,b1v,d1v,f1v,g1v,c2v,f3v,e5v,a7v,c8v"
    state = State.parse(f"9 g1/h8 {walls} 0/3 2 47 9")
    with running("--depth", "1") as address:
        proxy = ServerProxy(address, allow_none=True)
        percepts: dict[str, Any] = dict(percepts_of(state))
        assert proxy.initialize(percepts, [2], None) is None
        answer = proxy.play(percepts, 1, 48, None)
        assert state.is_legal(read_action(answer, state))


def test_an_agent_without_a_port_to_listen_on_says_so() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main(["serve", "course", "random", "-p", port]) == 2
