"""No process of an external program is left, however the program or its host ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from plyground.agents import Agent, make
from plyground.agents.base import Forfeit
from plyground.arena.runner import run_tasks
from plyground.arena.task import Task
from plyground.games.base import State as AnyState
from plyground.quoridor import GameConfig, State
from plyground.search import SearchLimits
from tests.waiting import wait_until

FAKE = Path(__file__).with_name("fake_engine.py")
SMALL = State(GameConfig.preset("small"))
CHILD = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    open({told!r} + ".new", "w").write(str(os.getpid()))
    os.rename({told!r} + ".new", {told!r})
    time.sleep(600)
    os._exit(0)
os.wait()
while not os.path.exists({told!r}):
    time.sleep(0.002)
"""
"""Starts a process in a session of its own, whose parent ends at once, and writes its number."""


def program(folder: Path, then: str) -> tuple[str, Path]:
    """The agent's string of a program that starts a child, and the file with the child's number."""
    told, path = folder / "pid", folder / "engine.py"
    path.write_text(CHILD.format(told=str(told)) + then)
    return f"engine:{sys.executable} {path}", told


def play_on(deed: str = "good") -> str:
    return f"os.execv(sys.executable, [sys.executable, {str(FAKE)!r}, {deed!r}])\n"


def wait_for_end(told: Path) -> None:
    number, deadline = int(told.read_text()), time.monotonic() + 30
    while is_running(number):
        assert time.monotonic() < deadline, f"process {number} is left"
        time.sleep(0.005)


def is_running(number: int) -> bool:
    try:
        status = Path(f"/proc/{number}/stat").read_text()
    except OSError:
        return False
    return status.rsplit(")", 1)[1].split()[0] != "Z"


def test_a_program_that_is_closed_leaves_no_child(tmp_path: Path) -> None:
    spec, told = program(tmp_path, play_on())
    agent = make(spec)
    agent.prepare()
    assert is_running(int(told.read_text()))
    agent.close()
    wait_for_end(told)


@pytest.mark.parametrize("then", ["sys.exit(3)", "os.kill(os.getpid(), 9)"])
def test_a_program_that_ends_leaves_no_child(tmp_path: Path, then: str) -> None:
    spec, told = program(tmp_path, then)
    agent = make(spec)
    with pytest.raises(Forfeit, match=r"ended with status 3|ended by SIGKILL"):
        agent.prepare()
    wait_for_end(told)


def test_a_killed_host_leaves_no_program(tmp_path: Path) -> None:
    spec, told = program(tmp_path, play_on())
    code = f"from plyground.agents import make; make({spec!r}).prepare(); input()"
    host = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE)
    wait_until(lambda: told.exists() or host.poll() is not None)
    host.kill()
    host.communicate()
    wait_for_end(told)


def test_games_of_the_arena_leave_no_program(tmp_path: Path) -> None:
    spec, told = program(tmp_path, play_on("hang"))
    tasks = [Task.of(spec, "pathfinder", SMALL)]
    with pytest.raises(Stop):
        list(run_tasks(tasks, workers=1, on_move=lambda _: stop_at(told)))
    wait_for_end(told)


class Stop(Exception):  # noqa: N818  not an error
    """Ends a tournament."""


def stop_at(told: Path) -> None:
    if told.exists():
        raise Stop


class Starter(Agent):
    """Starts a program by itself, in the worker process of the arena."""

    def __init__(self, code: str) -> None:
        subprocess.run([sys.executable, "-c", code], check=True)

    def select_action(self, state: AnyState, limits: SearchLimits | None = None) -> int:
        return state.legal_actions()[0]


def make_starter(spec: str, game: str) -> Agent:
    return Starter(Path(spec).read_text()) if spec.endswith(".py") else make(spec, game)


def test_the_programs_of_python_agents_end_with_their_process(tmp_path: Path) -> None:
    told, code = tmp_path / "pid", tmp_path / "code.py"
    code.write_text(CHILD.format(told=str(told)))
    tasks = [Task.of(str(code), "random:seed=1", SMALL)]
    [game] = run_tasks(tasks, workers=1, make_agent=make_starter)
    assert game.record.result != "*"
    wait_for_end(told)


def test_a_program_that_does_not_start_is_told(tmp_path: Path) -> None:
    path = tmp_path / "engine"
    path.write_text("#!/no/such/interpreter\n")
    path.chmod(0o755)
    with pytest.raises(Forfeit, match=r"engine' does not start: No such file or directory"):
        make(f"engine:{path}").prepare()


def test_ctrl_c_does_not_reach_the_program(tmp_path: Path) -> None:
    spec, told = program(tmp_path, play_on())
    code = (
        f"from plyground.agents import make; agent = make({spec!r}); agent.prepare()\n"
        "import signal\n"
        "signal.signal(signal.SIGINT, lambda *_: print(agent._process.read(0), flush=True))\n"
        "print('ready', flush=True)\ninput()"
    )
    host = subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert host.stdout
    assert host.stdout.readline() == "ready\n"
    os.killpg(host.pid, signal.SIGINT)
    assert host.stdout.readline() == "None\n"  # no Forfeit: the program runs
    host.communicate("\n")
    wait_for_end(told)
