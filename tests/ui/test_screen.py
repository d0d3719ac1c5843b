"""Lines of text on the screen of a terminal."""

from __future__ import annotations

import io

import pytest

from plyground.ui.terminal.paint import Paint
from plyground.ui.terminal.screen import Screen

LONG = "expected a cell from a1 to i9 or a wall from a1h to h8v, got 'e3hh'; did you mean 'e3h'?"


class TerminalOutput(io.StringIO):
    """An output that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_long_lines_break_between_words_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    output = TerminalOutput()
    Screen(Paint(), output).say(f"{LONG}\n  1. e2")
    *broken, last = output.getvalue().splitlines()
    assert " ".join(broken) == LONG
    assert len(broken) == 2
    assert all(len(line) < 60 for line in broken)
    assert last == "  1. e2"


def test_lines_stay_whole_in_a_pipe() -> None:
    output = io.StringIO()
    Screen(Paint(), output).say(LONG)
    assert output.getvalue() == LONG + "\n"
