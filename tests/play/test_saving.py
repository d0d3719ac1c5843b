"""A live game is saved after every move without being replayed."""

from __future__ import annotations

from pathlib import Path

import pytest

from plyground.games import registry
from plyground.play import LiveGame, Record, Seat
from plyground.play.autosave import Autosave
from plyground.play.game_file import read_game

from ..minimal_game import COUNTDOWN, CountdownState

MOVES = 2000


@pytest.fixture
def long_game(monkeypatch: pytest.MonkeyPatch) -> LiveGame:
    """A game of 2000 moves, of which none is played yet."""
    monkeypatch.setattr(registry, "_games", registry.games())
    registry.register(COUNTDOWN)
    monkeypatch.setattr(CountdownState, "plays", 0)
    return LiveGame({1: Seat("Ann"), 2: Seat("Bob")}, CountdownState(MOVES))


def test_a_record_takes_no_moves(long_game: LiveGame) -> None:
    for _ in range(MOVES):
        long_game.play("take1")
    assert CountdownState.plays == MOVES
    record = long_game.record()
    assert CountdownState.plays == MOVES
    assert (len(record.moves), record.result, record.termination) == (MOVES, "0-1", "last stone")


def test_saving_after_every_move_plays_each_move_once(long_game: LiveGame, tmp_path: Path) -> None:
    autosave = Autosave(long_game, tmp_path)
    for _ in range(100):
        long_game.play(0)
    assert CountdownState.plays == 100
    long_game.undo()
    long_game.redo()
    long_game.resign()
    autosave.close(keep=True)
    assert CountdownState.plays == 100
    record, _ = read_game(autosave.path)
    assert (len(record.moves), record.termination) == (100, "resignation")


def test_a_record_that_is_checked_plays_each_move_once(long_game: LiveGame) -> None:
    moves = ["take1"] * 50
    record = Record.from_moves(moves, long_game.state)
    assert CountdownState.plays == 50
    assert len(record.states()) == 51
    assert CountdownState.plays == 100
