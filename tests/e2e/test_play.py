"""`plyground play` without a terminal: agents alone, and people over a pipe."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from plyground.play import Record, format_record, parse_record, parse_records

COMMAND = str(Path(sys.executable).parent / "plyground")


def play(*options: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    command = [COMMAND, "play", *options]
    return subprocess.run(command, input=typed, capture_output=True, text=True, timeout=60)


def record_in(output: str) -> Record:
    return parse_record(output[output.index("[Game ") :])


def moves_in(output: str) -> str:
    return " ".join(move.text for move in record_in(output).moves)


def test_with_no_terminal_two_agents_play_a_short_game() -> None:
    done = play()
    assert (done.returncode, done.stderr) == (0, "")
    record = record_in(done.stdout)
    assert (record.settings, record.result != "*") == ({"Board": "5"}, True)
    assert (record.tags["Player1"], record.tags["Player2"]) == ("hard", "hard")
    assert record_in(play().stdout).actions("board") == record.actions("board")
    assert f"{record.outcome}, {len(record.moves)} moves\n" in done.stdout
    assert "\x1b" not in done.stdout
    assert done.stdout.isascii()


def test_input_may_be_closed_altogether() -> None:
    done = subprocess.run(
        ["sh", "-c", '"$0" play <&-', COMMAND], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_seed_fixes_a_random_game() -> None:
    options = ["--p1", "random", "--p2", "random", "--preset", "tiny"]
    first, again, other = (play(*options, "--seed", seed).stdout for seed in ("1", "1", "2"))
    assert moves_in(first) == moves_in(again) != moves_in(other)
    assert record_in(first).tags["Player2"] == "random:seed=2"


def test_people_can_play_over_a_pipe() -> None:
    done = play("--preset", "tiny", "--p1", "human", "--p2", "human", typed="b2\nb1\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "player 2 won (goal), 2 moves\n" in done.stdout
    assert done.stdout.count("player 2 won") == 1
    assert moves_in(done.stdout) == "b2 b1"


def test_reversi_is_played_by_two_agents() -> None:
    done = play("reversi", "--p1", "minimax:depth=1", "--p2", "random", "--seed", "4")
    assert (done.returncode, done.stderr) == (0, "")
    record = record_in(done.stdout)
    assert record.game == "reversi"
    assert record.result in ("1-0", "0-1", "1/2-1/2")
    assert str(record.outcome) + f", {len(record.moves)} moves" in done.stdout


def test_people_can_play_reversi() -> None:
    typed = "help\nmoves\nF5\na1\nundo\nd3\n"
    done = play("reversi", "--p1", "human", "--p2", "human", typed=typed)
    assert (done.returncode, done.stderr) == (0, "")
    for expected in (
        "Player 1 is black (X), player 2 white (O); more discs in the end win.\n"
        "Type 'help', 'rules' or a move such as d3.\n",
        "f5     put a disc there\n",
        "undo [turns]     take your last move back\n",
        "player 1> d3 c4 f5 e6\n",
        "4  .  .  +  O  X  .  .  .",
        "5  .  .  .  X  X [X] .  .",
        "player 2> a1 is not possible: ",
        "; possible: f4 d6 f6\n",
    ):
        assert expected in done.stdout
    assert moves_in(done.stdout) == "d3"
    one = play("reversi", "--p2", "human", "--p1", "random:seed=1", typed="quit\n")
    assert one.stdout.startswith("You are player 2, white (O): have more discs in the end to win.")


def test_a_player_without_a_move_is_told_to_pass() -> None:
    stuck = "OOOOO--OOXXXXXXOOOOOOOXOOOXOOXXOXOXXOXXOXXOXXOXOXXXOOXOOXXXXXXXO X"
    people = ("--p1", "human", "--p2", "human")
    done = play("reversi", "--position", stuck, *people, typed="pass\n")
    assert done.stdout.count("has no move: type 'pass'") == 1
    assert "player 1 has no move: type 'pass'\nplayer 1> " in done.stdout
    assert moves_in(done.stdout) == "pass"


def test_end_of_input_leaves_with_the_record() -> None:
    done = play("--preset", "tiny", "--p1", "human", "--p2", "human", typed="a1\nzz\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert (moves_in(done.stdout), record_in(done.stdout).result) == ("a1", "*")


def test_stray_bytes_are_a_bad_move() -> None:
    command = [COMMAND, "play", "--p1", "human"]
    done = subprocess.run(command, input=b"\xff\xfe\x00\n", capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"expected" in done.stdout


def test_games_are_added_to_a_file(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    for typed in ("b2\nb1\n", "a1\n"):
        play("--preset", "tiny", "--p1", "human", "--p2", "human", "--save", str(path), typed=typed)
    games = parse_records(path.read_text(encoding="utf-8"))
    assert [len(game.moves) for game in games] == [2, 1]


def test_a_file_that_cannot_be_written_is_noticed_before_the_game(tmp_path: Path) -> None:
    path = tmp_path / "missing" / "games.pgn"
    done = play("--preset", "tiny", "--save", str(path))
    assert done.returncode == 2
    assert done.stderr == f"plyground: cannot write {path}: No such file or directory\n"
    assert done.stdout == ""


def test_a_file_that_is_full_loses_nothing() -> None:
    done = play("--preset", "tiny", "--save", "/dev/full")
    assert done.returncode == 2
    assert done.stderr == "plyground: cannot write /dev/full: No space left on device\n"
    assert moves_in(done.stdout)


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        (
            ["--p1", "human"],
            [
                "You are player 1: reach row 9 to win.",
                "Type 'help', 'rules' or a move such as e2 or e2h.",
            ],
        ),
        (
            ["--p2", "human", "--preset", "small"],
            [
                "You are player 2: reach row 1 to win.",
                "Type 'help', 'rules' or a move such as c2 or c2h.",
            ],
        ),
        (
            ["--p1", "human", "--p2", "human", "--preset", "tiny"],
            [
                "Player 1 wins on row 3, player 2 on row 1.",
                "Type 'help', 'rules' or a move such as b2 or b2h.",
            ],
        ),
    ],
)
def test_people_are_told_their_task(options: list[str], lines: list[str]) -> None:
    assert play(*options).stdout.splitlines()[:2] == lines


HOSTILE = (
    "engine:'/bin/sh -c \"touch pwned\"'",
    "engine:/bin/sh -c 'touch pwned'",
    "engine:theirs.yaml",
    "http://localhost:9/",
    "zero:network=theirs.onnx",
    "minimax:weights=theirs.json",
    "engine:time=1,weights=theirs.json",
)


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("source", ["--load", "--resume"])
def test_a_file_cannot_start_a_program_or_open_others(
    name: str, source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    folder = tmp_path / "data" / "plyground" / "autosave"
    folder.mkdir(parents=True)
    record = Record.from_moves(["e2"], tags={"Player1": name, "Player2": name})
    path = folder / "game.pgn"
    path.write_text(format_record(record), encoding="utf-8")
    done = play(source, *([str(path)] if source == "--load" else []), typed="e8\n")
    assert done.returncode == 0
    assert moves_in(done.stdout) == "e2 e8"
    assert "is not started from a file and becomes a person; --p2 gives" in done.stderr
    assert record_in(done.stdout).tags["Player2"] == name
    assert not (tmp_path / "pwned").exists()


def test_a_file_continues_levels_and_built_in_agents(tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    tags = {"Player1": "minimax:depth=1", "Player2": "easy"}
    path.write_text(format_record(Record.from_moves(["e2"], tags=tags)), encoding="utf-8")
    done = play("--load", str(path))
    assert (done.returncode, done.stderr) == (0, "")
    assert record_in(done.stdout).result != "*"


@pytest.mark.parametrize(
    "command", [["host", "--headless", "-r"], ["analyse", "--depth", "1", "--no-cache"]]
)
def test_no_command_starts_the_players_of_a_file(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    tags = {"Player1": HOSTILE[0], "Player2": HOSTILE[1]}
    path = tmp_path / "game.pgn"
    path.write_text(format_record(Record.from_moves(["e2", "e8"], tags=tags)), encoding="utf-8")
    done = subprocess.run([COMMAND, *command, str(path)], capture_output=True, text=True)
    assert done.returncode == 0
    assert not (tmp_path / "pwned").exists()
