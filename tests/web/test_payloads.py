"""Payloads hold everything a page needs to draw, and never contradict themselves."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from plyground import reversi
from plyground.games import registry
from plyground.play import LiveGame, Seat
from plyground.quoridor import State
from plyground.ui.view import GameView, view_live
from plyground.ui.web import payloads
from plyground.ui.web.payloads import game_info, game_payload, line_payload, position_payload

from ..conformance.connect_four import CONNECT_FOUR

PEOPLE = {1: Seat(), 2: Seat()}


def test_quoridor_is_told_in_notation() -> None:
    live = LiveGame(PEOPLE)
    for move in ("e2", "e8", "e3h", "d8"):
        live.play(move)
    payload: Any = game_payload(live, 7)
    assert (payload["number"], payload["ply"], payload["to_move"]) == (7, 4, 1)
    board = payload["board"]
    assert board["pawns"] == ["e2", "d8"]
    assert (board["walls"], board["last"], board["from"]) == (["e3h"], "d8", "e8")
    assert (board["left"], board["hand"]) == ([9, 10], 10)
    assert board["steps"] == [8, 7]
    assert {"e1", "d2", "a1h", "h8v"} <= set(payload["legal"])
    assert "e3v" not in payload["legal"]
    earlier: Any = position_payload(live, 1)
    assert (earlier["board"]["pawns"], earlier["to_move"]) == (["e2", "e9"], 2)
    assert len(earlier["moves"]) == 4


@pytest.mark.parametrize("size", [4, 6])
def test_small_boards_of_reversi_have_their_own_squares(size: int) -> None:
    live = LiveGame(PEOPLE, reversi.State(size))
    live.play(live.state.legal_actions()[0])
    payload: Any = game_payload(live, 1)
    assert (payload["board"]["rows"], payload["board"]["columns"]) == (size, size)
    corner = f"{'abcdefgh'[size - 1]}{size}"
    assert all(move <= corner and move[1] <= corner[1] for move in payload["legal"])
    info: Any = game_info(live.game, ["easy"], {"Board": str(size)})
    assert [setting["choices"][0] for setting in info["settings"]] == [str(size)]
    assert info["position"] == reversi.State(size).text()


def test_reversi_is_told_disc_by_disc() -> None:
    live = LiveGame(PEOPLE, reversi.State())
    live.play("f5")
    payload: Any = game_payload(live, 1)
    board = payload["board"]
    assert (board["kind"], board["rows"], board["columns"]) == ("grid", 8, 8)
    assert board["discs"].count("1") == 4
    assert board["discs"][4 * 8 + 5] == "1"
    assert payload["spots"] == {}
    assert sorted(payload["legal"]) == ["d6", "f4", "f6"]
    assert not payload["network"]


def test_a_move_that_is_not_named_after_its_cell_comes_with_it() -> None:
    live = LiveGame(PEOPLE, CONNECT_FOUR.start())
    for move in ("d", "d"):
        live.play(move)
    payload: Any = game_payload(live, 1)
    board = payload["board"]
    assert (board["kind"], board["rows"], board["columns"]) == ("grid", 6, 7)
    assert (board["discs"].count("."), board["last"]) == (40, "d5")
    assert payload["legal"] == list("abcdefg")
    assert payload["spots"] == {**{column: f"{column}6" for column in "abcefg"}, "d": "d4"}
    assert line_payload(live.state, [3, 0]) == [
        {"move": "d", "player": 1, "at": "d4"},
        {"move": "a", "player": 2, "at": "a6"},
    ]


def test_a_game_is_introduced_with_its_settings_and_agents() -> None:
    info: Any = game_info(registry.get("quoridor"), ["easy"])
    assert (info["title"], info["agents"]) == ("Quoridor", ["easy"])
    assert (info["turns_board"], info["has_paths"]) == (True, True)
    board, walls, *limits = info["settings"]
    assert (board["name"], board["choices"][0], walls["name"]) == ("Board", "9", "Walls")
    assert [limit["name"] for limit in limits] == ["MaxMoves", "NoProgress", "DrawPenalty"]
    small: Any = game_info(registry.get("quoridor"), [], {"Board": "5", "Walls": "3"})
    assert small["settings"][0]["choices"] == ["5", "9", "8", "7", "6", "4", "3"]
    assert small["position"] == "5 c1/c5 - 3/3 1 0 0"
    assert walls["choices"] == []
    assert info["position"] == State().text()
    plain: Any = game_info(CONNECT_FOUR, [])
    assert (plain["title"], plain["settings"]) == ("Connect Four", [])
    assert (plain["turns_board"], plain["has_paths"]) == (False, False)


def test_a_line_says_who_moves_and_from_where() -> None:
    live = LiveGame(PEOPLE)
    actions = [live.state.parse_move(move) for move in ("e2", "e8", "e3")]
    assert line_payload(live.state, actions) == [
        {"move": "e2", "player": 1, "from": "e1"},
        {"move": "e8", "player": 2, "from": "e9"},
        {"move": "e3", "player": 1, "from": "e2"},
    ]


def test_a_game_that_is_over_has_no_moves_to_play() -> None:
    live = LiveGame(PEOPLE)
    live.play("e2")
    live.resign()
    payload: Any = game_payload(live, 1)
    assert (payload["legal"], payload["can_play"], payload["to_move"]) == ([], False, None)
    assert payload["outcome"]["reason"] == "resignation"
    assert position_payload(live, 0)["legal"]


def test_a_move_during_a_payload_is_in_it_as_a_whole_or_not_at_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    live = LiveGame(PEOPLE, State.parse("3 b2/a3 - 0/0 1 6 4"))
    mover = threading.Thread(target=live.play, args=("b3",))

    def view_slowly(*args: Any, **options: Any) -> GameView:
        view = view_live(*args, **options)
        mover.start()
        mover.join(timeout=0.2)
        return view

    with monkeypatch.context() as patched:
        patched.setattr(payloads, "view_live", view_slowly)
        payload: Any = game_payload(live, 1)
    assert (payload["moves"], payload["outcome"], payload["undone"]) == ([], None, 0)
    assert payload["asked"]
    assert payload["can_play"]
    assert payload["legal"]
    mover.join()
    ended: Any = game_payload(live, 1)
    assert ended["outcome"]["winner"] == 1


def test_the_form_for_a_new_game_has_numbers() -> None:
    info: Any = game_info(registry.get("quoridor"), [], {"Board": "5"})
    settings = {setting["name"]: setting for setting in info["settings"]}
    walls = settings["Walls"]
    assert (walls["usual"][""], walls["usual"]["Board=9"], walls["usual"]["Board=4"]) == (
        "5", "10", "3",
    )  # fmt: skip
    hidden = {name for name, setting in settings.items() if setting["is_advanced"]}
    assert hidden == {"MaxMoves", "NoProgress", "DrawPenalty"}
    assert settings["MaxMoves"]["label"] == "Max moves"
    assert settings["MaxMoves"]["usual"][""] == "100"
    many: Any = game_info(registry.get("quoridor"), [], {"Board": "9", "Walls": "20"})
    usual = next(each["usual"] for each in many["settings"] if each["name"] == "Walls")
    assert (usual["Board=9"], usual["Board=3"]) == ("20", "")  # 20 walls do not fit there
    assert "The aim\n" in info["rules"]
