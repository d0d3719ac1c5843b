"""The store: what goes in comes out, the same game once, and no other file is taken for one."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest

from plyground.arena.game import play_task
from plyground.arena.store import Filter, Store
from plyground.arena.task import GameResult, Task
from plyground.cli.main import main
from plyground.errors import ConfigError
from plyground.quoridor import GameConfig, State

SMALL = State(GameConfig.preset("small"))


def game(
    player1: str = "pathfinder", player2: str = "random:seed=1", number: int = 1
) -> GameResult:
    return play_task(Task.of(player1, player2, SMALL, round=number, label=f"{number}.1"))


def test_a_game_is_kept_whole(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    played = game("engine:nodes=300,hash_mb=1")
    with Store(path) as store:
        assert store.add(store.tournament({"a": 1}), played)
    with Store(path, read_only=True) as store:
        (kept,) = store.games()
        assert store.tournaments() == {1: {"a": 1}}
    assert kept.key == played.task.key
    assert (kept.nodes1, kept.nodes2) == played.nodes
    assert (kept.seconds1, kept.seconds2) == pytest.approx(played.seconds)
    assert kept.plies == len(played.record.moves)
    record = kept.record()
    assert record.moves == played.record.moves  # times, scores and depths included
    assert (record.result, record.termination) == ("1-0", "goal")
    assert record.tags["Event"] == "tournament 1, game 1"
    assert record.tags["Player1"] == "engine:nodes=300,hash_mb=1"


def test_openings_are_kept_by_what_they_are_for(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with Store(path) as store:
        assert store.openings({"seed": 1}) is None
        store.keep_openings({"seed": 1}, ["a 1", "b 2"])
        store.keep_openings({"seed": 2}, ["c"])
    with Store(path) as store:
        store.keep_openings({"seed": 1}, ["another process was first"])
        assert store.openings({"seed": 1}) == ["a 1", "b 2"]
        assert store.openings({"seed": 2}) == ["c"]


def test_a_store_from_before_openings_were_kept_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with Store(path) as store:
        store.add(store.tournament({"a": 1}), game())
    with sqlite3.connect(path) as database:
        database.execute("DROP TABLE openings")
    database.close()
    with Store(path) as store:
        assert store.count() == 1
        store.keep_openings({"seed": 1}, ["a"])
        assert store.openings({"seed": 1}) == ["a"]


@pytest.mark.parametrize("command", ["games", "report"])
def test_a_tournament_that_is_not_there_is_told(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.sqlite"
    with Store(path) as store:
        store.tournament({"a": 1})
    arguments = [command, str(path), "--tournament"]
    if command == "report":
        arguments[2:2] = ["--out", str(tmp_path / "report")]
    assert main([*arguments, "2"]) == 2
    assert capsys.readouterr().err == f"plyground: no tournament 2 in {str(path)!r}, which has 1\n"
    assert not (tmp_path / "report").exists()
    assert main([*arguments, "1"]) == 0


def test_the_same_game_is_kept_once() -> None:
    with Store(":memory:") as store:
        number = store.tournament({})
        assert store.add(number, game())
        assert not store.add(number, game())
        assert store.add(number, game(number=2))
        assert store.count() == 2


def test_conditions_name_a_tournament_unless_it_is_to_be_fresh() -> None:
    with Store(":memory:") as store:
        first = store.tournament({"seed": 1, "game": "quoridor"})
        assert store.tournament({"game": "quoridor", "seed": 1}) == first
        assert store.tournament({"game": "quoridor", "seed": 2}) != first
        fresh = store.tournament({"seed": 1, "game": "quoridor"}, fresh=True)
        assert fresh not in (first, None)
        assert store.tournament({"seed": 1, "game": "quoridor"}) == fresh


def test_filters() -> None:
    with Store(":memory:") as store:
        one, two = store.tournament({"n": 1}), store.tournament({"n": 2})
        store.add(one, game("pathfinder", "random:seed=1"))
        store.add(one, game("random:seed=1", "pathfinder"))
        store.add(two, game("pathfinder", "minimax:depth=1"))

        def found(**which: object) -> list[int]:
            filtered = Filter(**which)  # type: ignore[arg-type]
            numbers = [game.id for game in store.games(filtered)]
            assert store.count(Filter(**which)) == len(numbers)  # type: ignore[arg-type]
            return numbers

        assert found() == [1, 2, 3]
        assert found(tournament=2) == [3]
        assert found(player="random:seed=1") == [1, 2]
        assert found(player="pathfinder", opponent="minimax:depth=1") == [3]
        assert found(player="random") == []
        assert found(result="1-0", player="random:seed=1") == [1]
        assert found(reason="oal") == [1, 2, 3]
        assert found(reason="crash") == []
        assert found(last=2) == [2, 3]
        assert found(last=1, player="random:seed=1") == [2]


def test_other_files_are_refused(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("not a database, but long enough to be looked at")
    with pytest.raises(
        ConfigError, match=r"expected a store of games in .*: file is not a database"
    ):
        Store(text)
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE pets (name)")
    db.close()
    with pytest.raises(ConfigError, match="got another database"):
        Store(other)
    newer = tmp_path / "newer.sqlite"
    with sqlite3.connect(newer) as db:
        db.execute("PRAGMA user_version = 9")
    db.close()
    with pytest.raises(ConfigError, match=r"expected version 2 of a store in .*, got 9"):
        Store(newer)
    with pytest.raises(ConfigError, match="which is not a file"):
        Store(tmp_path / "none", read_only=True)
    with pytest.raises(ConfigError, match="cannot open the store"):
        Store(tmp_path / "no folder" / "games.sqlite")


def test_reading_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with Store(path) as store:
        store.add(store.tournament({}), game())
    path.chmod(0o444)
    with Store(path, read_only=True) as store:
        assert store.count() == 1
        with pytest.raises(ConfigError, match=r"cannot write to the store .*readonly"):
            store.add(1, game(number=2))
    assert [file.name for file in tmp_path.iterdir()] == ["games.sqlite"]


def test_whoever_begins_the_file_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")  # SQLite's own timeout does not cover this
    threading.Timer(0.2, other.close).start()
    with Store(path) as store:
        assert store.count() == 0


def test_two_programs_may_write_to_one_store(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with Store(path) as one, Store(path) as other:
        number = one.tournament({})
        assert other.tournament({}) == number
        assert one.add(number, game())
        assert not other.add(number, game())
        assert other.add(number, game(number=2))
        assert one.count() == other.count() == 2
