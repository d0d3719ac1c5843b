"""What a page is told: everything it needs to draw, and nothing that contradicts itself."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from plyground.play import LiveGame, Seat
from plyground.quoridor import State
from plyground.ui.view import view_of
from plyground.ui.web import shapes
from plyground.ui.web.shapes import game_shape, line_shape, position_shape

PEOPLE = {1: Seat(), 2: Seat()}


def test_quoridor_is_told_in_notation() -> None:
    live = LiveGame(PEOPLE)
    for move in ("e2", "e8", "e3h", "d8"):
        live.play(move)
    shape = game_shape(live, 7)
    assert (shape["number"], shape["ply"], shape["to_move"]) == (7, 4, 1)
    board = shape["board"]
    assert board["pawns"] == ["e2", "d8"]
    assert (board["walls"], board["last"], board["from"]) == (["e3h"], "d8", "e8")
    assert (board["left"], board["hand"]) == ([9, 10], 10)
    assert board["steps"] == [8, 7]
    assert {"e1", "d2", "a1h", "h8v"} <= set(shape["legal"])
    assert "e3v" not in shape["legal"]
    earlier = position_shape(live, 1)
    assert (earlier["board"]["pawns"], earlier["to_move"]) == (["e2", "e9"], 2)
    assert len(earlier["moves"]) == 4


def test_reversi_is_told_disc_by_disc() -> None:
    live = LiveGame(PEOPLE, game="reversi")
    live.play("f5")
    shape = game_shape(live, 1)
    assert shape["board"]["discs"].count("1") == 4
    assert shape["board"]["discs"][4 * 8 + 5] == "1"
    assert sorted(shape["legal"]) == ["d6", "f4", "f6"]
    assert not shape["network"]


def test_a_line_says_who_moves_and_from_where() -> None:
    live = LiveGame(PEOPLE)
    actions = [live.rules.parse_action(live.state, move) for move in ("e2", "e8", "e3")]
    assert line_shape(live.rules, live.state, actions) == [
        {"move": "e2", "player": 1, "from": "e1"},
        {"move": "e8", "player": 2, "from": "e9"},
        {"move": "e3", "player": 1, "from": "e2"},
    ]


def test_a_game_that_is_over_has_no_moves_to_play() -> None:
    live = LiveGame(PEOPLE)
    live.play("e2")
    live.resign()
    shape = game_shape(live, 1)
    assert (shape["legal"], shape["can_play"], shape["to_move"]) == ([], False, None)
    assert shape["outcome"]["reason"] == "resignation"
    assert position_shape(live, 0)["legal"]


def test_a_move_while_somebody_looks_is_seen_as_a_whole_or_not_at_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    live = LiveGame(PEOPLE, State.parse("3 b2/a3 - 0/0 1 6 4"))
    mover = threading.Thread(target=live.play, args=("b3",))

    def look_slowly(*args: Any, **options: Any) -> Any:
        view = view_of(*args, **options)
        mover.start()
        mover.join(timeout=0.2)
        return view

    with monkeypatch.context() as patched:
        patched.setattr(shapes, "view_of", look_slowly)
        shape = game_shape(live, 1)
    assert (shape["moves"], shape["outcome"], shape["undone"]) == ([], None, 0)
    assert shape["asked"]
    assert shape["can_play"]
    assert shape["legal"]
    mover.join()
    assert game_shape(live, 1)["outcome"]["winner"] == 1
