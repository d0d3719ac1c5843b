"""The page on Reversi's rules: its Python runs, its boards are true, its links lead somewhere."""

import re
from pathlib import Path

import pytest

from plyground.reversi import State, perft

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "rules-reversi.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    programs = [code for language, code in BLOCKS if language == "python"]
    for program in programs:
        exec(compile(program, "rules-reversi.md", "exec"), {})
    printed = capsys.readouterr().out
    assert printed.startswith("(;GM[Othello]PB[Ann]PW[Bob]RE[?]")
    assert printed.endswith("\n+18 g8\n")


def test_boards_are_drawn_by_the_library() -> None:
    start, part = (code.rstrip("\n") for language, code in BLOCKS if language == "")
    assert start == str(State())
    after = str(State().play("f5")).splitlines()
    assert part.splitlines() == [*after[4:6], after[-1]]
    assert f"    {State().text()}\n" in PAGE


def test_the_counts_are_true() -> None:
    counts = re.search(r"From the start: ([0-9,\s]+)\.", PAGE)
    assert counts is not None
    figures = [int(figure.replace(",", "")) for figure in re.split(r",\s", counts[1])]
    assert figures[:9] == [perft(State(), depth) for depth in range(1, 10)]
