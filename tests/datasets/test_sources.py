"""Games from records, files and stores: filters, bad games, and records instead of a store."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from plyground import quoridor, reversi
from plyground.arena import Filter, GameResult, Store, Task
from plyground.cli.main import main
from plyground.data import positions, read_records
from plyground.errors import ConfigError, NotationError
from plyground.play import BadGame, Record, stream_games, stream_records, write_games

SMALL = quoridor.State(quoridor.GameConfig.preset("small"))


def game(moves: str, one: str, two: str, day: str, result: str = "1-0") -> Record:
    tags = {"Player1": one, "Player2": two} | ({"Date": day} if day else {})
    return Record.from_moves(moves.split(), SMALL, tags, result=result, termination="resignation")


GAMES = [
    game("c2 c4 c3", "Ann", "Bob", "2026.11.14"),
    game("c2 b5", "Bob", "Ann", "2026.11.15", "0-1"),
    game("b1 c4 b2 b4", "Ann", "Eve", "2026.11.16", "1/2-1/2"),
    game("c2", "Eve", "Bob", ""),
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    write_games(GAMES, tmp_path / "games.pgn")
    return tmp_path / "games.pgn"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with the games, on the days of their tags."""
    path = tmp_path / "games.sqlite"
    with Store(path) as opened:
        number = opened.tournament({"game": "quoridor"})
        for count, record in enumerate(GAMES, 1):
            names = record.player_name(1), record.player_name(2)
            task = replace(Task.of(*names, SMALL), round=count)
            opened.add(number, GameResult(task, record))
    database = sqlite3.connect(path)
    for count, record in enumerate(GAMES, 1):
        day = record.tags.get("Date", "").replace(".", "-")
        database.execute("UPDATE game SET finished = ? WHERE id = ?", [day, count])
    database.commit()
    database.close()
    return path


FILTERS = [
    (Filter(), [1, 2, 3, 4]),
    (Filter(player="Ann"), [1, 2, 3]),
    (Filter(player="Ann", opponent="Eve"), [3]),
    (Filter(result="0-1"), [2]),
    (Filter(reason="resig"), [1, 2, 3, 4]),
    (Filter(reason="time"), []),
    (Filter(min_plies=2, max_plies=3), [1, 2]),
    (Filter(since="2026-11-15"), [2, 3]),
    (Filter(until="2026-11-15"), [1, 2]),
    (Filter(since="2026-11-15", until="2026-11-15"), [2]),
    (Filter(opening="c2"), [1, 2, 4]),
    (Filter(opening="C2 C4"), [1]),
    (Filter(opening=SMALL.text()), [1, 2, 3, 4]),
    (Filter(last=2), [3, 4]),
    (Filter(last=2, opening="c2"), [2, 4]),
]


@pytest.mark.parametrize(("which", "expected"), FILTERS)
def test_filters_select_the_same_everywhere(
    which: Filter, expected: list[int], file: Path, store: Path
) -> None:
    wanted = [GAMES[number - 1].moves for number in expected]
    with Store(store, read_only=True) as opened, Store(file, read_only=True) as records:
        for source in (GAMES, file, store, opened, records):
            assert [record.moves for record in read_records(source, which)] == wanted
        assert opened.count(which) == records.count(which) == len(wanted)


def test_openings_of_reversi_are_transcripts() -> None:
    record = Record.from_moves(["f5", "d6", "c3"], reversi.State())
    for opening, expected in {"f5d6": 1, "F5 D6 C3": 1, "f5d6c4": 0, "f5f6": 0, "": 0}.items():
        assert len(list(read_records([record], Filter(opening=opening)))) == expected


def test_filters_of_a_store_are_refused_for_records() -> None:
    with pytest.raises(ConfigError, match="expected a store to filter by tournament, got records"):
        list(read_records(GAMES, Filter(tournament=1)))


@pytest.mark.parametrize("day", ["yesterday", "2026-13-01", "20261116", "2026.11.16"])
def test_a_day_is_checked(day: str) -> None:
    with pytest.raises(ConfigError, match="expected since to be a day such as 2026-11-16, got"):
        Filter(since=day)


BAD = """\
[Player1 "Ann"]

1. e2 e8 1-0

[Player1 "Bad"]

1. e2 e5 {cannot [go] there
[Not "a tag"]
} 1-0

[Player1 "Open"]

1. e2 {never closed

[Player1 "Eve"] 1. e2 *
[Player1 "Nobody"] 1. z2 *
[Player1 "Bob"]
1. e2 e8 2. e3 0-1
"""


def test_bad_games_are_skipped_and_named(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(BAD)
    bad: list[BadGame] = []
    names = [record.player_name(1) for record in stream_games(path, bad.append)]
    assert names == ["Ann", "Eve", "Bob"]
    assert [(game.number, game.line) for game in bad] == [(2, 7), (3, 13), (5, 16)]
    assert "no pawn move leads there" in bad[0].reason
    with pytest.raises(ValueError, match=r"games\.pgn, game 2, line 7: illegal move 'e5'"):
        list(stream_games(path))


def test_a_stream_reads_no_further_than_needed() -> None:
    def lines() -> list[str]:
        return BAD.splitlines(keepends=True)

    read = 0

    def counted() -> object:
        nonlocal read
        for line in lines():
            read += 1
            yield line

    first = next(iter(stream_records(counted())))  # type: ignore[arg-type]
    assert (first.player_name(1), read) == ("Ann", 5)


def test_text_that_is_not_utf_8_is_a_bad_game(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_bytes(b'[Player1 "\xff"]\n\n1. e2 *\n\n[Player1 "Ann"]\n\n1. e2 *\n')
    bad: list[BadGame] = []
    assert [record.player_name(1) for record in stream_games(path, bad.append)] == ["Ann"]
    assert len(bad) == 1
    with pytest.raises(NotationError, match=r"game 1, line 1: expected plain text"):
        list(stream_games(path))


def test_a_damaged_game_of_a_store(store: Path) -> None:
    database = sqlite3.connect(store)
    database.execute("UPDATE game SET record = '1. e9 *' WHERE id = 2")
    database.commit()
    database.close()
    with pytest.raises(ConfigError, match="game 2, line 1"):
        list(read_records(store))
    bad: list[BadGame] = []
    assert positions(store, on_bad=bad.append).num_rows == 8
    assert [game.number for game in bad] == [2]
    assert len(list(read_records(store, Filter(opening="c2"), bad.append))) == 2


def test_unfinished_games_are_left_out_of_a_store(tmp_path: Path) -> None:
    write_games([*GAMES, game("c2", "Ann", "Bob", "", "*")], tmp_path / "games.pgn")
    with Store(tmp_path / "games.pgn", read_only=True) as opened:
        assert (opened.count(), opened.skipped) == (4, 1)
        assert next(iter(opened.tournaments().values()))["game"] == "quoridor"
        seconds = [(stored.seconds1, stored.seconds2) for stored in opened.games()]
        assert seconds == [(0, 0)] * 4


# The command line.


def test_games_of_a_file_are_listed(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", str(file), "--opening", "c2", "--plies", "2-"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[4] for line in lines] == ["1-0", "0-1"]
    assert main(["games", str(file), "--since", "2026-11-16", "--export", "-"]) == 0
    assert "Eve" in capsys.readouterr().out


def test_a_table_is_written(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(file.parent)
    assert main(["games", "games.pgn", "--to", "parquet", "--player", "Eve"]) == 0
    assert capsys.readouterr().err == "wrote 5 positions to games.parquet\n"
    assert main(["games", "games.pgn", "--to", "npz", "--planes", "--out", "x.npz"]) == 0
    assert (file.parent / "x.npz").is_file()


def test_skipped_games_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "games.pgn").write_text(BAD)
    command = ["games", str(tmp_path / "games.pgn"), "--to", "parquet"]
    command += ["--out", str(tmp_path / "x.parquet")]
    assert main(command) == 2
    assert "game 2, line 7" in capsys.readouterr().err
    assert not (tmp_path / "x.parquet").exists()
    assert main([*command, "--skip-bad"]) == 1
    told = capsys.readouterr().err
    assert told.count("skipped game") == 3
    assert "wrote 6 positions" in told


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--out", "x.npz"], "--out needs --to"),
        (["--planes"], "--planes needs --to"),
        (["--to", "npz", "--export", "-"], "expected --to or --export, got both"),
        (["--to", "npz", "--out", "x.csv"], "expected --out to end in .npz, got 'x.csv'"),
        (["--plies", "20"], "expected a range such as 20-80, got '20'"),
        (["--until", "soon"], "expected until to be a day such as 2026-11-16, got 'soon'"),
    ],
)
def test_bad_options(
    options: list[str], message: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["games", str(file), *options]) == 2
    assert message in capsys.readouterr().err
