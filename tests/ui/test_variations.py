"""The tree of a game as numbered lines, and the terminal's commands for it."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from plyground.play import LiveGame, Seat, parse_record
from plyground.play.game_file import read_game
from plyground.ui.game_host import AutosaveStorage, GameHost
from plyground.ui.terminal.paint import Paint
from plyground.ui.terminal.screen import Screen
from plyground.ui.terminal.session import TerminalSession
from plyground.ui.variations import format_tree, game_lines
from plyground.ui.view import DisplayOptions

STUDY = "1. e2 (1. d1 d9) e8 2. e3 $2 {slow} (2. d3h e7 (2... f8 3. e3) 3. e3) (2. d2) 2... e7 *"


def resumed(text: str) -> LiveGame:
    return LiveGame.resume(parse_record(text), {1: Seat("Ann"), 2: Seat("Bob")})


def typed(monkeypatch: pytest.MonkeyPatch, host: GameHost, text: str) -> str:
    """What the terminal prints for typed lines."""
    output = io.StringIO()
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    screen = Screen(Paint(is_plain=True), output)
    TerminalSession(host, screen, DisplayOptions(), is_interactive=False).run()
    return output.getvalue()


def test_lines_are_listed_with_their_variations_after_them() -> None:
    live = resumed(STUDY)
    assert format_tree(live) == [
        "game    1. e2 e8 2. e3? {slow} [e7]",
        "line 1    1. d1 d9",
        "line 2    2. d3h e7 3. e3",
        "line 3      2... f8 3. e3",
        "line 4    2. d2",
    ]
    assert [(line.level, line.first_ply) for line in game_lines(live.tree())] == [
        (0, 0),
        (1, 0),
        (1, 2),
        (2, 3),
        (1, 2),
    ]


def test_a_game_that_player_2_begins_and_one_without_moves() -> None:
    live = resumed('[Start "9 e2/e9 - 10/10 2 1 1"] 1... e8 (1... d9) *')
    assert format_tree(live) == ["game    1... [e8]", "line 1    1... d9"]
    assert format_tree(resumed("*")) == []


def test_the_terminal_shows_and_steps_through_variations(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    live = LiveGame({1: Seat("Ann"), 2: Seat("Bob")})
    host = GameHost(live, storage=AutosaveStorage(tmp_path))
    lines = ["e2", "e8", "e3", "go 2", "d3h", "comment a  wall", "mark !", "line", "tree"]
    printed = typed(monkeypatch, host, "\n".join(lines))
    assert "game    1. e2 e8 2. [e3]\nline 1    2. d3h! {a wall}\n" in printed
    assert host.live.moves[-1].text == "e3"
    (path,) = tmp_path.glob("*.pgn")
    assert "(2. d3h $1 {" in path.read_text()
    again = GameHost(LiveGame.resume(read_game(path)[0], live.seats))
    printed = typed(monkeypatch, again, "line 1\npromote\nline 1\ndelete\nrestore\nmark\ntree\n")
    assert "the variation is deleted; 'restore' brings it back\n" in printed
    assert printed.endswith("game    1. e2 e8 2. [d3h] {a wall}\nline 1    2. e3\n")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("tree", "no moves yet"),
        ("line", "the board shows the end of the game already"),
        ("line 1", "this game has no variations yet"),
        ("line x", "expected a number of a line of 'tree' from 1 to 999, got 'x'"),
        ("go", "expected a number of moves from 0 to 0, such as 'go 0'"),
        ("go 1", "expected a number of moves from 0 to 0, such as 'go 0'"),
        ("promote", "this move is on the main line already"),
        ("delete", "only variations can be deleted; this move is on the main line"),
        ("restore", "there is no deleted variation to restore"),
        ("comment hello", "expected a move of the game to comment on"),
        ("mark !?!", "expected one of ! ? !! ?? !? ?!, got '!?!'"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    monkeypatch: pytest.MonkeyPatch, line: str, answer: str
) -> None:
    host = GameHost(LiveGame({1: Seat("Ann"), 2: Seat("Bob")}))
    assert answer in typed(monkeypatch, host, line)
