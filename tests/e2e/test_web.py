"""`plyground web` as it is installed: its address, its mistakes, Ctrl-C, and a kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

COMMAND = str(Path(sys.executable).parent / "plyground")
TIMEOUT_S = 60


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    processes: list[subprocess.Popen[str]] = []

    def begin(*arguments: str) -> subprocess.Popen[str]:
        processes.append(
            subprocess.Popen(
                [COMMAND, "web", "--no-browser", *arguments],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                cwd=tmp_path,
                env=os.environ | {"XDG_DATA_HOME": str(tmp_path)},
            )
        )
        return processes[-1]

    yield begin
    for process in processes:
        process.kill()
        process.communicate(timeout=TIMEOUT_S)


def address_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line.startswith("Plyground is at http://127.0.0.1:")
    return line.split()[3]


def talk(address: str, *messages: dict[str, Any], until: dict[str, Any]) -> dict[str, Any]:
    """Say some things; the first message after that which has these fields."""
    target = f"{address.replace('http', 'ws')}play"
    with connect(target, origin=Origin(address.rstrip("/"))) as socket:
        for message in messages:
            socket.send(json.dumps(message))
        seen: dict[str, Any] = {}
        while True:
            heard: dict[str, Any] = json.loads(socket.recv(timeout=TIMEOUT_S))
            seen |= {"session": heard["session"]} if heard["type"] == "welcome" else {}
            if until.items() <= heard.items():
                return heard | seen


def test_games_outlive_a_kill(start: Callable[..., subprocess.Popen[str]], tmp_path: Path) -> None:
    first = start("--port", "0")
    new = {"type": "new_game", "game": "quoridor", "player1": "human", "player2": "human"}
    move = {"type": "play_move", "move": "e3h", "ply": 0}
    seen = talk(address_of(first), {"type": "hello"}, new, move, until={"moves": ["e3h"]})
    first.kill()  # at the sight of the move, which is written before it is shown
    second = start("--port", "0")
    hello = {"type": "hello", "session": seen["session"]}
    assert talk(address_of(second), hello, until={"type": "game"})["moves"] == ["e3h"]
    file = tmp_path / "plyground" / "web" / f"{seen['session']}.json"
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_ctrl_c_ends_it(start: Callable[..., subprocess.Popen[str]]) -> None:
    server = start("--port", "0")
    address_of(server)
    server.send_signal(signal.SIGINT)
    _, errors = server.communicate(timeout=TIMEOUT_S)
    assert server.returncode == 130
    assert "Traceback" not in errors


@pytest.mark.parametrize("game", ["quoridor", "reversi"])
def test_ctrl_c_ends_it_while_it_analyses(
    start: Callable[..., subprocess.Popen[str]], game: str
) -> None:
    server = start("--port", "0")
    address = address_of(server)
    origin = Origin(address.rstrip("/"))
    new = {"type": "new_game", "game": game, "player1": "human", "player2": "human"}
    with connect(f"{address.replace('http', 'ws')}play", origin=origin) as socket:
        for message in ({"type": "hello"}, new, {"type": "analyse", "on": True, "ply": 0}):
            socket.send(json.dumps(message))
        while json.loads(socket.recv(timeout=TIMEOUT_S))["type"] != "analysis":
            pass
        began = time.monotonic()
        server.send_signal(signal.SIGINT)
        _, errors = server.communicate(timeout=TIMEOUT_S)
    assert (server.returncode, errors) == (130, "")
    assert time.monotonic() - began < 15


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--port", "70000"], "from 0 to 65535, got '70000'"),
        (["--port", "x"], "expected a whole number from 0 to 65535, got 'x'"),
        (["--host", "300.1.1.1", "--port", "0"], "cannot listen on 300.1.1.1 port 0: "),
        (["--store", "none.sqlite"], "expected a store of games, got 'none.sqlite'"),
        (["--store", __file__], "line 1: expected a move, a comment or a result"),
        (["--agent", "enigne"], "unknown agent 'enigne'"),
        (["--move-time", "0"], "expected 0.05 to 60 seconds a move, got 0"),
        (["--cores", "0"], "from 1 to 256, got '0'"),
    ],
)
def test_a_mistake_is_one_line(
    start: Callable[..., subprocess.Popen[str]], arguments: list[str], words: str
) -> None:
    server = start(*arguments)
    output, errors = server.communicate(timeout=TIMEOUT_S)
    assert server.returncode == 2
    assert output == ""
    assert len(errors.splitlines()) == 1
    assert words in errors
