"""Games in flight, for those who watch: shown while they are played, gone afterwards."""

from __future__ import annotations

import fcntl
import json
import threading
from pathlib import Path

import pytest

from plyground.arena import live_board as module
from plyground.arena.config import ArenaConfig
from plyground.arena.live_board import games_in_flight, live_board, live_path
from plyground.arena.store import Store
from plyground.arena.task import Task
from plyground.arena.tournament import Tournament
from plyground.play import MoveRecord, Record
from plyground.quoridor import GameConfig, State
from tests.arena import fake_players

TASK = Task.of("Ann", "Bob", State(GameConfig.preset("small")))


def test_games_are_shown_as_far_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "EVERY_S", 10.0)
    store = tmp_path / "arena.sqlite"
    assert games_in_flight(store, 3) == []
    with live_board(str(store), 3) as board:
        assert board is not None
        board.show([(TASK, [MoveRecord("c2"), MoveRecord("c4")])])
        (record,) = games_in_flight(store, 3)
        assert [move.text for move in record.moves] == ["c2", "c4"]
        assert (record.tags["Player1"], record.result) == ("Ann", "*")
        assert games_in_flight(store, 4) == []
        with live_board(str(store), 3) as second:  # another tournament has the lock
            assert second is None
        board.show([])  # too soon: nothing is written
        assert len(games_in_flight(store, 3)) == 1
    assert not live_path(store).exists()


def test_what_a_killed_tournament_left_is_not_shown(tmp_path: Path) -> None:
    store = tmp_path / "arena.sqlite"
    live_path(store).write_text(json.dumps({"tournament": 1, "games": []}))
    assert games_in_flight(store, 1) == []
    with live_board(str(store), 1) as board:  # and the next one takes its place
        assert board is not None
        board.show([(TASK, [])])
        assert len(games_in_flight(store, 1)) == 1


def test_a_reader_does_not_take_the_board(tmp_path: Path) -> None:
    path = tmp_path / "arena.sqlite"
    live_path(path).touch()
    looking = live_path(path).open("rb")
    fcntl.flock(looking, fcntl.LOCK_SH)
    threading.Timer(0.05, looking.close).start()
    with live_board(str(path), 1) as board:
        assert board is not None


def test_half_a_board_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "arena.sqlite"
    with live_board(str(path), 1) as board:
        assert board is not None
        board.show([(TASK, [MoveRecord("c2")])])
        whole = live_path(path).read_bytes()
        live_path(path).write_bytes(whole[:20])
        threading.Timer(0.05, lambda: live_path(path).write_bytes(whole)).start()
        (record,) = games_in_flight(path, 1)
    assert [move.text for move in record.moves] == ["c2"]


def test_a_store_in_memory_has_no_board() -> None:
    with live_board(":memory:", 1) as board:
        assert board is None


def test_a_tournament_shows_what_it_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "EVERY_S", 0.0)
    path = tmp_path / "arena.sqlite"
    seen: list[Record] = []
    show = module.LiveBoard.show

    def see(board: module.LiveBoard, games: module.GamesInFlight) -> None:
        show(board, games)
        seen.extend(games_in_flight(path, 1))

    monkeypatch.setattr(module.LiveBoard, "show", see)
    config = ArenaConfig(("dawdle@2", "random:seed=2"), preset="tiny", games=2, workers=1)
    with Store(path) as store:
        games = list(Tournament(config, store, make_agent=fake_players.make).run())
    assert len(games) == 2
    assert any(record.moves for record in seen)
    assert not live_path(path).exists()
