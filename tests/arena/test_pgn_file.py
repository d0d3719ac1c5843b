"""The finished games of a running tournament in a file: whole, and each of them once."""

from __future__ import annotations

from pathlib import Path

import pytest

from plyground.arena.config import ArenaConfig
from plyground.arena.pgn_file import pgn_file
from plyground.arena.store import Store
from plyground.arena.tournament import Tournament
from plyground.cli.main import main
from plyground.errors import ConfigError
from plyground.play import parse_records

CONFIG = ArenaConfig(("random:seed=1", "pathfinder"), games=6, preset="tiny", workers=0)


def write(path: Path, store: Store, games: int = 99) -> None:
    """Play some games of the tournament with the file open."""
    tournament = Tournament(CONFIG, store)
    with pgn_file(path, store, tournament.number) as file:
        running = tournament.run()
        for _, _ in zip(range(games), running, strict=False):
            file.update()
        running.close()


def events(path: Path) -> list[str]:
    return [record.tags["Event"] for record in parse_records(path.read_text())]


@pytest.fixture
def store() -> Store:
    return Store(":memory:")


def numbers(count: int) -> list[str]:
    return [f"tournament 1, game {number}" for number in range(1, count + 1)]


def test_games_are_written_as_they_end(tmp_path: Path, store: Store) -> None:
    path = tmp_path / "games.pgn"
    tournament = Tournament(CONFIG, store)
    with pgn_file(path, store, tournament.number) as file:
        for count, game in enumerate(tournament.run(), 1):
            file.update()
            records = parse_records(path.read_text())
            assert len(records) == count
            assert records[-1].moves == game.record.moves
    assert events(path) == numbers(6)


def test_a_tournament_that_goes_on_adds_no_game_twice(tmp_path: Path, store: Store) -> None:
    path = tmp_path / "games.pgn"
    write(path, store, 2)
    write(path, store, 1)
    write(path, store)
    whole = path.read_bytes()
    write(path, store)
    assert path.read_bytes() == whole
    assert events(path) == numbers(6)
    path.unlink()
    write(path, store)
    assert path.read_bytes() == whole


def test_a_game_that_was_written_in_part_is_written_again(tmp_path: Path, store: Store) -> None:
    path = tmp_path / "games.pgn"
    write(path, store)
    whole = path.read_bytes()
    ends = [whole.index(b"game 2"), whole.index(b"game 6"), len(whole) - 2, len(whole) - 1, 1, 0]
    for end in [*ends, *range(whole.index(b"[Game", len(whole) * 4 // 5), len(whole), 37)]:
        path.write_bytes(whole[:end])
        write(path, store)
        assert path.read_bytes() == whole


@pytest.mark.parametrize("before", ["1. e2 *\n", "1. e2 *", "1. e2 *\n\n", '[Game "quoridor"] *'])
def test_other_games_in_the_file_stay(tmp_path: Path, store: Store, before: str) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(before)
    write(path, store)
    text = path.read_text()
    assert text.startswith(before.rstrip())
    assert len(parse_records(text)) == 7
    write(path, store)
    assert path.read_text() == text


def test_a_file_that_cannot_be_written(tmp_path: Path, store: Store) -> None:
    for path in (tmp_path, tmp_path / "none" / "games.pgn"):
        with pytest.raises(ConfigError, match=f"cannot write {path}: "):
            write(path, store)


def test_a_file_of_another_tournament(tmp_path: Path, store: Store) -> None:
    path = tmp_path / "games.pgn"
    with (
        pgn_file(path, store, 1),
        pytest.raises(ConfigError, match="another tournament writes to "),
        pgn_file(path, store, 1),
    ):
        pass


def test_the_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    command = ["arena", "random:seed=1", "pathfinder", "--preset", "tiny", "--pgn", "games.pgn"]
    assert main([*command, "--games", "2"]) == 0
    assert main([*command, "--games", "4"]) == 0
    assert events(tmp_path / "games.pgn") == numbers(4)
