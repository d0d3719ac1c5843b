"""The store: what goes in comes out, the same game once, and no other file is taken for one."""

from __future__ import annotations

import random
import shutil
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


def test_a_program_waits_for_the_one_that_creates_the_file(tmp_path: Path) -> None:
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


# ---- files that others have written


ENDLESS = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS id"


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    path = tmp_path / "games.sqlite"
    with Store(path) as store:
        store.add(store.tournament({"game": "quoridor"}), game())
    return path


def change(path: Path, statements: str) -> None:
    database = sqlite3.connect(path)
    database.executescript(statements)
    database.close()


@pytest.mark.parametrize(
    "statements",
    [
        "DROP TABLE game",
        f"DROP TABLE game; CREATE VIEW game AS {ENDLESS} FROM n",
        f"DROP TABLE tournament; CREATE VIEW tournament AS {ENDLESS}, '{{}}' AS conditions FROM n",
        "CREATE TRIGGER more AFTER INSERT ON game BEGIN SELECT 1; END",
        "ALTER TABLE game RENAME COLUMN plies TO moves",
        "ALTER TABLE game DROP COLUMN plies;ALTER TABLE game ADD COLUMN plies AS (length(player1))",
    ],
)
@pytest.mark.parametrize("read_only", [True, False])
def test_a_store_with_another_schema_is_refused(
    stored: Path, statements: str, read_only: bool
) -> None:
    change(stored, statements)
    with pytest.raises(ConfigError, match="expected a store of games in"):
        Store(stored, read_only=read_only)


def test_a_column_more_is_ignored(stored: Path) -> None:
    change(stored, "ALTER TABLE game ADD COLUMN more TEXT")
    with Store(stored) as store:
        assert len(list(store.games())) == len(list(store.newest())) == 1
        assert store.add(1, game(number=2))


@pytest.mark.parametrize(
    "value",
    [
        "result = '9-9'", "result = x'ff'", "player2 = x'00'", "plies = 'x'",
        "nodes1 = x'ff'", "seconds1 = 'x'", "seconds2 = -1", "seconds1 = x'00'",
        "record = x'ff00'", "round = 'x'", "record = zeroblob(20000000)",
    ],
)  # fmt: skip
def test_a_damaged_game_is_told(
    stored: Path, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    change(stored, f"UPDATE game SET {value}")
    for arguments in ([], ["--json"], ["--export", "-"]):
        assert main(["games", str(stored), *arguments]) == 2
        told = capsys.readouterr().err
        assert told.startswith("plyground: cannot read ")
        assert told.count("\n") == 1


@pytest.mark.parametrize("conditions", ["x", "", "[]", "7", '"a"', "{", "[" * 100_000])
def test_damaged_conditions_are_told(
    stored: Path, conditions: str, capsys: pytest.CaptureFixture[str]
) -> None:
    change(stored, f"UPDATE tournament SET conditions = '{conditions}'")
    assert main(["games", str(stored), "--tournaments"]) == 2
    assert "cannot read tournament 1 of the store" in capsys.readouterr().err


def test_names_cannot_control_the_terminal(
    stored: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(stored, "UPDATE game SET player1 = char(27) || '[2Jme', termination = 'a' || char(155)")
    assert main(["games", str(stored)]) == 0
    told = capsys.readouterr().out
    assert r"\x1b[2Jme - random:seed=1" in told
    assert r"a\x9b" in told


def test_damaged_pages_are_told(stored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(stored, "PRAGMA journal_mode = DELETE")
    whole = stored.read_bytes()
    rng = random.Random(1)
    for _ in range(30):
        damaged = bytearray(whole)
        for _ in range(rng.choice((1, 100, 2000))):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        stored.write_bytes(damaged)
        for arguments in ([], ["--tournaments"], ["--tournament", "1"]):
            assert main(["games", str(stored), *arguments]) in (0, 2)
        stored.with_name("games.sqlite-wal").unlink(missing_ok=True)
        stored.with_name("games.sqlite-shm").unlink(missing_ok=True)
    assert "Traceback" not in capsys.readouterr().err


def test_openings_of_a_damaged_row_are_searched_again(stored: Path) -> None:
    with Store(stored) as store:
        store.keep_openings({"a": 1}, ["x"])
        change(stored, "UPDATE openings SET found = ''")
        assert store.openings({"a": 1}) is None


def test_a_store_where_nothing_can_be_written_is_read(stored: Path, tmp_path: Path) -> None:
    """In a read-only folder, SQLite cannot create the index of the write-ahead log."""
    folder = tmp_path / "read-only"
    folder.mkdir()
    with Store(stored) as store:
        store.add(1, game(number=2))
        for name in ("games.sqlite", "games.sqlite-wal"):
            shutil.copy(stored.with_name(name), folder)
    (folder / "games.sqlite-shm").mkdir()  # in the way of the index, also for root
    with Store(folder / "games.sqlite", read_only=True) as store:
        assert store.count() == 2


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--opening", "zz"], "no game of {} matches"),
        (["--player", "Zoe", "--json"], "no game of {} matches"),
        (["--reason", "nope"], "no game of {} ended by 'nope', but: "),
    ],
)
def test_a_list_without_games_says_so(
    stored: Path, arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["games", str(stored), *arguments]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("plyground: " + told.format(stored))
    assert err.count("\n") == 1
