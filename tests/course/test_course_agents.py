"""Agents of students that know the course's own files only, run with ours in their place."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast
from xmlrpc.client import Fault, ServerProxy

import pytest

from plyground import course
from plyground.cli.main import main
from plyground.course import Board, Game, search
from plyground.protocol.course import percepts_of
from plyground.quoridor import State

State_ = tuple[Board, int]

AGENT = """\
#!/usr/bin/env python3
from quoridor import *
import minimax


class MyAgent(Agent, minimax.Game):
    limit = 1

    def successors(self, state):
        board, player = state
        for action in board.get_actions(player):
            yield (action, (board.clone().play_action(action, player), (player + 1) % 2))

    def cutoff(self, state, depth):
        board, player = state
        return depth >= self.limit or board.is_finished()

    def evaluate(self, state):
        return state[0].get_score(self.player) + random.random() / 1000

    def initialize(self, percepts, players, time_left):
        self.player = players[0]

    def play(self, percepts, player, step, time_left):
        assert (percepts["size"], len(percepts["pawns"])) == (9, 2)
        self.player = player
        return minimax.search((dict_to_board(percepts), player), self)


def options(agent, parser):
    parser.add_argument("--limit", type=int, default=1)


def setup(agent, parser, args):
    agent.limit = args.limit


if __name__ == "__main__":
    agent_main(MyAgent(), options, setup)
"""


@contextmanager
def running(command: list[str], folder: Path) -> Iterator[str]:
    process = subprocess.Popen(
        [sys.executable, *command], cwd=folder, stdout=subprocess.PIPE, text=True
    )
    with process:
        try:
            assert process.stdout
            words = process.stdout.readline().split()
            assert words[:2] == ["Listening", "on"]
            yield f"http://{words[2]}"
        finally:
            process.terminate()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "agent.py").write_text(AGENT)
    return tmp_path


def test_an_unchanged_agent_plays_with_our_modules_in_place(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("quoridor", "minimax"):
        (folder / f"{name}.py").write_text(f"from plyground.course.{name} import *\n")
    with running(["agent.py", "-p", "0"], folder) as address:
        assert main(["host", "--headless", "-v", address, "random:seed=1", "--max-moves", "5"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert (len(lines), lines[-1].split(":")[0]) == (6, "draw")


def test_an_unchanged_agent_runs_by_one_command(folder: Path) -> None:
    (folder / "quoridor.py").write_text("raise SystemExit('the course has its own file here')\n")
    command = ["-m", "plyground.course", "agent.py", "-p", "0", "--limit", "1"]
    with running(command, folder) as address:
        proxy = ServerProxy(address, allow_none=True)
        percepts: dict[str, Any] = dict(percepts_of(State()))
        assert proxy.initialize(percepts, [0, 2], None) is None
        answer = cast(list[Any], proxy.play(percepts, 0, 1, None))
        assert tuple(answer) in Board().get_actions(0)
        with pytest.raises(Fault, match="not supported"):
            proxy.successors(1)
        proxy("close")()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "expected an agent"),
        (["-p", "8000"], "expected an agent"),
        (["nothing.py"], "no such file"),
        (["agent.py", "-p", "65536"], "expected a port up to 65535"),
        (["agent.py", "-b", "256.0.0.1"], "cannot listen on"),
    ],
)
def test_mistakes_on_the_command_line(folder: Path, arguments: list[str], message: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "plyground.course", *arguments],
        cwd=folder, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode in (1, 2)
    assert message in done.stderr
    assert "Traceback" not in done.stderr


class Counted(Game[State_, course.quoridor.CourseAction]):
    """A search of two plies from the start, which counts what it evaluates."""

    def __init__(self) -> None:
        self.evaluated = 0

    def successors(self, state: State_) -> Iterator[tuple[course.quoridor.CourseAction, State_]]:
        board, player = state
        for action in board.get_actions(player)[:12]:
            yield action, (board.clone().play_action(action, player), 1 - player)

    def cutoff(self, state: State_, depth: int) -> bool:
        return depth == 2

    def evaluate(self, state: State_) -> float:
        self.evaluated += 1
        return state[0].get_score(0)


def test_pruning_changes_the_work_and_not_the_answer() -> None:
    pruned, plain = Counted(), Counted()
    start = (Board(), 0)
    assert search(start, pruned) == search(start, plain, prune=False) == ("P", 1, 4)
    assert pruned.evaluated < plain.evaluated == 12 * 12


def test_pruning_agrees_on_random_trees() -> None:
    class Tree(Game[tuple[int, ...], int]):
        def __init__(self, seed: int) -> None:
            self.seed = seed

        def successors(self, state: tuple[int, ...]) -> list[tuple[int, tuple[int, ...]]]:
            width = random.Random(f"{self.seed} {state}").randint(1, 4)
            return [(n, (*state, n)) for n in range(width)]

        def cutoff(self, state: tuple[int, ...], depth: int) -> bool:
            assert depth == len(state)
            return depth == 5

        def evaluate(self, state: tuple[int, ...]) -> float:
            return random.Random(f"{self.seed} {state} value").randint(-3, 3)

    for seed in range(60):
        assert search((), Tree(seed)) == search((), Tree(seed), prune=False)


def test_a_generator_may_end_as_in_old_python() -> None:
    class Old(Counted):
        def successors(
            self, state: State_
        ) -> Iterator[tuple[course.quoridor.CourseAction, State_]]:
            yield from super().successors(state)
            raise StopIteration

    class Broken(Counted):
        def successors(
            self, state: State_
        ) -> Iterator[tuple[course.quoridor.CourseAction, State_]]:
            yield from super().successors(state)
            raise RuntimeError("broken")

    assert search((Board(), 0), Old()) == ("P", 1, 4)
    with pytest.raises(RuntimeError, match="broken"):
        search((Board(), 0), Broken())


def test_a_search_without_moves_has_no_answer() -> None:
    class Over(Counted):
        def cutoff(self, state: State_, depth: int) -> bool:
            return True

    assert search((Board(), 0), Over()) is None


def test_what_a_student_has_to_define() -> None:
    with pytest.raises(NotImplementedError, match=r"define cutoff\(state, depth\)"):
        search((Board(), 0), Game())
    with pytest.raises(NotImplementedError, match="define play"):
        course.Agent().play(percepts_of(State()), 0, 1, None)


def test_names_of_the_courses_modules() -> None:
    names: dict[str, object] = {}
    exec("from plyground.course.quoridor import *\nfrom plyground.course.minimax import *", names)
    assert names.keys() >= {
        *("PLAYER1", "PLAYER2", "InvalidAction", "NoPath", "Board", "Agent", "dict_to_board"),
        *("load_percepts", "serve_agent", "agent_main", "Game", "search", "inf"),
        *("random", "itertools", "operator"),
    }
    assert names["inf"] == float("inf")
