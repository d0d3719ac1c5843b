"""Boards as a terminal shows them: the drawings themselves are the tests."""

from __future__ import annotations

import re
from textwrap import dedent

import pytest

from plyground import quoridor, reversi
from plyground.games.base import State
from plyground.play import LiveGame, Seat
from plyground.ui.terminal.paint import Paint
from plyground.ui.terminal.screen import Screen, visible_length
from plyground.ui.view import DisplayOptions, GameView, view_live
from tests.conformance.connect_four import CONNECT_FOUR

PLAIN, RICH = Screen(Paint(is_plain=True)), Screen(Paint(is_plain=False))


def game(start: str | State, *moves: str) -> LiveGame:
    """A game from a state, or from a position of Quoridor."""
    state = quoridor.State.parse(start) if isinstance(start, str) else start
    live = LiveGame({1: Seat("Ann"), 2: Seat("Bob")}, state)
    for move in moves:
        live.play(move)
    return live


def drawn(screen: Screen, view: GameView, flipped: bool = False) -> str:
    lines = screen.lines(view, DisplayOptions(flipped))
    return "\n".join(line for line in lines) + "\n"


def test_walls_join_where_they_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    live = game("5 c1/c5 a2h,c2h,b3v,d3v 3/3 1 4 0", "c2")
    assert drawn(PLAIN, view_live(live)) == dedent("""\
          +-------------------+
        5 | .   .   2   .   . |   > 2 Bob
          |                   |       3 walls, 6 steps to row 1
        4 | .   . | .   . | . |
          |       |       |   |       1. c2
        3 | .   . | .   . | . |
          |-------+-------+   |
        2 | .   .  [1]  .   . |
          |                   |
        1 | .   .  ( )  .   . |
          +-------------------+     1 Ann
            a   b   c   d   e         3 walls, 5 steps to row 5
        """)


def test_walls_in_a_terminal_end_halfway_into_a_post(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    live = game("5 c1/c5 b2h,b3v 3/3 1 4 0", "c4h")
    plain_text = [
        "  ┌───────────────────┐",
        "5 │ ·   ·   2   ·   · │   > 2 Bob",
        "  │       ┏═══════╸   │       3 walls, 6 steps to row 1",
        "4 │ ·   · ┃ ·   ·   · │",
        "  │       ┃           │       1. c4h",
        "3 │ ·   · ┃ ·   ·   · │",
        "  │   ╺━━━┻━━━╸       │",
        "2 │ ·   ·   ·   ·   · │",
    ]
    lines = RICH.lines(view_live(live), DisplayOptions())
    seen = [bare(line) for line in lines]
    assert seen[: len(plain_text)] == plain_text


def bare(line: str) -> str:
    """A coloured line as it is read."""
    return re.sub(r"\x1b\[[0-9;]*m", "", line)


def test_paths_targets_and_the_last_wall_have_signs_of_their_own() -> None:
    live = game("5 c1/c5 - 5/5 1 0 0", "b4h")
    lines = PLAIN.lines(view_live(live, targets=True, paths=True), DisplayOptions())
    assert "|    #######        |" in lines[2]
    assert lines[1].startswith("5 | .   +   2   +   . |")
    assert sum(line.count("'") for line in lines) + sum(line.count(";") for line in lines) >= 3


def test_flipped_boards_are_turned_by_half() -> None:
    live = game("5 c1/c5 a2h,c1v 5/5 1 0 0", "b1")
    upright = [line[:23] for line in PLAIN.lines(view_live(live), DisplayOptions())]
    flipped = [line[:23] for line in PLAIN.lines(view_live(live), DisplayOptions(flipped=True))]
    turn = str.maketrans("[]()", "][)(")
    for line, mirror in zip(upright[:-1], reversed(flipped[:-1]), strict=True):
        assert line[2:].translate(turn) == mirror[2:][::-1]
    assert flipped[-1].split() == ["e", "d", "c", "b", "a"]


def test_a_reversi_board_shows_discs_counts_and_legal_squares(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    live = game(reversi.State(), "f5")
    assert drawn(PLAIN, view_live(live, targets=True)) == dedent("""\
           a  b  c  d  e  f  g  h
        1  .  .  .  .  .  .  .  .      1 Ann
        2  .  .  .  .  .  .  .  .        black, 4 discs
        3  .  .  .  .  .  .  .  .
        4  .  .  .  O  X  +  .  .        1. f5
        5  .  .  .  X  X [X] .  .
        6  .  .  .  +  .  +  .  .
        7  .  .  .  .  .  .  .  .    > 2 Bob
        8  .  .  .  .  .  .  .  .        white, 1 disc
        """)


def test_a_board_of_any_game_has_its_rows_and_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    live = game(CONNECT_FOUR.start(), "d", "d", "e")
    assert drawn(PLAIN, view_live(live, targets=True)) == dedent("""\
           a  b  c  d  e  f  g
        1  .  .  .  .  .  .  .      1 Ann
        2  .  .  .  .  .  .  .        X
        3  .  .  .  .  .  .  .
        4  .  .  .  +  .  .  .        1. d     d
        5  .  .  .  O  +  .  .        2. e
        6  +  +  +  X [X] +  +
                                  > 2 Bob
                                      O
        """)
    flipped = PLAIN.lines(view_live(live), DisplayOptions(flipped=True))
    assert flipped[0].startswith("   g  f  e  d  c  b  a")
    assert flipped[1].startswith("6  .  . [X] X  .  .  .")


def test_colours_change_no_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for live in (
        game("9 e4/e6 c3h,e3h,d7h 8/9 2 9 1"),
        game(reversi.State(), "f5"),
        game(CONNECT_FOUR.start(), "d"),
    ):
        view = view_live(live, targets=True, paths=True)
        plain, rich = (screen.lines(view, DisplayOptions()) for screen in (PLAIN, RICH))
        assert [len(line) for line in plain] == [len(bare(line).rstrip()) for line in rich]
        assert visible_length(rich[1]) == len(bare(rich[1]))


def test_long_names_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    live = LiveGame({1: Seat("x" * 200), 2: Seat("Bob")})
    assert max(len(line) for line in PLAIN.lines(view_live(live), DisplayOptions())) <= 80


def test_row_0_at_the_top_with_indices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    view = view_live(game("5 c1/c5 a2h,b3v 3/3 1 4 0", "d4h"))
    shown = PLAIN.lines(view, DisplayOptions(indices=True))
    assert "\n".join(shown) + "\n" == dedent("""\
            0   1   2   3   4
          +-------------------+       1 Ann
        0 | .   .   1   .   . | 1       2 walls, 4 steps to row 5
          |                   |
        1 | .   .   .   .   . | 2       1. d4h
          |-------+           |
        2 | .   . | .   .   . | 3
          |       |           |
        3 | .   . | .   .   . | 4
          |            #######|
        4 | .   .   2   .   . | 5
          +-------------------+     > 2 Bob
            a   b   c   d   e           3 walls, 4 steps to row 1
        """)
    turned = PLAIN.lines(view, DisplayOptions(flipped=True, indices=True))
    assert turned[0].split() == list("43210")
    assert (turned[2].split()[0], turned[10].split()[0]) == ("4", "0")
    assert "Ann" in turned[-2]


def test_indices_of_squares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    view = view_live(game(reversi.State()))
    lines = PLAIN.lines(view, DisplayOptions(indices=True))
    assert lines[0].split()[:8] == list("abcdefgh")
    assert lines[1].startswith("1  .  .  .  .  .  .  .  .  0")
    assert lines[9].split()[:8] == list("01234567")
