"""Games kept while they are played, and files that are never damaged."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from plyground.errors import ConfigError, NotationError
from plyground.files import try_lock
from plyground.play import LiveGame, Record, Seat, parse_records
from plyground.play.autosave import MAX_SAVED, Autosave, find_game
from plyground.play.game_file import read_game, read_games, save_game

PLAYER = """
import sys, time
from pathlib import Path
from plyground.play import LiveGame, Seat
from plyground.play.autosave import Autosave
live = LiveGame({1: Seat("Ann"), 2: Seat("Bob")})
Autosave(live, Path(sys.argv[1]))
for move in ("e2", "e8", "e3"):
    live.play(move)
print("played", flush=True)
time.sleep(60)
"""


def people() -> dict[int, Seat]:
    return {1: Seat("Ann"), 2: Seat("Bob")}


def test_every_move_is_on_the_disk_at_once(tmp_path: Path) -> None:
    live = LiveGame(people())
    autosave = Autosave(live, tmp_path)
    assert list(tmp_path.glob("*.pgn")) == []
    for count, move in enumerate(["e2", "e8", "e3"], 1):
        live.play(move)
        assert len(read_game(autosave.path)[0].moves) == count
    live.undo()
    record, _ = read_game(autosave.path)
    assert (len(record.moves), record.tags["Current"]) == (3, "2")
    autosave.close(keep=True)
    live.play("d2")
    assert read_game(autosave.path)[0] == record
    assert [path.suffix for path in tmp_path.iterdir()] == [".pgn"]


def test_a_game_that_is_dropped_leaves_nothing(tmp_path: Path) -> None:
    live = LiveGame(people())
    autosave = Autosave(live, tmp_path)
    live.play("e2")
    autosave.close(keep=False)
    assert list(tmp_path.iterdir()) == []


def test_a_killed_game_is_resumed_and_one_in_progress_is_not(tmp_path: Path) -> None:
    player = subprocess.Popen(
        [sys.executable, "-c", PLAYER, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert player.stdout is not None
    assert player.stdout.readline() == "played\n"
    with pytest.raises(ConfigError, match="there is no game to resume"):
        find_game(tmp_path)
    player.send_signal(signal.SIGKILL)
    player.wait(timeout=60)
    player.stdout.close()
    resumed = find_game(tmp_path)
    assert [move.text for move in resumed.record.moves] == ["e2", "e8", "e3"]
    live = LiveGame.resume(resumed.record, people())
    autosave = Autosave(live, tmp_path, resumed)
    live.play("e7")
    assert len(read_game(resumed.path)[0].moves) == 4
    autosave.close(keep=True)
    assert len(list(tmp_path.glob("*.pgn"))) == 1


def test_the_last_unfinished_game_is_resumed(tmp_path: Path) -> None:
    for age, moves in enumerate([["e2"], ["d1"]]):
        path = tmp_path / f"{age}.pgn"
        save_game(Record.from_moves(moves), path)
        os.utime(path, (1000 + age, 1000 + age))
    over = Record.from_moves(["f1"], result="1-0", termination="resignation")
    save_game(over, tmp_path / "over.pgn")
    resumed = find_game(tmp_path)
    resumed.release()
    assert resumed.path == tmp_path / "1.pgn"


def test_a_damaged_game_is_refused_by_its_line_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "x.pgn"
    text = '[Game "quoridor"]\n\n1. e2 e8\n2. e9 *\n'
    path.write_text(text)
    reason = r"no game can be resumed: .*x\.pgn, line 4: illegal move 'e9'"
    with pytest.raises(ConfigError, match=reason):
        find_game(tmp_path)
    with pytest.raises(NotationError, match=r"x\.pgn, line 4"):
        save_game(Record.from_moves(["e2"]), path)
    assert path.read_text() == text
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "line 1: expected a game, got an empty file"),
        (b"1. e2\n\xff\n*", "line 2: expected text in UTF-8"),
        (b"1. e2\n2. e3 *", "line 2: expected the number"),
        (b'[Board "9"]\n[Board "9"]\n*', "line 2: the tag 'Board' is there twice"),
    ],
)
def test_other_files_are_refused_by_their_line(
    tmp_path: Path, content: bytes, message: str
) -> None:
    path = tmp_path / "x.pgn"
    path.write_bytes(content)
    with pytest.raises(NotationError) as caught:
        read_games(path)
    assert message in str(caught.value)


def test_a_game_takes_its_own_place_among_others(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    first, second, third = (Record.from_moves([move]) for move in ("e2", "d1", "f1"))
    assert save_game(first, path) == 1
    number = save_game(second, path)
    assert save_game(third, path) == 3
    longer = Record.from_moves(["d1", "e8"])
    assert save_game(longer, path, number) == 2
    assert parse_records(path.read_text()) == [first, longer, third]
    assert read_game(path) == (third, 3)
    assert read_game(path, 1) == (first, 1)
    with pytest.raises(ConfigError, match="expected a game from 1 to 3"):
        read_game(path, 4)


def test_a_missing_file_or_folder_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read .*: No such file or directory"):
        read_games(tmp_path / "missing.pgn")
    with pytest.raises(ConfigError, match=r"cannot write .*: No such file or directory"):
        save_game(Record(), tmp_path / "missing" / "x.pgn")


def test_a_damaged_game_does_not_hide_earlier_ones(tmp_path: Path) -> None:
    save_game(Record.from_moves(["e2"]), tmp_path / "old.pgn")
    os.utime(tmp_path / "old.pgn", (1000, 1000))
    (tmp_path / "new.pgn").write_bytes(b'[Game "quor')
    told: list[str] = []
    resumed = find_game(tmp_path, told.append)
    resumed.release()
    assert resumed.path == tmp_path / "old.pgn"
    assert len(told) == 1
    assert "new.pgn, line 1: expected a tag" in told[0]


def test_a_game_that_could_not_be_written_is_not_kept(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    live = LiveGame(people())
    autosave = Autosave(live, folder)
    live.play("e2")
    path, autosave.path = autosave.path, tmp_path / "gone" / "x.pgn"
    live.play("e8")
    assert not autosave.close(keep=True)
    autosave.path = path
    assert autosave.close(keep=True)  # there is room again
    assert len(read_game(path)[0].moves) == 2


def test_temporary_files_of_killed_writers_are_removed(tmp_path: Path) -> None:
    left = tmp_path / ".game.pgn.tmp"
    left.write_bytes(b"[")
    Autosave(LiveGame(people()), tmp_path).close(keep=False)
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_saved_is_told_once_and_the_game_goes_on(tmp_path: Path) -> None:
    told: list[str] = []
    live = LiveGame(people())
    autosave = Autosave(live, tmp_path, on_failure=told.append)
    path, autosave.path = autosave.path, tmp_path / "gone" / "x.pgn"
    live.play("e2")
    live.play("e8")
    autosave.path, gone = path, autosave.path
    autosave.close(keep=False)
    assert len(told) == 1
    assert told[0].startswith(f"cannot write {gone}: ")


def test_games_left_long_ago_are_forgotten(tmp_path: Path) -> None:
    for age in range(MAX_SAVED + 3):
        path = tmp_path / f"{age}.pgn"
        path.write_text("*\n")
        os.utime(path, (age, age))
    Autosave(LiveGame(people()), tmp_path).close(keep=True)
    assert sorted(int(path.stem) for path in tmp_path.glob("*.pgn")) == list(
        range(3, MAX_SAVED + 3)
    )


def test_a_lock_on_a_file_that_was_removed_meanwhile_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.lock"
    take = fcntl.flock

    def remove_first(file: Any, how: int) -> None:
        monkeypatch.setattr(fcntl, "flock", take)
        path.unlink()
        take(file, how)

    monkeypatch.setattr(fcntl, "flock", remove_first)
    with try_lock(path) as mine:  # type: ignore[union-attr]
        assert path.exists()
        assert try_lock(path) is None
    assert mine.closed
