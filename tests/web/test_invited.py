"""Games between two people who were invited: links, seats, watchers, restarts and limits."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

import plyground
from plyground.games import registry
from plyground.play import LiveGame, Seat, TimeControl
from plyground.ui.web.invited_games import DAY_S, InvitedGames, UnknownGame
from plyground.ui.web.invited_session import Invitation, clean_name, digest_of
from plyground.ui.web.messages import PlayMove
from plyground.ui.web.players import SharedPlayers
from plyground.ui.web.rate_limiter import AddressLimiter
from plyground.ui.web.texts import LANGUAGES, texts
from tests.waiting import wait_until

from .conftest import Site, Talk, config_for
from .test_server import get

Start = Callable[..., Site]
NO_GAME, TRY_LATER = 4004, 1013
FROM_AFAR = {"additional_headers": {"x-forwarded-for": "192.0.2.7"}}


class Table:
    """An invited game of a site, and how to join it."""

    def __init__(self, site: Site, **settings: Any) -> None:
        self.site = site
        with site.connect() as talk:
            talk.hello()
            wanted = {"game": "quoridor", "seat": 1, "name": "Ann", **settings}
            invited = talk.ask("invite", "invited", **wanted)
        self.game: str = invited["game"]
        self.keys: tuple[str, str] = invited["key"], invited["other_key"]
        if wanted["seat"] == 2:
            self.keys = self.keys[1], self.keys[0]

    @contextmanager
    def join(self, player: int | None, **more: Any) -> Iterator[Talk]:
        """Join as a player, or as a watcher."""
        with self.site.connect(**more) as talk:
            key = None if player is None else self.keys[player - 1]
            welcome = talk.ask("hello", "welcome", invited=self.game, key=key)
            assert welcome["invited"] == self.game
            assert welcome["session"] is None
            yield talk

    @contextmanager
    def players(self) -> Iterator[tuple[Talk, Talk]]:
        with self.join(1) as one, self.join(2) as two:
            for talk in (one, two):
                hear(talk, lambda game: game["shared"]["present"] == [True, True])
            yield one, two


def hear(talk: Talk, is_wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The next game that is as wanted."""
    while not is_wanted(game := talk.hear("game")):
        pass
    return game


def move(mover: Talk, other: Talk, text: str, ply: int) -> dict[str, Any]:
    """Play a move that both hear of; what the other hears."""
    mover.say("play_move", move=text, ply=ply)
    hear(mover, lambda game: game["ply"] == ply + 1)
    return hear(other, lambda game: game["ply"] == ply + 1)


def refused(talk: Talk, type: str, **fields: Any) -> str:  # noqa: A002
    """The key of the refusal of a message."""
    return str(talk.ask(type, "refused", **fields).get("key"))


def closed_code(site: Site, **fields: Any) -> int:
    """Why the server closes a connection that begins with these fields."""
    with site.connect() as talk, pytest.raises(ConnectionClosed) as closed:
        talk.ask("hello", "welcome", **fields)
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


# Playing.


def test_two_people_play_and_a_third_watches(site: Site) -> None:
    table = Table(site)
    with table.players() as (one, two), table.join(None) as third:
        game = hear(third, lambda _: True)
        assert game["shared"]["you"] is None
        assert not game["can_play"]
        two.say("set_name", name=" Bob ")
        assert hear(one, lambda game: game["names"] == ["Ann", "Bob"])["can_play"]
        after = move(one, two, "e2", 0)
        assert after["can_play"]
        assert after["shared"]["you"] == 2
        assert hear(third, lambda game: game["ply"] == 1)["moves"] == ["e2"]
        move(two, one, "e8", 1)
        two.say("resign")
        end = hear(one, lambda game: game["outcome"] is not None)
        assert end["outcome"]["winner"] == 1
        assert end["shared"]["offers"] == ["rematch"]


def test_the_game_waits_for_the_second_player(site: Site) -> None:
    table = Table(site, seat=2)
    with table.join(2) as two:
        game = hear(two, lambda _: True)
        assert game["shared"]["joined"] == [False, True]
        with table.join(1) as one:
            assert hear(two, lambda game: game["shared"]["joined"] == [True, True])
            assert hear(one, lambda game: game["can_play"])["names"] == ["human", "Ann"]
    table = Table(site)
    with table.join(1) as one:
        assert not hear(one, lambda _: True)["can_play"]
        assert refused(one, "play_move", move="e2", ply=0) == "refused.wait"


def test_a_draw_is_offered_refused_and_agreed(site: Site) -> None:
    with Table(site).players() as (one, two):
        move(one, two, "e2", 0)
        one.say("make_offer", kind="draw")
        assert hear(two, lambda game: game["shared"]["offer"] is not None)["shared"]["offer"] == {
            "kind": "draw",
            "player": 1,
        }
        two.say("answer_offer", accept=False)
        hear(
            one, lambda game: not game["shared"]["offer"] and "draw" not in game["shared"]["offers"]
        )
        assert refused(one, "make_offer", kind="draw") == "refused.declined"
        two.say("make_offer", kind="draw")
        hear(one, lambda game: game["shared"]["offer"] is not None)
        one.say("answer_offer", accept=True)
        end = hear(two, lambda game: game["outcome"] is not None)
        assert end["outcome"]["reason"] == "agreement"


def test_a_rematch_swaps_colours_and_keys_stay_those_of_people(site: Site) -> None:
    table = Table(site)
    with table.players() as (one, two):
        move(one, two, "e2", 0)
        one.say("resign")
        hear(two, lambda game: game["outcome"] is not None)
        two.say("make_offer", kind="rematch")
        hear(one, lambda game: game["shared"]["offer"] is not None)
        one.say("answer_offer", accept=True)
        game = hear(one, lambda game: game["outcome"] is None and game["ply"] == 0)
        assert game["shared"]["you"] == 2
        assert game["names"][1] == "Ann"
        assert hear(two, lambda game: game["ply"] == 0)["can_play"]
        listed = one.ask("list_games", "games")["games"]
        assert [(game["source"], game["plies"]) for game in listed] == [("with a friend", 1)]
        two.say("open_game", id=listed[0]["id"])  # the game before opens in a session of its own
        assert two.hear("welcome")["invited"] is None
        assert two.hear("game", moves=["e2"])["names"] == ["Ann", "human"]
        assert two.ask("open_game", "refused", id=listed[0]["id"])["text"].startswith("there is no")
    with table.join(1) as one:  # the same link, now for the other colour
        assert hear(one, lambda _: True)["shared"]["you"] == 2


def test_who_leaves_for_too_long_has_lost(start: Start) -> None:
    table = Table(start(away_s=0.05))
    with table.join(1) as one:
        with table.join(2) as two:
            hear(one, lambda game: game["shared"]["present"] == [True, True])
            move(one, two, "e2", 0)
            assert refused(one, "claim_game") == "refused.present"
        left = hear(one, lambda game: game["shared"]["present"] == [True, False])
        assert left["shared"]["claim_in_s"] is not None
        time.sleep(0.06)  # no event tells that the time has passed
        one.say("claim_game")
        end = hear(one, lambda game: game["outcome"] is not None)
        assert end["outcome"] == {
            "winner": 1,
            "reason": "abandoned",
            "text": "player 1 won (abandoned)",
        }


def test_a_restart_loses_nothing(start: Start) -> None:
    site = start()
    table = Table(site, time="300+5")
    with table.players() as (one, two):
        move(one, two, "e2", 0)
        move(two, one, "e8", 1)
        move(one, two, "e3", 2)
        one.say("make_offer", kind="take_back")
        hear(two, lambda game: game["shared"]["offer"] is not None)
        two.say("answer_offer", accept=True)
        hear(one, lambda game: game["ply"] == 2)
        one.say("make_offer", kind="draw")
        hear(two, lambda game: game["shared"]["offer"] is not None)
        site.stop()
    table.site = start()
    with table.players() as (one, two):
        two.say("show", ply=0)
        two.hear("position")
        assert two.received[-2]["moves"] == ["e2", "e8"]
        assert two.received[-2]["shared"]["offer"] == {"kind": "draw", "player": 1}
        assert two.received[-2]["running"] == 1
        assert two.received[-2]["names"] == ["Ann", "human"]
        after = move(one, two, "d2", 2)
        assert after["moves"] == ["e2", "e8", "d2"]
        end = {node["node"]: node["move"] for node in after["tree"]}[after["main_end"]]
        assert end == "d2"


def test_clocks_start_with_the_first_move_and_go_on_without_pages(tmp_path: Path) -> None:
    async def play() -> None:
        config = config_for(tmp_path, unwatched_s=-1.0)
        games = InvitedGames(config, SharedPlayers(config))
        control = TimeControl(600)
        name, keys = games.create(LiveGame({1: Seat(), 2: Seat()}, control=control), False)
        listeners = Listener(), Listener()
        for key, listener in zip(keys, listeners, strict=True):
            session = await games.join(name, key, listener)
        assert not session.has_running_clock
        session.play(listeners[0], PlayMove("e2", 0))
        for listener in listeners:
            games.leave(session, listener)
        await games.suspend_idle()
        assert games.active == {name: session}  # time goes on, although no page is open
        assert session.live.running == 2
        session.live.resign(2)
        await games.suspend_idle()
        assert games.active == {}
        await games.close()

    asyncio.run(play())


def test_another_game_leaves_the_invited_one(site: Site) -> None:
    table = Table(site)
    with table.players() as (one, two):
        move(one, two, "e2", 0)
        one.say("new_game", game="reversi", player1="human", player2="human")
        assert one.hear("welcome")["session"] is not None
        one.hear("game", game="reversi")
        left = hear(two, lambda game: game["shared"]["present"] == [False, True])
        assert left["moves"] == ["e2"]


# What others cannot do.


def test_a_player_cannot_move_for_the_other(site: Site) -> None:
    with Table(site).players() as (one, two):
        assert refused(two, "play_move", move="e2", ply=0) == "refused.turn"
        move(one, two, "e2", 0)
        assert refused(one, "play_move", move="e8", ply=1) == "refused.turn"
        one.say("make_offer", kind="draw")
        assert refused(one, "answer_offer", accept=True) == "refused.no_offer"
        one.say("resign")
        assert hear(two, lambda game: game["outcome"] is not None)["outcome"]["winner"] == 2


@pytest.mark.parametrize(
    ("type", "fields"),
    [
        ("undo", {}),
        ("redo", {}),
        ("go_to", {"ply": 0}),
        ("take_seat", {"player": 2, "who": "master"}),
        ("hint", {}),
        ("analyse", {"on": True}),
        ("report", {"on": True}),
        ("policy", {"ply": 0}),
        ("annotate", {"node": 1, "comment": "x"}),
        ("promote", {"node": 1}),
        ("delete_variation", {"node": 1}),
        ("restore_variation", {}),
    ],
)
def test_nothing_changes_the_game_behind_the_opponents_back(
    site: Site,
    type: str,  # noqa: A002
    fields: dict[str, Any],
) -> None:
    table = Table(site)
    with table.players() as (one, two):
        move(one, two, "e2", 0)
        assert refused(one, type, **fields) == "refused.alone"
        assert refused(two, type, **fields) == "refused.alone"
        with table.join(None) as third:
            assert hear(third, lambda _: True)["moves"] == ["e2"]


@pytest.mark.parametrize(
    ("type", "fields"),
    [
        ("play_move", {"move": "e2", "ply": 0}),
        ("resign", {}),
        ("make_offer", {"kind": "draw"}),
        ("answer_offer", {"accept": True}),
        ("claim_game", {}),
        ("set_name", {"name": "Ann"}),
    ],
)
def test_watchers_only_watch(site: Site, type: str, fields: dict[str, Any]) -> None:  # noqa: A002
    table = Table(site)
    with table.players(), table.join(None) as third:
        assert refused(third, type, **fields) == "refused.watching"


def test_these_messages_are_for_invited_games_only(site: Site) -> None:
    with site.connect() as talk:
        talk.hello()
        text = talk.ask("make_offer", "refused", kind="draw")["text"]
        assert text == "expected this message in an invited game"


def test_a_private_game_cannot_be_watched_and_a_key_cannot_be_guessed(site: Site) -> None:
    private = Table(site, private=True)
    public = Table(site)
    unknown = closed_code(site, invited="a" * 22)
    assert unknown == NO_GAME
    assert closed_code(site, invited=private.game) == NO_GAME
    for table in (private, public):
        wrong = public.keys if table is private else private.keys
        for key in ("", "a" * 22, wrong[0], table.game, digest_of(table.keys[0]), "\x00é"):
            assert closed_code(site, invited=table.game, key=key) == NO_GAME
    assert closed_code(site, invited="../" + private.game) == NO_GAME
    with private.players() as (one, _):
        assert one.received[-1]["shared"]["private"]


def test_the_address_of_a_game_is_not_a_session_and_the_other_way_round(site: Site) -> None:
    table = Table(site)
    with site.connect() as talk:
        session = talk.hello(table.game)
        assert session != table.game
    assert closed_code(site, invited=session) == NO_GAME


def test_keys_are_long_random_and_kept_nowhere(
    start: Start,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    site = start()
    tables = [Table(site) for _ in range(3)]
    secrets = {text for table in tables for text in (table.game, *table.keys)}
    assert len(secrets) == 9
    assert all(len(text) == 22 for text in secrets)  # 128 bits
    keys = [key for table in tables for key in table.keys]
    with tables[0].players() as (one, two):
        move(one, two, "e2", 0)
        one.ask("play_move", "refused", move=keys[0], ply=1)
        heard = [message for talk in (one, two) for message in talk.received]
    assert not any(
        key in str(message) for key in keys for message in heard if "text" not in message
    )
    site.stop()
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    printed = "".join(capfd.readouterr())
    for key in keys:
        assert key.encode() not in kept
        assert key not in printed
    # The library of the test's own client logs what it sends; the server's loggers are silent.
    served = [log for log in caplog.records if not log.name.startswith("websockets.client")]
    assert not any(key in log.getMessage() for key in keys for log in served)
    files = list((tmp_path / "web" / "invited").iterdir())
    assert files
    assert all(path.stat().st_mode & 0o077 == 0 for path in (*files, files[0].parent))


def test_keys_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []

    def compare(one: str, other: str) -> bool:
        compared.append((one, other))
        return one == other

    monkeypatch.setattr("plyground.ui.web.invited_session.hmac.compare_digest", compare)
    invitation = Invitation((digest_of("one"), digest_of("two")))
    assert [invitation.player_of(key) for key in ("one", "two", "three")] == [1, 2, None]
    assert len(compared) == 6  # both digests, whichever fits


def test_the_address_of_a_game_is_the_page_and_tells_no_referrer(site: Site) -> None:
    status, headers, body = get(site, f"/game/{'a' * 22}")
    assert status == 200
    assert headers["referrer-policy"] == "no-referrer"
    assert b"main.js" in body
    for path in ("/game/", f"/game/{'a' * 22}/x", f"/game/{'a' * 101}"):
        assert get(site, path)[0] == 404


@pytest.mark.parametrize(
    ("type", "fields"),
    [
        ("invite", {"game": "chess"}),
        ("invite", {"game": "quoridor", "seat": 3}),
        ("invite", {"game": "quoridor", "seat": -1}),
        ("invite", {"game": "quoridor", "name": "a" * 31}),
        ("invite", {"game": "quoridor", "name": "a\u202eb"}),
        ("invite", {"game": "quoridor", "time": "soon"}),
        ("invite", {"game": "quoridor", "settings": {"Board": "1000"}}),
        ("invite", {"game": "quoridor", "position": "nowhere"}),
        ("invite", {"game": "quoridor", "private": 1}),
        ("invite", {"game": "quoridor", "player1": "engine:./program"}),
    ],
)
def test_an_invitation_that_cannot_be_is_refused(
    site: Site,
    tmp_path: Path,
    type: str,  # noqa: A002
    fields: dict[str, Any],
) -> None:
    with site.connect() as talk:
        talk.hello()
        assert talk.ask(type, "refused", **fields)["text"]


def test_bad_messages_in_a_game_change_nothing(site: Site) -> None:
    with Table(site).players() as (one, two):
        for type_, fields in (
            ("make_offer", {"kind": "money"}),
            ("make_offer", {}),
            ("answer_offer", {"accept": "yes"}),
            ("set_name", {"name": "x" * 31}),
            ("set_name", {"name": "a\nb\x07"}),
            ("play_move", {"move": "e2", "ply": 1}),
            ("play_move", {"move": "e2", "ply": 0, "node": 5}),
            ("hello", {}),
            ("hello", {"invited": "a" * 22, "key": "b" * 22}),
        ):
            assert one.ask(type_, "refused", **fields)["text"]
        assert move(one, two, "e2", 0)["names"] == ["Ann", "human"]


def test_names_are_plain_text() -> None:
    assert clean_name(" <b>Ann</b>  ") == "<b>Ann</b>"
    assert clean_name(' "Ann" \\ ') == '"Ann" \\'


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_has_a_text(language: str) -> None:
    package = Path(str(plyground.__file__)).parent
    sources = [path.read_text() for path in package.rglob("*.py")]
    keys = set(re.findall(r'RefusedActionError\(\s*"(\w+)"', "".join(sources)))
    assert {"turn", "watching", "declined"} <= keys
    assert {f"refused.{key}" for key in keys} <= set(texts(language))


# Limits.


def test_no_invitation_beyond_the_limit_and_none_is_removed_for_it(start: Start) -> None:
    site = start(most_invited=2)
    tables = [Table(site), Table(site)]
    with site.connect() as talk:
        talk.hello()
        assert "too many" in talk.ask("invite", "refused", game="quoridor")["text"]
    site.stop()
    again = start(most_invited=2)  # counted again after a restart
    with again.connect() as talk:
        talk.hello()
        talk.ask("invite", "refused", game="quoridor")
    tables[0].site = again
    with tables[0].players():
        pass


def test_an_address_can_create_only_so_many_games(start: Start) -> None:
    site = start(invitations_at_once=2, invitations_per_s=1e-6)
    with site.connect(**FROM_AFAR) as talk:
        talk.hello()
        for _ in range(2):
            talk.ask("invite", "invited", game="quoridor")
        assert refused(talk, "invite", game="quoridor") == "refused.many"
    other = {"additional_headers": {"x-forwarded-for": "192.0.2.8"}}
    with site.connect(**other) as talk:
        talk.hello()
        talk.ask("invite", "invited", game="quoridor")


def test_an_address_can_connect_only_so_often_and_so_much(start: Start) -> None:
    site = start(greetings_at_once=2, greetings_per_s=1e-6, connections_per_address=2)
    with site.connect(**FROM_AFAR) as one, site.connect(**FROM_AFAR) as two:
        one.hello()
        two.hello()
        with pytest.raises(InvalidStatus), site.connect(**FROM_AFAR):
            pass
    wait_until(lambda: _is_refused_politely(site))
    with site.connect() as talk:
        talk.hello()  # this machine has no limit


def _is_refused_politely(site: Site) -> bool:
    """Whether an address may connect again, and is told to wait when it greets."""
    try:
        with site.connect(**FROM_AFAR) as talk, pytest.raises(ConnectionClosed) as closed:
            talk.ask("hello", "welcome")
    except InvalidStatus:
        return False
    return closed.value.rcvd is not None and closed.value.rcvd.code == TRY_LATER


def test_a_game_has_only_so_many_watchers_and_windows_of_a_player(start: Start) -> None:
    table = Table(start(most_watchers=1, connections_per_session=1))
    with table.join(None), table.join(1):
        assert closed_code(table.site, invited=table.game) == TRY_LATER
        assert closed_code(table.site, invited=table.game, key=table.keys[0]) == TRY_LATER
        with table.join(2):
            pass


def test_addresses_are_forgotten_when_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plyground.ui.web.rate_limiter.MOST_ADDRESSES", 2)
    limiter = AddressLimiter(per_s=0.0, at_once=1, now=lambda: 0.0)
    assert [limiter.take(each) for each in ("a", "a", "b", "a", "c", "b")] == [
        True,
        False,
        True,
        False,
        True,
        True,  # it was the longest unused one
    ]
    assert all(limiter.take(None) for _ in range(9))


def test_games_expire(tmp_path: Path) -> None:
    async def play() -> None:
        config = config_for(tmp_path)
        games = InvitedGames(config, SharedPlayers(config))
        live = LiveGame({1: Seat("Ann"), 2: Seat("Bob")}, registry.default().start())
        waiting, (key, _) = games.create(live, is_private=False)
        played, keys = games.create(live, is_private=False)
        for each in keys:
            await games.join(played, each, Listener())
        await games._suspend(games.active[played])

        async def expire_after(days: float) -> int:
            then = time.time() - days * DAY_S
            for path in (tmp_path / "invited").glob("*.json"):
                os.utime(path, (then, then))
            await games.remove_expired()
            return games.store.count()

        assert games.store.load(played) is not None  # all is written
        assert await expire_after(1) == 2
        assert await expire_after(3) == 1
        with pytest.raises(UnknownGame):
            await games.join(waiting, key, Listener())
        assert await expire_after(31) == 0
        await games.close()

    asyncio.run(play())


class Listener:
    """A page that only listens."""

    def send(self, payload: dict[str, Any]) -> None:
        pass

    def suspend(self) -> None:
        pass
