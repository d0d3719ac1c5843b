"""The NBoard protocol over a real pipe, as a screen for Othello programs uses it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from plyground import reversi
from tests.serve.engine_pipe import EnginePipe

GAME = (
    "(;GM[Othello]PC[NBoard]PB[Ann]PW[Bob]RE[?]TI[5:00]TY[8]"
    "BO[8 ---------------------------O*------*O--------------------------- *]B[f5]W[d6];)"
)


@pytest.fixture(scope="module")
def shared() -> Iterator[EnginePipe]:
    with EnginePipe("--hash", "1") as pipe:
        pipe.send("nboard 2")
        assert pipe.line() == "set myname Plyground"
        yield pipe


@pytest.fixture
def screen(shared: EnginePipe) -> EnginePipe:
    shared.send("ping 1")
    shared.until("pong 1")
    shared.send("set depth 4", f"set game {GAME}")
    return shared


def position() -> reversi.State:
    return reversi.State().play("f5").play("d6")


def test_go_answers_with_a_move_and_leaves_the_board_alone(screen: EnginePipe) -> None:
    lines = screen.ask("go", "===")
    match = re.fullmatch(r"=== ([A-H][1-8])/(-?\d+\.\d\d)/(\d+\.\d\d)", lines[-1])
    assert match
    position().play(match[1])
    assert any(re.fullmatch(r"search ([A-H][1-8])+ -?\d+\.\d\d 0 4", line) for line in lines)
    assert any(re.fullmatch(r"nodestats \d+ \d+\.\d\d", line) for line in lines)
    assert screen.ask("go", "===")[-1].split("/")[0] == lines[-1].split("/")[0]
    screen.send(f"move {match[1]}/1.0/2.5")
    reply = screen.ask("go", "===")[-1]
    position().play(match[1]).play(reply.split()[1].split("/")[0])


def test_hints_are_the_best_moves_best_first(screen: EnginePipe) -> None:
    lines = screen.ask("hint 3", "search")
    while lines[-1] != "status":
        lines += screen.until("")
    deepest = [line.split() for line in lines if line.startswith("search ")][-3:]
    scores = [float(words[2]) for words in deepest]
    assert scores == sorted(scores, reverse=True)
    assert len({words[1][:2] for words in deepest}) == 3


def test_ping_stops_thinking(screen: EnginePipe) -> None:
    screen.send("set depth 60", "go")
    screen.until("status thinking")
    lines = screen.ask("ping 7", "pong 7")
    assert not any(line.startswith("===") for line in lines)
    screen.send("hint 60", "ping 8")
    assert screen.until("pong 8")


def test_analysis_tells_the_worth_of_every_position(screen: EnginePipe) -> None:
    lines = screen.ask("analyze", "analysis 0")
    assert [line.split()[1] for line in lines] == ["2", "1", "0"]


def test_a_pass_is_a_move(screen: EnginePipe) -> None:
    board = "OX" + "-" * 62
    screen.send(f"set game (;GM[Othello]BO[8 {board.replace('X', '*')} *];)")
    assert screen.ask("go", "===")[-1].startswith("=== PA/")
    screen.send("move PA")
    assert screen.ask("go", "===")[-1].startswith("=== C1/64.00/")
    screen.send("move c1")
    assert screen.ask("go", "status the game")[-1] == "status the game is over"


def test_invalid_lines_are_reported_or_ignored(screen: EnginePipe) -> None:
    for line, answer in {
        "move z9": "status expected a square from a1 to h8",
        "move a1": "status illegal move 'a1'",
        "set game (;GM[Chess];)": "status game 1: expected a game of Othello",
        "set game": "status expected a game in GGF",
        "set depth x": "status expected a whole number for the depth, got 'x'",
        "hint 0": "status expected the number of moves from 1 to 64",
        "nboard 1": "set myname",
    }.items():
        assert screen.ask(line, "s")[0].startswith(answer)
    screen.until("status expected version 2")
    screen.send("set contempt 20", "set colour pink", "fly", "", "learn")
    assert screen.line() == "learned"
    assert screen.ask("go", "===")


def test_the_last_go_is_answered_after_the_end_of_the_input() -> None:
    lines = b"nboard 2\nset depth 4\ngo\n"
    command = [sys.executable, "-m", "plyground", "engine", "--hash", "1"]
    done = subprocess.run(command, input=lines, capture_output=True, timeout=60)
    assert done.returncode == 0
    assert b"\n=== " in done.stdout
