"""A tournament watched as it is played: its store grows, and the newest games are shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from plyground.agents.base import ForfeitKind
from plyground.arena.store import Filter, Store, StoredGame
from plyground.arena.task import GameResult, Task
from plyground.errors import ConfigError, NotationError
from plyground.play import LiveGame, Record, Seat
from plyground.quoridor import GameConfig, State
from plyground.ui.desktop import game_list
from plyground.ui.desktop.game_list import StoreGameList, open_games
from tests.ui.window_user import OpenWindow

START = State(GameConfig.preset("tiny"))


def add_game(store: Store, number: int, *moves: str) -> None:
    """A game that its second player lost."""
    task = Task.of("random", "pathfinder", START, round=number)
    record = Record.from_moves(moves, START, task.tags, result="1-0", termination="time")
    assert store.add(store.tournament({}), GameResult(task, record, forfeit=ForfeitKind.TIME))


def test_new_games_are_followed_and_old_ones_replayed(
    open_window: OpenWindow, tmp_path: Path
) -> None:
    path, clock = tmp_path / "arena.sqlite", [0.0]
    with Store(path) as store:
        add_game(store, 1, "b2")
        add_game(store, 2, "a1", "a3")
        live = LiveGame({1: Seat(), 2: Seat()}, START)
        user = open_window(live, now=lambda: clock[0])

        def later(seconds: float) -> None:
            clock[0] += seconds
            user.post()

        user.session.open(path)
        replay = user.replay
        assert (replay.number, replay.ply, replay.is_running) == (1, 0, True)
        later(1.0)
        later(1.0)
        assert replay.ply == 2
        later(10.0)
        assert (replay.number, replay.ply) == (1, 2)  # it waits for the next game
        add_game(store, 3, "c1", "c3", "c2")
        later(10.0)
        assert (len(replay.games), replay.number, replay.ply) == (3, 2, 0)

        user.key(pygame.K_PAGEUP)
        user.key(pygame.K_PAGEUP)
        add_game(store, 4, "b2h")
        for _ in range(9):
            later(10.0)
        assert (replay.number, len(replay.games)) == (0, 4)  # a chosen game stays
        user.press("games")
        user.press("4. random - pathfinder  1-0  (1 move, time)")
        assert (replay.number, replay.is_following) == (3, True)
        user.press("scores")
        rows = dict(replay.games.standings())
        assert list(rows) == ["1. random", "2. pathfinder"]
        assert rows["1. random"].endswith("100% of 4 games")
        assert "* ±" in rows["1. random"]
        assert rows["2. pathfinder"].endswith("0% of 4 games, 4 forfeits")
        user.press("Close")
        user.press("save")
        user.key(pygame.K_RETURN)
        assert "saved as game 1 of game.pgn" in user.message


def test_games_that_end_during_a_refresh_are_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "arena.sqlite"
    with Store(path) as store:
        add_game(store, 1, "b2")
        games = StoreGameList(path)
        add_game(store, 2, "b2")
        numbers = iter(range(3, 9))
        find = games._store.games

        def busy(wanted: Filter) -> Iterator[StoredGame]:
            add_game(store, next(numbers), "b2")
            yield from find(wanted)
            add_game(store, next(numbers), "b2")

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(games._store, "games", busy)
            assert [games.refresh() for _ in range(3)] == [2, 2, 2]
        assert games.refresh() == 1
        assert len(games) == store.count() == 8
        events = [games.record(number).tags["Event"] for number in range(8)]
        assert events == [f"tournament 1, game {number}" for number in range(1, 9)]


def test_a_tournament_that_has_just_begun_is_waited_for(
    open_window: OpenWindow, tmp_path: Path
) -> None:
    path, clock = tmp_path / "arena.sqlite", [0.0]
    with Store(path) as store:
        user = open_window(LiveGame({1: Seat(), 2: Seat()}, START), now=lambda: clock[0])
        user.session.open(path)
        replay = user.replay
        user.key(pygame.K_PAGEUP)
        user.key(pygame.K_RIGHT)
        assert replay.caption == "waiting for the first game of arena.sqlite"
        add_game(store, 1, "a1", "a3")
        clock[0] = 10.0
        user.post()
        assert replay.caption.startswith("game 1 of 1: random - pathfinder")
        user.key(pygame.K_RIGHT)
        assert replay.ply == 1


def test_a_store_that_is_damaged_meanwhile_is_reported(
    open_window: OpenWindow, tmp_path: Path
) -> None:
    path, clock = tmp_path / "arena.sqlite", [0.0]
    with Store(path) as store:
        add_game(store, 1, "a1", "a3")
        user = open_window(LiveGame({1: Seat(), 2: Seat()}, START), now=lambda: clock[0])
        user.session.open(path)
        for file in tmp_path.glob("arena.sqlite*"):
            file.write_bytes(b"nothing of use" * 1000)
        clock[0] = 10.0
        user.post()
        assert user.session.messages.is_error
        assert "cannot read the store '" in user.message
        assert "arena.sqlite': file is not a database" in user.message
        user.key(pygame.K_RIGHT)
        assert user.replay.ply == 1


def test_a_long_store_is_not_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_list, "NEWEST", 2)
    with Store(tmp_path / "arena.sqlite") as store:
        for number in range(4):
            add_game(store, number, "b2")
        games = open_games(tmp_path / "arena.sqlite")
        assert (len(games), games.refresh()) == (2, 0)
        add_game(store, 4, "b2h")
        assert (games.refresh(), len(games)) == (1, 3)
        assert [move.text for move in games.record(2).moves] == ["b2h"]
        games.close()


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "broken.pgn").write_text('[Game "quoridor"]\n\n1. e5 *\n')
    with pytest.raises(NotationError, match=r"broken\.pgn, line 3"):
        open_games(tmp_path / "broken.pgn")
    with pytest.raises(ConfigError, match=r"cannot read .*nowhere"):
        open_games(tmp_path / "nowhere")
    with pytest.raises(ConfigError, match="cannot read"):
        open_games(Path("a\0b"))
