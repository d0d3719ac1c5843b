"""Lines of text on the screen."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plyground.play import LiveGame, Seat
from plyground.play.autosave import find_game
from plyground.play.game_file import save_game
from plyground.quoridor import GameConfig, State
from plyground.search import SearchResult
from plyground.ui.table import Table
from plyground.ui.terminal.paint import Paint
from plyground.ui.terminal.screen import Screen
from plyground.ui.words import verdict

LONG = "expected a cell from a1 to i9 or a wall from a1h to h8v, got 'e3hh'; did you mean 'e3h'?"


class Terminal(io.StringIO):
    """What an output is that somebody looks at."""

    def isatty(self) -> bool:
        return True


def test_long_lines_break_between_words_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    output = Terminal()
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


def test_nearly_nothing_has_no_minus() -> None:
    result = SearchResult(4, -4.0, depth=1, pv=[4], nodes_searched=1, time_ms=0.1)
    assert verdict(Seat.of("engine:nodes=1"), State(), result) == "+0.0"


def test_a_network_tells_the_chance_to_win() -> None:
    seat = Seat.of("zero:sims=1")
    result = SearchResult(4, 0.24, depth=1, pv=[4], nodes_searched=1, time_ms=0.1)
    assert verdict(seat, State(), result) == "62% to win"
    assert verdict(seat, State(), result, brief=True) == "62%"
    for brief in (True, False):
        assert verdict(seat, State(), replace(result, win_in=-3), brief=brief) == "loses in 3"


def test_the_adviser_at_a_table_is_the_one_for_its_board() -> None:
    table = Table(LiveGame({1: Seat(), 2: Seat()}))
    assert table.adviser.name == "zero"
    table.change_game(LiveGame({1: Seat(), 2: Seat()}, State(GameConfig.preset("small"))))
    assert table.adviser.name == "engine"
    table.change_game(LiveGame({1: Seat(), 2: Seat()}, game="reversi"))
    assert table.adviser.name == "engine"


def test_a_move_while_the_game_is_saved_is_not_taken_for_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(LiveGame({1: Seat(), 2: Seat()}), tmp_path)
    table.live.play("e2")

    def save_slowly(*args: Any) -> int:
        table.live.play("e8")
        return save_game(*args)

    with monkeypatch.context() as patched:
        patched.setattr("plyground.ui.table.save_game", save_slowly)
        table.save(tmp_path / "game.txt")
    assert table.leave()
    kept = find_game(tmp_path)
    assert [move.text for move in kept.record.moves] == ["e2", "e8"]
    kept.release()
