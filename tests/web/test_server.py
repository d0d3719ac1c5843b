"""The server over real sockets: games, limits, headers, rest, restart, and nonsense."""

from __future__ import annotations

import gzip
import json
import random
import re
import socket
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from plyground.errors import ConfigError
from plyground.http_connection import LimitedProtocol
from plyground.play import Record, format_record
from plyground.ui.web import application
from plyground.ui.web.config import WebConfig
from plyground.ui.web.messages import NewGameMessage
from plyground.ui.web.page_files import shortened
from plyground.ui.web.server import STATIC, listen
from plyground.ui.web.texts import LANGUAGES
from tests.waiting import wait_until

from .conftest import Site, Talk, config_for

Start = Callable[..., Site]
AGAINST_RANDOM = {"game": "quoridor", "player1": "human", "player2": "random"}
TWO_PEOPLE = {"game": "quoridor", "player1": "human", "player2": "human"}
# FFO's endgame 3: d1 wins by 2 discs, g3 draws, and every other move loses.
ENDGAME = "----OX----OOXX---OOOXX-XOOXXOOOOOXXOXXOOOXXXOOOOOXXXXOXO--OOOOOX X"


def get(site: Site, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    connection = HTTPConnection("127.0.0.1", site.port, timeout=10)
    try:
        connection.putrequest("GET", path, skip_host="host" in headers, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
    finally:
        connection.close()


@pytest.fixture
def talk(site: Site) -> Any:
    with site.connect() as talk:
        talk.hello()
        yield talk


# The page and who may ask for it.


def test_the_page_comes_with_sound_headers(site: Site) -> None:
    for path, kind in (("/", "text/html"), ("/main.js", "javascript"), ("/style.css", "css")):
        status, headers, body = get(site, path)
        assert status == 200
        assert kind in headers["content-type"]
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-frame-options"] == "DENY"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert body


def test_files_come_packed_and_only_when_they_have_changed(site: Site) -> None:
    _, headers, plain = get(site, "/main.js")
    _, packed_headers, packed = get(site, "/main.js", **{"accept-encoding": "gzip"})
    assert packed_headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed) == plain
    status, _, body = get(site, "/main.js", **{"if-none-match": headers["etag"]})
    assert (status, body) == (304, b"")


def test_files_come_without_comments_and_with_the_same_lines(site: Site) -> None:
    script = b"/** A.\n * B */\nf(); // c\n  // d\n  /** @type {C} */ (g());\n"
    assert shortened(script) == b"\n\nf(); // c\n\n/** @type {C} */ (g());\n"
    for name in ("main.js", "style.css"):
        served = get(site, f"/{name}")[2]
        assert served.count(b"\n") == (STATIC / name).read_bytes().count(b"\n")
        assert not re.search(rb"^ +", served, re.MULTILINE)


def test_no_text_of_a_script_spans_lines() -> None:
    """It would be served without its indentation."""
    for script in STATIC.glob("*.js"):
        for number, line in enumerate(script.read_text().splitlines(), 1):
            assert line.count("`") % 2 == 0, f"{script.name}, line {number}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_that_is_loaded_is_small(site: Site, language: str) -> None:
    """A first visit loads all files; the browser receives them packed."""

    def load(path: str, encoding: str) -> bytes:
        return get(site, path, **{"accept-language": language, "accept-encoding": encoding})[2]

    page = load("/", "identity").decode()
    files = set(re.findall(r'(?:href|src)="(/[a-z_]+\.[a-z]+)"', page))
    assert {"/main.js", "/board.js", "/style.css", "/icon.svg"} <= files
    assert {f"/{path.name}" for path in STATIC.glob("*.js")} <= files
    assert sum(len(load(path, "gzip")) for path in ("/", *files)) < 100_000
    assert sum(len(load(path, "identity")) for path in ("/", *files)) < 300_000


def test_the_items_of_a_page_have_addresses(site: Site) -> None:
    for path in ("/play", "/puzzles", "/puzzles/12", "/watch"):
        assert b"<main>" in get(site, path)[2]
    for path in ("/puzzles/", "/puzzles/a/b", "/nowhere", "/puzzles/%2e%2e"):
        assert get(site, path)[0] == 404


def test_the_page_needs_nothing_from_elsewhere(site: Site) -> None:
    page = get(site, "/")[2].decode()
    assert "http://" not in page
    assert "https://" not in page
    assert "<style" not in page
    assert " style=" not in page
    assert "<script>" not in page


@pytest.mark.parametrize("path", ["/../config.py", "/%2e%2e/config.py", "/..%2fconfig.py", "/x"])
def test_nothing_but_the_pages_files_is_served(site: Site, path: str) -> None:
    status, headers, _ = get(site, path)
    assert status == 404
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "[", "evil:8017"])
def test_other_names_of_this_machine_are_not_answered(site: Site, host: str) -> None:
    assert get(site, "/", host=host)[0] == 403


def test_a_name_that_the_operator_gives_is(start: Start) -> None:
    site = start(names=("board.example",))
    assert get(site, "/", host="board.example:9000")[0] == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", None, "http://127.0.0.1:1", "http://["]
)
def test_pages_from_elsewhere_cannot_connect(site: Site, origin: str | None) -> None:
    with pytest.raises(InvalidStatus) as caught, site.connect(origin=origin):
        pass
    assert caught.value.response.status_code == 403


def test_an_address_that_is_taken_is_one_line(site: Site) -> None:
    config = WebConfig(folder=site.config.folder, port=site.port)
    with pytest.raises(ConfigError, match=r"cannot listen on 127\.0\.0\.1 port .*--port 0"):
        listen(config)


# Games.


def test_a_move_is_answered_by_the_agent(talk: Talk) -> None:
    talk.say("new_game", **AGAINST_RANDOM, settings={"Board": "5"})
    talk.hear("game", ply=0, names=["human", "random"])
    talk.say("play_move", move="c2", ply=0)
    game = talk.hear("game", ply=2)
    assert game["moves"][0] == "c2"
    assert game["asked"]
    assert game["board"]["pawns"][0] == "c2"


def test_a_whole_game_of_each(talk: Talk, rng: random.Random) -> None:
    boards = {"quoridor": {"Board": "3"}, "reversi": {}}
    for number, (game, settings) in enumerate(boards.items(), 2):
        talk.say("new_game", game=game, player1="human", player2="random", settings=settings)
        payload = talk.hear("game", ply=0, number=number)
        while payload["outcome"] is None:
            move, played = rng.choice(payload["legal"]), payload["ply"]
            talk.say("play_move", move=move, ply=played)
            payload = talk.hear("game")
            while not (payload["outcome"] or (payload["asked"] and payload["ply"] > played)):
                payload = talk.hear("game")
        assert payload["legal"] == []
        assert payload["outcome"]["text"]


def test_undo_redo_and_playing_on_from_any_move(talk: Talk) -> None:
    talk.say("new_game", **TWO_PEOPLE)
    for ply, move in enumerate(["e2", "e8", "e3"]):
        talk.say("play_move", move=move, ply=ply)
    talk.hear("game", ply=3)
    talk.say("undo")
    assert talk.hear("game", ply=2)["undone"] == 1
    talk.say("redo")
    talk.hear("game", ply=3)
    assert talk.ask("show", "position", ply=1)["board"]["pawns"] == ["e2", "e9"]
    talk.say("play_move", move="e2h", ply=1)
    assert talk.hear("game", ply=2)["moves"] == ["e2", "e2h"]
    talk.say("go_to", ply=0)
    assert talk.hear("game", ply=0)["undone"] == 2


def test_a_move_that_the_rules_forbid_changes_nothing(talk: Talk) -> None:
    talk.say("new_game", **TWO_PEOPLE)
    talk.say("play_move", move="e3h", ply=0)
    talk.hear("game", ply=1)
    refused = talk.ask("play_move", "refused", move="d3h", ply=1)
    assert "overlaps the wall at e3h" in refused["text"]
    assert talk.ask("why", "why", move="d3h", ply=1)["reason"].endswith("the wall at e3h")
    assert talk.ask("why", "why", move="e8", ply=1)["reason"] is None
    # An earlier position stays where it was, too.
    assert "no pawn move" in talk.ask("play_move", "refused", move="e5", ply=0)["text"]
    assert talk.ask("show", "position", ply=1)["moves"] == ["e3h"]


def test_it_is_not_for_a_page_to_move_an_agents_pieces(talk: Talk) -> None:
    talk.say("new_game", game="quoridor", player1="engine:time=1", player2="human")
    assert "turn of engine" in talk.ask("play_move", "refused", move="e2", ply=0)["text"]


def test_seats_can_change_hands(talk: Talk) -> None:
    talk.say("new_game", **TWO_PEOPLE)
    talk.hear("game", number=2)
    talk.say("take_seat", player=1, who="random")
    game = talk.hear("game", ply=1)
    assert game["people"] == [False, True]
    assert "player of the list" in talk.ask("take_seat", "refused", player=1, who="zero")["text"]
    assert "player 1 or 2" in talk.ask("take_seat", "refused", player=3, who="human")["text"]


def test_resigning_is_for_people(talk: Talk) -> None:
    talk.say("new_game", **AGAINST_RANDOM)
    talk.hear("game", number=2)
    talk.say("resign")
    assert talk.hear("game", to_move=None)["outcome"]["winner"] == 2
    assert "over" in talk.ask("resign", "refused")["text"]


def test_clocks_run_and_end_a_game(talk: Talk) -> None:
    talk.say("new_game", **TWO_PEOPLE, time="0.3")
    game = talk.hear("game", control="0.3")
    assert game["running"] is None
    talk.say("play_move", move="e2", ply=0)
    assert talk.hear("game", ply=1)["running"] == 2
    assert talk.hear("game", to_move=None)["outcome"] == {
        "winner": 1,
        "reason": "time",
        "text": "player 1 won (time)",
    }


@pytest.mark.parametrize(
    "wrong",
    [
        {"settings": {"Board": "2"}},
        {"settings": {"Board": "ten"}},
        {"settings": {"Walls": "500"}},
        {"settings": {"Rows": "5"}},
        {"time": "soon"},
        {"position": "9 e1"},
    ],
)
def test_a_game_that_cannot_be_is_refused_and_the_old_one_stays(
    talk: Talk, wrong: dict[str, Any]
) -> None:
    talk.say("new_game", **TWO_PEOPLE)
    talk.say("play_move", move="e2", ply=0)
    talk.hear("game", ply=1)
    assert talk.ask("new_game", "refused", **TWO_PEOPLE, **wrong)["text"]
    assert talk.ask("show", "position", ply=1)["moves"] == ["e2"]


def test_a_hint_is_a_legal_move_and_moves_nothing(start: Start) -> None:
    with start(move_time_s=0.1).connect() as talk:
        talk.hello()
        payload = talk.hear("game")
        hint = talk.ask("hint", "hint")
        assert hint["move"] in payload["legal"]
        assert talk.ask("show", "position", ply=9)["moves"] == []


def test_two_windows_show_the_same_game(site: Site) -> None:
    with site.connect() as one, site.connect() as other:
        name = one.hello()
        one.say("new_game", **TWO_PEOPLE)  # an agent might answer before the first move is told
        one.hear("game", people=[True, True])
        assert other.hello(name) == name
        one.say("play_move", move="e2", ply=0)
        assert other.hear("game", ply=1)["moves"] == ["e2"]


# Rest and restart.


def test_a_restart_loses_no_game(start: Start) -> None:
    first = start()
    with first.connect() as talk:
        name = talk.hello()
        talk.say("new_game", **TWO_PEOPLE, settings={"Board": "7"}, time="600")
        talk.say("play_move", move="d2", ply=0)
        talk.hear("game", ply=1)
    first.stop()
    with start().connect() as talk:
        assert talk.hello(name) == name
        game = talk.hear("game")
        assert (game["moves"], game["board"]["size"], game["control"]) == (["d2"], 7, "600")
        talk.say("play_move", move="d6", ply=1)
        talk.hear("game", ply=2)


def test_who_was_an_agent_is_one_again_and_who_was_not_is_not(start: Start) -> None:
    first = start()
    with first.connect() as talk:
        name = talk.hello()
        talk.say("new_game", **AGAINST_RANDOM)
        talk.say("play_move", move="e2", ply=0)
        talk.hear("game", ply=2)
    with first.connect() as talk:
        other = talk.hello()
        talk.say("paste", text='[Player1 "hard"] [Player2 "random"] 1. e2 *')
        talk.hear("game", ply=1)
    first.stop()
    second = start()
    with second.connect() as talk:
        talk.hello(name)
        assert talk.hear("game")["people"] == [True, False]
    with second.connect() as talk:
        talk.hello(other)
        game = talk.hear("game")
        assert (game["people"], game["names"]) == ([True, True], ["hard", "random"])


def test_games_without_viewers_are_suspended_and_resumed(start: Start) -> None:
    site = start(unwatched_s=0.05)
    with site.connect() as talk:
        name = talk.hello()
        talk.say("new_game", **TWO_PEOPLE)
        talk.say("play_move", move="e2", ply=0)
        talk.hear("game", ply=1)
    wait_until(lambda: name not in site.active_sessions)
    with site.connect() as talk:
        assert talk.hello(name) == name
        game = talk.hear("game")
        assert game["moves"] == ["e2"]
        assert game["number"] == 1  # it was read from the disk, and so it is its first game


def test_a_page_where_nothing_happens_is_let_go(start: Start) -> None:
    with start(unwatched_s=0.05, idle_s=0.1).connect() as talk:
        talk.hello()
        with pytest.raises(ConnectionClosed) as caught:
            talk.hear("nothing")
        assert caught.value.rcvd is not None
        assert caught.value.rcvd.code == 4001


def test_an_error_in_a_handler_is_reported(
    start: Start, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(*_: object) -> None:
        raise RuntimeError("an error in a handler")

    monkeypatch.setitem(application._HANDLERS, NewGameMessage, fail)
    with start().connect() as talk:
        talk.hello()
        talk.say("new_game", **TWO_PEOPLE)
        with pytest.raises(ConnectionClosed):
            talk.hear("nothing")
    wait_until(lambda: "an error in a handler" in caplog.text)


def test_an_unknown_or_damaged_session_is_a_new_game(
    start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    site = start()
    known = "a" * 22
    damaged = site.config.folder / f"{known}.json"
    damaged.write_text('{"record": 7}')
    for name in ("b" * 22, known, "../../etc/passwd", "", "x" * 200):
        with site.connect() as talk:
            assert talk.hello(name) != name
            assert talk.hear("game")["moves"] == []
    assert capsys.readouterr().err.count(f"plyground: cannot read the game in {damaged}: ") == 1


@pytest.mark.parametrize(
    ("language", "text"), [("en", "There is no such page"), ("fr", "Cette page")]
)
def test_a_missing_page_leads_to_others(site: Site, language: str, text: str) -> None:
    status, _, body = get(site, "/nope", **{"accept-language": language})
    page = body.decode()
    assert (status, text in page, 'href="/learn"' in page) == (404, True, True)


def test_the_oldest_sessions_go_when_there_are_too_many(start: Start, tmp_path: Path) -> None:
    folder = tmp_path / "web"
    folder.mkdir()
    for number in range(9):
        (folder / f"{number:022}.json").write_text("{}")
    start(unwatched_s=0.05, most_stored=3)
    wait_until(lambda: len(list(folder.glob("*.json"))) == 3)


# Limits.


def test_too_many_sessions_are_turned_away_unless_one_can_rest(start: Start) -> None:
    site = start(most_active=2)
    with site.connect() as one, site.connect() as two:
        one.hello()
        two.hello()
        with site.connect() as three, pytest.raises(ConnectionClosed) as caught:
            three.hello()
        assert caught.value.rcvd is not None
        assert (caught.value.rcvd.code, "later" in caught.value.rcvd.reason) == (1013, True)
    with site.connect() as four:
        four.hello()


def test_a_session_has_only_so_many_windows(start: Start) -> None:
    site = start(connections_per_session=2)
    with site.connect() as one, site.connect() as two, site.connect() as three:
        name = one.hello()
        two.hello(name)
        with pytest.raises(ConnectionClosed, match="too many windows"):
            three.hello(name)


def test_there_are_only_so_many_connections(start: Start) -> None:
    site = start(most_connections=1)
    with site.connect() as one:
        one.hello()
        with pytest.raises((InvalidStatus, ConnectionClosed)), site.connect() as two:
            two.hello()


def test_messages_may_not_be_too_long_or_too_many(start: Start) -> None:
    site = start(messages_per_s=1, messages_at_once=5)
    with site.connect() as talk:
        talk.hello()
        talk.socket.send("x" * 70_000)
        with pytest.raises(ConnectionClosed) as caught:
            talk.hear("nothing")
        assert caught.value.rcvd is not None
        assert caught.value.rcvd.code == 1009
    with site.connect() as talk:
        talk.hello()
        for _ in range(6):
            talk.say("undo")
        with pytest.raises(ConnectionClosed, match="too many messages"):
            talk.hear("nothing")


def test_a_connection_begins_with_hello_and_in_text(site: Site) -> None:
    with site.connect() as talk, pytest.raises(ConnectionClosed, match="'hello' first"):
        talk.ask("undo", "game")
    with site.connect() as talk:
        talk.socket.send(b"\x00\xff")
        with pytest.raises(ConnectionClosed, match="expected text"):
            talk.hear("game")
    with site.connect() as talk:
        talk.hello()
        assert "only once" in talk.ask("hello", "refused")["text"]


# Nonsense.


def test_any_nonsense_is_refused_and_the_game_goes_on(start: Start, rng: random.Random) -> None:
    """Messages with fields that are right, wrong or missing, in any order."""
    site = start(messages_per_s=10_000, messages_at_once=100_000, move_time_s=0.05)
    values: list[Any] = [
        None, True, -1, 0, 1, 7, 10**12, 0.5, "", "e2", "e3h", "human", "random", "quoridor",
        "reversi", "é\ud800\x00", "9" * 5000, "../../etc/passwd", "a" * 22, [], {}, [[1]],
        "mine-0", "store-0-1", "kept-x", "store--", "mine-²", "1. e2 e8 *", {"type": "undo"},
        {"Board": "4", "Walls": "1"}, {"Board": "x" * 500},
    ]  # fmt: skip
    fields = {
        "new_game": ("game", "player1", "player2", "settings", "time", "position"),
        "play_move": ("move", "ply"),
        "why": ("move", "ply"),
        "show": ("ply",),
        "go_to": ("ply",),
        "take_seat": ("player", "who"),
        "analyse": ("on", "ply"),
        "report": ("on",),
        "policy": ("ply",),
        "paste": ("text",),
        "open_link": ("link",),
        "open_game": ("id",),
        "list_games": ("query", "most", "game", "source"),
        "delete_game": ("id",),
        "watch": ("store", "tournament"),
        "get_puzzle": ("number", "progress"),
        "next_puzzle": ("progress", "without", "game", "board", "theme", "level"),
        "solve_puzzle": ("number", "move", "moves"),
        "hint_puzzle": ("number", "moves"),
        "record_puzzle": ("number", "is_solved", "used_hint", "progress"),
        "get_lesson": ("number",),
        "answer_lesson": ("number", "step", "move"),
        **dict.fromkeys(("undo", "redo", "resign", "hint", "export", "unwatch", "?"), ()),
    }
    with site.connect() as talk:
        talk.hello()
        for _ in range(400):
            name = rng.choice(sorted(fields))
            known = {field: rng.choice(values) for field in fields[name] if rng.random() < 0.9}
            more = {"x": 1} if rng.random() < 0.05 else {}
            talk.socket.send(json.dumps({"type": name, **known, **more}))
        talk.say("analyse", on=False, ply=0)
        talk.say("report", on=False)
        talk.say("new_game", **TWO_PEOPLE, settings={"Board": "3"})
        talk.say("play_move", move="b2", ply=0)
        wait_for = talk.hear("game", moves=["b2"])
        assert wait_for["board"]["size"] == 3


# Records.


def test_a_tried_move_is_judged_and_changes_nothing(talk: Talk) -> None:
    position = "3 b2/a3 - 0/0 1 6 4"  # b3 wins at once
    talk.say("new_game", game="quoridor", player1="human", player2="human", position=position)
    talk.hear("game", moves=[])
    tried = talk.ask("try_move", "tried", move="b1", ply=0)
    assert (tried["class"], tried["before"]) == ("blunder", 1.0)
    assert tried["remarks"][0] == {"kind": "missed_win", "values": {"move": "b3", "win_moves": 1}}
    assert (tried["played"]["from"], tried["line"][0]["move"]) == ("b2", "b3")
    assert talk.ask("try_move", "tried", move="b3", ply=0)["class"] == "best"
    line = talk.ask("show_line", "line", line="b1 a2", ply=0)
    assert [view["board"]["pawns"] for view in line["positions"]] == [
        ["b2", "a3"],
        ["b1", "a3"],
        ["b1", "a2"],
    ]
    for message, fields in [
        ("try_move", {"move": "b9"}),
        ("try_move", {"move": "a1"}),
        ("show_line", {"line": "b1 b1"}),
        ("show_line", {"line": "b1 a2 " * 11}),
    ]:
        talk.ask(message, "refused", ply=0, **fields)
    assert talk.ask("show", "position", ply=0)["moves"] == []


def test_a_rematch_swaps_the_sides_and_keeps_the_rest(talk: Talk) -> None:
    position = "5 c1/c4 - 2/3 2 3 0"
    talk.say(
        "new_game",
        game="quoridor",
        player1="human",
        player2="random",
        position=position,
        time="60+1",
    )
    first = talk.hear("game", control="60+1")
    talk.say("resign")
    talk.hear("game", number=first["number"])
    again = talk.ask("rematch", "game")
    while again["number"] == first["number"]:
        again = talk.hear("game")
    assert (again["names"], again["people"]) == (["random", "human"], [False, True])
    assert (again["board"]["pawns"], again["first"]) == (["c1", "c4"], 2)
    assert again["control"] == "60+1"


def test_a_game_goes_out_and_comes_back(talk: Talk) -> None:
    talk.say("new_game", **TWO_PEOPLE)
    for ply, move in enumerate(["e2", "e8", "e3h"]):
        talk.say("play_move", move=move, ply=ply)
    talk.hear("game", ply=3)
    out = talk.ask("export", "export")
    assert "1. e2" in out["record"]
    assert out["position"] == "9 e2/e8 e3h 9/10 2 3 0"
    for message, key, text in (
        ("paste", "text", out["record"]),
        ("paste", "text", out["position"]),
        ("open_link", "link", out["link"]),
    ):
        talk.say("new_game", **TWO_PEOPLE)
        talk.hear("game", ply=0)
        talk.say(message, **{key: text})
        payload = talk.hear("game", to_move=2)
        assert payload["board"]["walls"] == ["e3h"]
    assert "expected" in talk.ask("paste", "refused", text="what is this?")["text"]


def test_games_that_were_left_are_listed_and_found(talk: Talk) -> None:
    talk.say("new_game", game="reversi", player1="human", player2="human")
    talk.say("play_move", move="f5", ply=0)
    talk.hear("game", ply=1, game="reversi")
    talk.say("new_game", **TWO_PEOPLE)
    talk.hear("game", game="quoridor")
    (found,) = talk.ask("list_games", "games", query="REVERSI human")["games"]
    assert (found["game"], found["plies"], found["source"]) == ("reversi", 1, "your games")
    assert talk.ask("list_games", "games", query="reversi nobody")["games"] == []
    talk.say("open_game", id=found["id"])
    assert talk.hear("game", game="reversi")["moves"] == ["f5"]
    assert "there is no game" in talk.ask("open_game", "refused", id="mine-77")["text"]


def test_own_games_are_listed_in_parts_and_deleted(site: Site) -> None:
    with site.connect() as talk, site.connect() as other:
        talk.hello()
        other.hello()
        talk.say("new_game", **TWO_PEOPLE)
        for number, move in enumerate(("e2", "d1", "f1"), 2):
            talk.hear("game", number=number, ply=0)
            talk.say("play_move", move=move, ply=0)
            talk.hear("game", moves=[move])
            talk.say("new_game", **TWO_PEOPLE)
        found = talk.ask("list_games", "games", most=2)
        assert (len(found["games"]), found["more"]) == (2, True)
        found = talk.ask("list_games", "games", source="mine", game="quoridor")
        assert (len(found["games"]), found["more"]) == (3, False)
        assert talk.ask("list_games", "games", game="reversi")["games"] == []
        ids = [game["id"] for game in found["games"]]
        assert "no game of yours" in other.ask("delete_game", "refused", id=ids[1])["text"]
        talk.say("delete_game", id=ids[1])
        left = talk.ask("list_games", "games")["games"]
        assert [game["id"] for game in left] == [ids[0], ids[2]]
        assert "no game of yours" in talk.ask("delete_game", "refused", id=ids[1])["text"]
        talk.say("open_game", id=ids[2])
        assert talk.hear("game", ply=1)["moves"] == ["e2"]


def test_an_illegal_move_is_refused_as_pointing_at_it_explains(site: Site) -> None:
    with site.connect() as talk:
        talk.hello()
        refused = talk.ask("play_move", "refused", move="e5", ply=0)["text"]
        assert refused == talk.ask("why", "why", move="e5", ply=0)["reason"]
        assert refused == "e5 is not possible: no pawn move leads there"
        text = talk.ask("paste", "refused", text="1. e2 e8 2. e9")["text"]
        assert "e9 is not possible: no pawn move leads there" in text
        assert " in '" not in text


def test_games_of_the_terminal_are_listed_and_those_of_others_are_not(
    start: Start, tmp_path: Path
) -> None:
    autosaves = tmp_path / "autosave"
    autosaves.mkdir()
    text = format_record(Record.from_moves(["e2"], tags={"Player1": "Zoe", "Player2": "hard"}))
    (autosaves / "quoridor-1.pgn").write_text(text)
    (autosaves / "quoridor-2.pgn").write_text("nonsense")
    site = start(autosaves=autosaves)
    with site.connect() as one, site.connect() as other:
        one.hello()
        other.hello()
        one.say("play_move", move="e3h", ply=0)
        one.say("new_game", **TWO_PEOPLE)
        one.hear("game", number=2)
        names = [game["player1"] for game in one.ask("list_games", "games")["games"]]
        assert names == ["human", "Zoe"]
        (found,) = other.ask("list_games", "games")["games"]
        other.say("open_game", id=found["id"])
        assert other.hear("game", ply=1)["names"] == ["Zoe", "hard"]


def test_new_games_have_the_settings_of_the_server(start: Start) -> None:
    settings = {"quoridor": {"Board": "5", "Walls": "3", "MaxMoves": "40"}}
    with start(settings=settings).connect() as talk:
        talk.say("hello")
        info = talk.hear("welcome")["games"]["quoridor"]
        assert info["position"] == "5 c1/c5 - 3/3 1 0 0"
        assert talk.hear("game")["settings"] == settings["quoridor"]
        talk.say("new_game", **TWO_PEOPLE, settings={"Walls": "1"})
        assert talk.hear("game", number=2)["settings"] == settings["quoridor"] | {"Walls": "1"}


# One page against the others.


@pytest.mark.parametrize("kind", ["analyse", "hint"])
def test_a_page_that_asks_without_end_does_not_hold_up_others(start: Start, kind: str) -> None:
    earlier = set(threading.enumerate())  # other tests may leave threads that are about to end
    site = start(cores=1, messages_per_s=1e6, messages_at_once=10**6)
    with site.connect() as greedy, site.connect() as other:
        for talk in (greedy, other):
            talk.hello()
            talk.say("new_game", **AGAINST_RANDOM)
            talk.hear("game", number=2)
        fields = {"on": True, "ply": 0} if kind == "analyse" else {}
        for number in range(300):
            greedy.say(kind, **fields)
            if number % 100 == 99:
                greedy.ask("show", "position", ply=0)
        names = [thread.name for thread in set(threading.enumerate()) - earlier]
        assert sum(name.startswith(("web-lines", "plyground-")) for name in names) <= 2
        other.say("play_move", move="e2", ply=0)
        other.hear("game", ply=2)


def test_half_requests_do_not_keep_others_out(
    start: Start, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(LimitedProtocol, "request_timeout_s", 3.0)
    site = start()
    with ExitStack() as stack:
        peers = []
        for _ in range(300):
            peer = socket.create_connection(("127.0.0.1", site.port), timeout=20)
            peers.append(stack.enter_context(peer))
            with suppress(ConnectionError):
                peer.sendall(b"GET / HTTP/1.1\r\nHost: ")
        assert get(site, "/")[0] == 200
        with site.connect() as talk:
            talk.hello()
            for peer in peers:  # those that are left end with their time
                with suppress(ConnectionError):
                    assert peer.recv(1) == b""
            talk.say("new_game", **TWO_PEOPLE)
            talk.hear("game", number=2)
    assert capsys.readouterr().err.count("too many incomplete requests") == 1


class QueuedSite(Site):
    """A server that finds connections in its queue: a complete request before 100 incomplete ones.

    It accepts all of them before it reads any.
    """

    def _run(self) -> None:
        address = ("127.0.0.1", self.port)
        self.peers = [socket.create_connection(address, timeout=20) for _ in range(101)]
        for peer in self.peers:
            peer.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        self.peers[0].sendall(b"\r\n")
        super()._run()


def test_a_complete_request_is_answered_whatever_comes_after_it(tmp_path: Path) -> None:
    site = QueuedSite(config_for(tmp_path))
    with ExitStack() as stack:
        stack.callback(site.stop)
        for peer in site.peers:
            stack.enter_context(peer)
        assert site.peers[0].recv(12) == b"HTTP/1.1 200"


# Exact results.


def test_an_analysis_ends_once_all_lines_are_exact(talk: Talk) -> None:
    talk.say("new_game", **{**TWO_PEOPLE, "game": "reversi"}, position=ENDGAME)
    talk.hear("game", game="reversi")
    talk.received.clear()
    talk.say("analyse", on=True, ply=0)
    found = talk.hear("analysis", done=True)
    lines = [(line["exact"], line["chance"], line["moves"][0]["move"]) for line in found["lines"]]
    assert lines[:2] == [(2.0, 1.0, "d1"), (0.0, 0.5, "g3")]
    assert lines[2][:2] == (-2.0, 0.0)
    assert (found["lines"][0]["score"], found["chance"]) == ("+2 discs", 1.0)
    # An analysis in four rounds takes twelve seconds.
    assert [message["type"] for message in talk.received].count("analysis") <= 2


def test_a_report_says_from_which_ply_on_results_are_exact(talk: Talk) -> None:
    talk.say("new_game", **{**TWO_PEOPLE, "game": "reversi"}, position=ENDGAME)
    talk.ask("play_move", "game", move="g3", ply=0)
    report = talk.ask("report", "report", on=True)
    while "chances" not in report:
        report = talk.hear("report")
    assert (report["chances"], report["exact_from"]) == ([1.0, 0.5], 1)
    (mistake,) = report["mistakes"]
    assert (mistake["mark"], mistake["before"], mistake["after"]) == ("??", 1.0, 0.5)
    assert mistake["is_exact"]
    tried = talk.ask("try_move", "tried", move="d1", ply=0)
    assert (tried["class"], tried["after"], tried["is_exact"]) == ("best", 1.0, True)


def test_a_report_of_estimates_has_no_exact_results(talk: Talk) -> None:
    talk.say("new_game", **TWO_PEOPLE, settings={"Board": "5"})
    talk.ask("play_move", "game", move="c2", ply=0)
    report = talk.ask("report", "report", on=True)
    while "chances" not in report:
        report = talk.hear("report")
    assert report["exact_from"] is None
