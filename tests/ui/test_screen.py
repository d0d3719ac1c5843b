"""Lines of text on the screen of a terminal."""

from __future__ import annotations

import io

import pytest

from plyground.play import LiveGame, Seat, TimeControl
from plyground.ui.terminal.paint import Paint
from plyground.ui.terminal.screen import Screen, visible_length
from plyground.ui.view import DisplayOptions, view_live

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


@pytest.mark.parametrize(("columns", "lines"), [(80, 24), (60, 24), (50, 24), (44, 24), (36, 24)])
@pytest.mark.parametrize("is_plain", [True, False])
def test_the_game_fits_the_terminal(
    monkeypatch: pytest.MonkeyPatch, columns: int, lines: int, is_plain: bool
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("LINES", str(lines))
    live = LiveGame({1: Seat("a long name of a person"), 2: Seat("Bob")}, control=TimeControl(300))
    for move in ("e2", "e8", "c3h"):
        live.play(move)
    shown = Screen(Paint(is_plain)).lines(view_live(live), DisplayOptions())
    text = "\n".join(shown)
    assert max(map(visible_length, shown)) <= columns
    assert len(shown) + 2 <= lines  # a note and the prompt
    assert "10 walls" in text
    assert "7 steps to row 1" in text
    assert text.count("5:00") == 2


def test_notes_never_push_the_board_off_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "36")
    output = TerminalOutput()
    Screen(Paint(), output).say_within(1, ["first", LONG])
    assert output.getvalue() == "expected a cell from a1 to i9 or a\n"
    Screen(Paint(), output).say_within(0, ["first"])
    assert "first" not in output.getvalue()
