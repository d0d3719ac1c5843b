"""Show matches: pages share them, and they run only while they are watched."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from plyground.errors import ConfigError
from plyground.json_types import JsonObject
from plyground.ui.web import show_match
from plyground.ui.web.players import SharedPlayers
from plyground.ui.web.show_match import ShowMatches

from .conftest import Searches, Site, config_for

Start = Callable[..., Site]


class Page:
    """A connection that keeps what it gets."""

    def __init__(self) -> None:
        self.payloads: list[JsonObject] = []

    def send(self, payload: JsonObject) -> None:
        self.payloads.append(payload)

    async def wait_for(self, is_there: Callable[[JsonObject], bool]) -> JsonObject:
        while True:
            for payload in self.payloads:
                if is_there(payload):
                    return payload
            await asyncio.sleep(0.01)


def test_all_pages_see_one_match_and_the_last_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(show_match, "PAUSE_S", 0.01)
    searches = Searches()
    settings = {"quoridor": {"Board": "3"}}
    config = config_for(tmp_path, move_time_s=0.05, watched_pace_s=0.0, settings=settings)

    async def watch() -> None:
        matches = ShowMatches(config, SharedPlayers(config))
        match = matches.of("quoridor")
        assert matches.of("quoridor") is match
        first, second = Page(), Page()
        match.join(first)
        ended = await first.wait_for(lambda payload: payload["result"] != "")
        assert ended["is_show"] is True
        match.join(second)
        await second.wait_for(lambda payload: payload["result"] == "")  # the next game
        assert first.payloads[-1]["names"] == second.payloads[-1]["names"]
        later = first.payloads.index(ended) + 1
        await first.wait_for(lambda payload: payload in first.payloads[later:])
        match.leave(first)
        match.leave(second)
        seen = len(second.payloads)
        await asyncio.sleep(0.05)
        assert len(second.payloads) == seen
        with pytest.raises(ConfigError, match="chess"):
            matches.of("chess")

    asyncio.run(asyncio.wait_for(watch(), 60))
    searches.wait_for_end()


def test_a_page_that_leaves_or_is_closed_ends_the_match(start: Start) -> None:
    site, searches = start(move_time_s=0.1), Searches()
    with site.connect() as talk:
        talk.hello()
        talk.ask("watch", "refused", show="chess")
        talk.ask("watch", "watched", show="reversi")
        assert talk.hear("watched", game="reversi")["ply"] >= 1
        talk.say("unwatch")
        searches.wait_for_end()
        talk.ask("watch", "watched", show="quoridor")
    searches.wait_for_end()
