"""Sessions that are suspended and resumed, on a slow disk, with messages that cross."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plyground.agents import Agent
from plyground.files import replace_private_file
from plyground.games.base import State
from plyground.play import LiveGame, Record, Seat
from plyground.play.events import Event, HintFound
from plyground.search import SearchLimits
from plyground.ui.game_host import NewGame
from plyground.ui.web.players import SharedPlayers
from plyground.ui.web.session import WebSession
from plyground.ui.web.session_manager import SessionManager
from plyground.ui.web.session_store import PAST, SessionStore, StoredSession

from .conftest import config_for

ONE, OTHER = "a" * 22, "b" * 22


class Listener:
    """A page that only listens."""

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []

    def send(self, payload: dict[str, Any]) -> None:
        self.heard.append(payload)

    def suspend(self) -> None:
        pass


class FirstMove(Agent):
    """Plays the first legal move at once."""

    def select_action(self, state: State, limits: SearchLimits | None = None) -> int:
        return int(state.legal_actions()[0])


TWO_PEOPLE = NewGame("quoridor", ("human", "human"))


@pytest.fixture
def files(tmp_path: Path) -> Iterator[SessionStore]:
    files = SessionStore(tmp_path, 9)
    yield files
    files.close()


def test_a_session_does_not_wait_for_the_files_of_others(files: SessionStore) -> None:
    kept = StoredSession(Record.from_moves(["e2"]), (None, None))
    go_on = threading.Event()

    def look() -> StoredSession:
        assert go_on.wait(60)
        return kept

    files.save_soon(ONE, look)
    assert files.load(OTHER) is None
    assert files.past(OTHER) == []
    loaded: list[StoredSession | None] = []
    waiting = threading.Thread(target=lambda: loaded.append(files.load(ONE)))
    waiting.start()
    waiting.join(0.1)
    assert loaded == []  # its own game is not there yet
    go_on.set()
    waiting.join(60)
    assert loaded == [kept]


def test_past_games_are_added_without_parsing_the_earlier_ones(
    files: SessionStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[object] = []
    monkeypatch.setattr("plyground.play.record_text._Reader.record", parsed.append)
    files.append_past(ONE, Record.from_moves(["e2"]))
    for _ in range(PAST):
        files.append_past(ONE, Record.from_moves(["e2", "e8"]))
        files._flush(ONE)
    assert parsed == []
    monkeypatch.undo()
    assert [len(record.moves) for _, record in files.past(ONE)] == [2] * PAST


def test_an_unreadable_past_game_is_kept(files: SessionStore, tmp_path: Path) -> None:
    path = tmp_path / f"{ONE}.pgn"
    path.write_bytes(b'[Game "chess"]\n\n1. e4 *\n')
    files.append_past(ONE, Record.from_moves(["e2"]))
    assert [len(record.moves) for _, record in files.past(ONE)] == [1]
    assert b"1. e4 *" in path.read_bytes()


def test_the_writer_survives_any_error_and_reports_it_once(
    files: SessionStore, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> StoredSession:
        raise ValueError("no snapshot")

    done = threading.Event()
    files.save_soon(ONE, fail)
    files._flush(ONE)
    files.save_soon(ONE, fail, done.set)
    assert done.wait(60)
    kept = StoredSession(Record.from_moves(["e2"]), (None, None))
    files.save_soon(OTHER, lambda: kept)
    assert files.load(OTHER) == kept
    assert capsys.readouterr().err.count("cannot keep games in") == 1


def test_a_slow_disk_does_not_hold_up_the_end(
    files: SessionStore, capsys: pytest.CaptureFixture[str]
) -> None:
    go_on = threading.Event()

    def look() -> StoredSession:
        assert go_on.wait(60)
        return StoredSession(Record.from_moves(["e2"]), (None, None))

    files.save_soon(ONE, look)
    files.close(timeout_s=0.1)
    assert "was not written within 0.1 seconds" in capsys.readouterr().err
    go_on.set()


def test_temporary_files_of_killed_writers_are_removed(tmp_path: Path) -> None:
    left = tmp_path / f".{ONE}.json.tmp"
    left.write_bytes(b"{")
    SessionStore(tmp_path, 9).close()
    assert not left.exists()


def test_a_hint_for_a_position_that_is_gone_is_not_told(tmp_path: Path) -> None:
    async def play() -> list[dict[str, Any]]:
        config = config_for(tmp_path)
        files = SessionStore(tmp_path, 9)
        session = WebSession(ONE, config, SharedPlayers(config), files)
        listener = Listener()
        session.listeners.add(listener)
        session.new_game(TWO_PEOPLE)
        for found_late in (False, True):
            told: queue.SimpleQueue[Event] = queue.SimpleQueue()
            session.live.listen(told.put)
            session.live.hint(Seat("adviser", FirstMove()))
            assert isinstance(told.get(timeout=60), HintFound)
            if found_late:  # the loop is busy with the person's move
                session.host.play("e2", 0)
            await asyncio.sleep(0.2)
        session.suspend().close()
        files.close()
        return [payload for payload in listener.heard if payload["type"] == "hint"]

    hints = asyncio.run(play())
    assert [hint["ply"] for hint in hints] == [0]


def test_a_session_that_has_come_back_is_not_suspended_as_the_old_one(tmp_path: Path) -> None:
    async def come_and_go() -> None:
        config = config_for(tmp_path, unwatched_s=0.2, most_active=3)
        sessions = SessionManager(config, SharedPlayers(config))
        slow_page, page, third = Listener(), Listener(), Listener()
        await sessions.join(None, Listener())
        slow = await sessions.join(None, slow_page)
        left = await sessions.join(None, page)
        left.new_game(TWO_PEOPLE)
        left.host.play("e2", 0)
        sessions.leave(slow, slow_page)
        sessions.leave(left, page)
        slow.last_used -= 10
        left.last_used -= 5
        close = slow.live.close

        def close_slowly() -> int:
            time.sleep(0.5)
            return close()

        slow.live.close = close_slowly  # type: ignore[method-assign]
        sweep = asyncio.create_task(sessions.suspend_idle())
        await asyncio.sleep(0.05)
        newcomer = await sessions.join(None, third)
        await sessions.join(None, Listener())  # there is no room, so `left` is suspended
        assert left.name not in sessions.active
        sessions.leave(newcomer, third)
        back = await sessions.join(left.name, Listener())
        back.host.play("e8", 1)
        await sweep
        assert sessions.active[left.name] is back
        await sessions.close()
        kept = SessionStore(tmp_path, 9).load(left.name)
        assert kept is not None
        assert [move.text for move in kept.record.moves] == ["e2", "e8"]

    asyncio.run(come_and_go())


def test_a_page_that_joins_sees_only_what_is_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_write = threading.Event()

    def write(path: Path, content: bytes) -> None:
        assert may_write.wait(60)
        replace_private_file(path, content)

    monkeypatch.setattr("plyground.ui.web.session_store.replace_private_file", write)
    monkeypatch.setattr("plyground.ui.web.session.SAVE_S", 60)

    async def join() -> None:
        config = config_for(tmp_path)
        files = SessionStore(tmp_path, 9)
        session = WebSession(ONE, config, SharedPlayers(config), files)
        session.new_game(TWO_PEOPLE)
        session.host.play("e2", 0)
        page = Listener()
        session.show_to(page)
        await asyncio.sleep(0.02)
        assert page.heard == []
        may_write.set()
        while not page.heard:
            await asyncio.sleep(0.001)
        assert page.heard[0]["moves"] == ["e2"]
        session.suspend().close()
        files.close()

    asyncio.run(join())


def test_moves_undone_in_the_first_game_stay_undone(tmp_path: Path) -> None:
    async def play_and_undo() -> None:
        config = config_for(tmp_path)
        files = SessionStore(tmp_path, 9)
        session = WebSession(ONE, config, SharedPlayers(config), files)
        session.host.take_seat(2, "human")
        session.host.play("e2", 0)
        session.save()
        session.live.undo()
        session.suspend().close()
        files.close()

    asyncio.run(play_and_undo())
    files = SessionStore(tmp_path, 9)
    stored = files.load(ONE)
    files.close()
    assert stored is not None
    resumed = LiveGame.resume(stored.record, {1: Seat("Ann"), 2: Seat("Bob")})
    assert (resumed.moves, resumed.undone) == ([], 1)
