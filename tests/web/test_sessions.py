"""Sessions that rest and wake, on a disk that takes its time, with messages that cross."""

from __future__ import annotations

import asyncio
import json
import queue
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plyground.play import Record, Seat
from plyground.play.events import Event, HintFound
from plyground.ui.web.messages import NewGame, parse_message
from plyground.ui.web.seats import Seats
from plyground.ui.web.session import Session
from plyground.ui.web.session_files import KeptSession, SessionFiles
from plyground.ui.web.sessions import Sessions

from .conftest import config_for

ONE, OTHER = "a" * 22, "b" * 22


class Listener:
    """A page that only listens."""

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []

    def send(self, shape: dict[str, Any]) -> None:
        self.heard.append(shape)

    def rest(self) -> None:
        pass


class Adviser:
    """Knows a legal move at once."""

    def select_action(self, state: Any, limits: Any = None) -> int:  # noqa: ARG002
        return int(state.legal_actions()[0])


def two_people() -> NewGame:
    words = {"type": "new_game", "game": "quoridor", "player1": "human", "player2": "human"}
    message = parse_message(json.dumps(words))
    assert isinstance(message, NewGame)
    return message


@pytest.fixture
def files(tmp_path: Path) -> Iterator[SessionFiles]:
    files = SessionFiles(tmp_path, 9)
    yield files
    files.close()


def test_nobody_waits_for_the_disk_on_behalf_of_others(files: SessionFiles) -> None:
    kept = KeptSession(Record.from_moves(["e2"]), (None, None))
    go_on = threading.Event()

    def look() -> KeptSession:
        assert go_on.wait(60)
        return kept

    files.save_soon(ONE, look)
    assert files.load(OTHER) is None
    assert files.past(OTHER) == []
    loaded: list[KeptSession | None] = []
    waiting = threading.Thread(target=lambda: loaded.append(files.load(ONE)))
    waiting.start()
    waiting.join(0.1)
    assert loaded == []  # its own game is not there yet
    go_on.set()
    waiting.join(60)
    assert loaded == [kept]


def test_a_hint_for_a_position_that_is_gone_is_not_told(tmp_path: Path) -> None:
    async def play() -> list[dict[str, Any]]:
        config = config_for(tmp_path)
        files = SessionFiles(tmp_path, 9)
        session = Session(ONE, config, Seats(config), files)
        listener = Listener()
        session.listeners.add(listener)
        session.new_game(two_people())
        for found_late in (False, True):
            told: queue.SimpleQueue[Event] = queue.SimpleQueue()
            session.live.listen(told.put)
            session.live.hint(Seat("adviser", Adviser()))
            assert isinstance(told.get(timeout=60), HintFound)
            if found_late:  # the loop is busy with the person's move
                session.play("e2", 0)
            await asyncio.sleep(0.2)
        session.rest().close()
        files.close()
        return [shape for shape in listener.heard if shape["type"] == "hint"]

    hints = asyncio.run(play())
    assert [hint["ply"] for hint in hints] == [0]


def test_a_session_that_has_come_back_is_not_put_to_rest_as_the_old_one(tmp_path: Path) -> None:
    async def come_and_go() -> None:
        config = config_for(tmp_path, rest_s=0.2, most_awake=3)
        sessions = Sessions(config, Seats(config))
        slow_page, page, third = Listener(), Listener(), Listener()
        await sessions.join(None, Listener())
        slow = await sessions.join(None, slow_page)
        left = await sessions.join(None, page)
        left.new_game(two_people())
        left.play("e2", 0)
        sessions.leave(slow, slow_page)
        sessions.leave(left, page)
        slow.seen -= 10
        left.seen -= 5
        close = slow.live.close

        def close_slowly() -> int:
            time.sleep(0.5)
            return close()

        slow.live.close = close_slowly  # type: ignore[method-assign]
        sweep = asyncio.create_task(sessions.rest_idle())
        await asyncio.sleep(0.05)
        newcomer = await sessions.join(None, third)
        await sessions.join(None, Listener())  # there is no room, and so `left` is put to rest
        assert left.name not in sessions.awake
        sessions.leave(newcomer, third)
        back = await sessions.join(left.name, Listener())
        back.play("e8", 1)
        await sweep
        assert sessions.awake[left.name] is back
        await sessions.close()
        kept = SessionFiles(tmp_path, 9).load(left.name)
        assert kept is not None
        assert [move.text for move in kept.record.moves] == ["e2", "e8"]

    asyncio.run(come_and_go())
