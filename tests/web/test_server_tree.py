"""One game per tab, and the game as a tree, over real sockets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from plyground.play import LiveGame, Seat, parse_record
from plyground.ui.web.payloads import tree_payload

from .conftest import Site, Talk

Start = Callable[..., Site]
TWO_PEOPLE = {"game": "quoridor", "player1": "human", "player2": "human"}


@pytest.fixture
def talk(site: Site) -> Any:
    with site.connect() as talk:
        talk.hello()
        yield talk


@pytest.mark.parametrize(
    ("kind", "fields"),
    [("new_game", TWO_PEOPLE), ("paste", {"text": "1. d1 *"}), ("open_game", {"id": "board-0"})],
)
def test_another_game_in_one_window_leaves_the_other_window_alone(
    site: Site, kind: str, fields: dict[str, Any]
) -> None:
    with site.connect() as one, site.connect() as other:
        name = one.hello()
        one.say("new_game", **TWO_PEOPLE)
        one.say("play_move", move="e2", ply=0)
        one.hear("game", ply=1)
        other.hello(name)
        assert other.hear("game")["moves"] == ["e2"]
        other.say(kind, **fields)
        assert other.hear("welcome")["session"] != name
        other.hear("game", people=[True, True])
        one.say("play_move", move="e8", ply=1)  # the first window still plays its game
        assert one.hear("game", ply=2)["moves"] == ["e2", "e8"]
        (first, *_) = other.ask("list_games", "games", query="another tab")["games"]
        assert (first["source"], first["plies"]) == ("another tab", 2)


def test_a_game_that_cannot_be_separates_nobody(site: Site) -> None:
    with site.connect() as one, site.connect() as other:
        other.hello(one.hello())
        other.say("new_game", **{**TWO_PEOPLE, "game": "chess"})
        other.hear("refused")
        other.say("play_move", move="e2", ply=0)
        while not (moves := one.hear("game")["moves"]):
            pass
        assert moves[0] == "e2"  # the opponent may have replied by now


def test_a_new_tab_has_a_game_of_its_own_and_an_old_one_is_found_again(start: Start) -> None:
    site = start()
    with site.connect() as one:
        name = one.hello()
        one.say("new_game", **TWO_PEOPLE)
        one.say("play_move", move="e2", ply=0)
        one.hear("game", ply=1)
        with site.connect() as other:
            second = other.ask("hello", "welcome", session=None, others=name)["session"]
            assert second != name
            assert other.hear("game")["moves"] == []
            games = other.ask("list_games", "games")["games"]
            assert [(game["source"], game["plies"]) for game in games] == [("another tab", 1)]
            other.say("open_game", id=games[0]["id"])
            assert other.hear("game", ply=1)["moves"] == ["e2"]
    site.stop()
    with start().connect() as third:  # no tab is open: the first that has a game is continued
        others = f"unknown {second[:-1]}? {name} {second}"
        assert third.ask("hello", "welcome", session=None, others=others)["session"] == name
        assert third.hear("game")["moves"] == ["e2"]


def test_a_tab_opens_and_deletes_earlier_games_of_other_tabs(start: Start) -> None:
    site = start()
    with site.connect() as one, site.connect() as other:
        name = one.hello()
        one.say("new_game", **TWO_PEOPLE)
        one.say("play_move", move="e2", ply=0)
        one.hear("game", ply=1)
        one.say("new_game", **TWO_PEOPLE)
        one.hear("game", ply=0)
        other.ask("hello", "welcome", session=None, others=name)
        (listed,) = other.ask("list_games", "games", source="mine")["games"]
        assert (listed["source"], listed["can_delete"]) == ("your games", True)
        other.say("open_game", id=listed["id"])
        other.hear("game", ply=1)
        (board, _) = other.ask("list_games", "games", query="e", source="mine")["games"]
        assert (board["source"], board["can_delete"]) == ("on the board", False)
        assert "no game of yours" in other.ask("delete_game", "refused", id=board["id"])["text"]
        other.say("delete_game", id=listed["id"])
        left = other.ask("list_games", "games", source="mine")["games"]
        assert [game["source"] for game in left] == ["on the board"]


# The tree.


def test_a_finished_game_survives_a_move_at_an_earlier_position(talk: Talk) -> None:
    talk.say("new_game", **TWO_PEOPLE, settings={"Board": "3"})
    talk.say("play_move", move="b2", ply=0)
    talk.say("play_move", move="b1", ply=1)
    over = talk.hear("game", ply=2)
    assert over["outcome"]["reason"] == "goal"
    talk.say("play_move", move="a3", ply=1, node=1)
    game = talk.hear("game", moves=["b2", "a3"])
    assert [(move["parent"], move["move"]) for move in game["tree"]] == [
        (0, "b2"),
        (1, "b1"),
        (1, "a3"),
    ]
    assert (game["node"], game["main_end"], game["outcome"]) == (3, 2, None)
    (listed,) = talk.ask("list_games", "games", query="on the board")["games"]
    assert (listed["result"], listed["plies"]) == ("0-1", 2)
    talk.say("go_to", ply=0, node=game["main_end"])
    assert talk.hear("game", ply=2)["outcome"] == over["outcome"]
    assert "(1... a3)" in talk.ask("export", "export")["record"]


def test_moves_of_an_agent_can_be_tried_once_the_game_is_over(talk: Talk) -> None:
    talk.say("new_game", game="quoridor", player1="human", player2="random")
    talk.say("play_move", move="e2", ply=0)
    _, reply = talk.hear("game", ply=2)["moves"]
    other = "b7h" if reply == "a7h" else "a7h"
    assert not talk.ask("show", "position", ply=1)["can_play"]
    talk.ask("play_move", "refused", move="e1h", ply=1)
    talk.say("resign")
    talk.hear("game", to_move=None)
    assert talk.ask("show", "position", ply=1)["can_play"]
    talk.say("play_move", move=other, ply=1, node=1)
    assert talk.hear("game", moves=["e2", other])["asked"]


def test_variations_are_promoted_deleted_restored_and_commented(start: Start) -> None:
    site = start()
    with site.connect() as talk:
        name = talk.hello()
        talk.say("new_game", **TWO_PEOPLE)
        for ply, move in enumerate(["e2", "e8", "e3"]):
            talk.say("play_move", move=move, ply=ply)
        talk.say("play_move", move="d2", ply=2, node=2)
        talk.say("annotate", node=4, comment="why not", mark=5)
        talk.say("annotate", node=4, mark=1)
        game = talk.hear("game", node=4)
        while "marks" not in game["tree"][-1] or game["tree"][-1]["marks"] != [1]:
            game = talk.hear("game")
        assert game["tree"][-1]["comment"] == "why not"
        assert talk.ask("show", "position", ply=0, node=3)["moves"] == ["e2", "e8", "e3"]
        assert talk.ask("why", "why", move="e9", ply=3, node=4)["node"] == 4
        talk.say("delete_variation", node=4)
        game = talk.hear("game", deleted=1)
        assert (game["node"], len(game["tree"])) == (3, 3)
        talk.say("restore_variation")
        game = talk.hear("game", deleted=0)
        talk.say("promote", node=4)
        assert talk.hear("game", main_end=4)["node"] == 3
        for wrong in ("promote", "delete_variation", "show", "annotate"):
            more = {"ply": 0} if wrong == "show" else {}
            talk.ask(wrong, "refused", node=99, **more)
    site.stop()
    with start().connect() as talk:  # the tree and the place in it are on the disk
        talk.hello(name)
        game = talk.hear("game")
        assert (game["moves"], len(game["tree"])) == (["e2", "e8", "e3"], 4)
        assert game["node"] != game["main_end"]


def test_what_an_agent_says_is_shown_when_the_game_is_over() -> None:
    record = parse_record("1. e2 {2s /9, win in 5} e8 {mine} *")
    live = LiveGame.resume(record, {1: Seat(), 2: Seat()})
    first = {"node": 1, "parent": 0, "move": "e2"}
    second = {"node": 2, "parent": 1, "move": "e8", "comment": "mine"}
    assert tree_payload(live.tree(), is_over=False) == [first, second]
    assert tree_payload(live.tree(), is_over=True) == [{**first, "comment": "win in 5"}, second]
