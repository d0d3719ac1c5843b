"""`plyground play`: with nobody there, over a pipe, and at a terminal."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from plyground.play import Record, parse_record, parse_records

COMMAND = str(Path(sys.executable).parent / "plyground")
GOLDEN = Path(__file__).parents[1] / "golden"


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
    golden = parse_record((GOLDEN / "pathfinder_small.pgn").read_text(encoding="utf-8"))
    record = record_in(done.stdout)
    assert (record.moves, record.result) == (golden.moves, golden.result)
    assert (record.tags["Player1"], record.tags["Player2"]) == ("pathfinder", "pathfinder")
    assert "player 2 won (goal), 28 moves\n" in done.stdout


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
    typed = "help\nmoves\nf5\na1\nundo\nd3\n"
    done = play("reversi", "--p1", "human", "--p2", "human", typed=typed)
    assert (done.returncode, done.stderr) == (0, "")
    for said in (
        "Player 1 is black (X), player 2 white (O); more discs in the end win.\n"
        "Type a move such as d3, or 'help'.\n",
        "f5     put a disc there\n",
        "undo   take your last move back\n",
        "player 1> d3 c4 f5 e6\n",
        "4 . . . O X . . .\n",
        "illegal move 'a1' in '",
    ):
        assert said in done.stdout
    assert moves_in(done.stdout) == "d3"
    one = play("reversi", "--p2", "human", "--p1", "random:seed=1", typed="quit\n")
    assert one.stdout.startswith("You are player 2, white (O): have more discs in the end to win.")


def test_end_of_input_leaves_with_the_record() -> None:
    done = play("--preset", "tiny", "--p1", "human", "--p2", "human", typed="a1\nzz\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert (moves_in(done.stdout), record_in(done.stdout).result) == ("a1", "*")


def test_stray_bytes_are_a_bad_move() -> None:
    command = [COMMAND, "play", "--p1", "human"]
    done = subprocess.run(command, input=b"\xff\xfe\x00\n", capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"expected a cell" in done.stdout


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
            ["You are player 1: reach row 9 to win.", "Type a move such as e2 or e2h, or 'help'."],
        ),
        (
            ["--p2", "human", "--preset", "small"],
            ["You are player 2: reach row 1 to win.", "Type a move such as c2 or c2h, or 'help'."],
        ),
        (
            ["--p1", "human", "--p2", "human", "--preset", "tiny"],
            [
                "Player 1 wins on row 3, player 2 on row 1.",
                "Type a move such as b2 or b2h, or 'help'.",
            ],
        ),
    ],
)
def test_people_are_told_who_they_are_and_where_to_go(options: list[str], lines: list[str]) -> None:
    assert play(*options).stdout.splitlines()[:2] == lines


class Terminal:
    """The command on a pseudo-terminal: `expect` waits for output, `send` types a line."""

    def __init__(self, *options: str) -> None:
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [COMMAND, "play", *options], stdin=slave, stdout=slave, stderr=slave
        )
        os.close(slave)
        self.seen = ""

    def expect(self, text: str) -> str:
        """All output up to and with the text."""
        deadline = time.monotonic() + 30
        while text not in self.seen:
            assert self.read(deadline - time.monotonic()), f"no {text!r} in {self.seen!r}"
        before, self.seen = self.seen.split(text, 1)
        return before + text

    def read(self, seconds: float) -> bool:
        """Take some more output; False when there is none in time, or no more at all."""
        if not select.select([self.master], [], [], max(0, seconds))[0]:
            return False
        try:
            piece = os.read(self.master, 65536).decode()
        except OSError:  # Linux says so when the other side is closed
            return False
        self.seen += piece.replace("\r\n", "\n")
        return piece != ""

    def send(self, line: str) -> None:
        os.write(self.master, f"{line}\n".encode())

    def interrupt(self) -> None:
        """Press Ctrl-C, again if need be: Python misses one between its prompt and its read."""
        time.sleep(0.3)
        for _ in range(6):
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                continue
            return

    def end(self) -> tuple[int, str]:
        """Exit status and the rest of the output."""
        while self.read(30):
            pass
        return self.process.wait(timeout=30), self.seen


@pytest.fixture
def terminal() -> Iterator[Callable[..., Terminal]]:
    started: list[Terminal] = []

    def start(*options: str) -> Terminal:
        started.append(Terminal(*options))
        return started[-1]

    yield start
    for each in started:
        each.process.kill()
        each.process.wait()
        os.close(each.master)


def test_a_game_at_the_terminal(terminal: Callable[..., Terminal]) -> None:
    game = terminal("--preset", "small")
    assert "player 1 to move, walls left 5/5, move 0" in game.expect("player 1> ")
    game.send("zz")
    assert "expected a cell from a1 to e5" in game.expect("player 1> ")
    game.send("c4")
    refused = "illegal move 'c4' in '5 c1/c5 - 5/5 1 0 0': no pawn move leads there\n"
    assert refused in game.expect("player 1> ")
    game.send("undo")
    assert "there is no move of yours to take back\n" in game.expect("player 1> ")
    game.send("help")
    assert "take your last move back" in game.expect("player 1> ")
    game.send("moves")
    assert "b1 d1 c2 a1h b1h c1h d1h" in game.expect("player 1> ")
    game.send("C2")
    reply = game.expect("player 1> ")
    assert "player 2 (pathfinder) plays c4\n" in reply
    assert "player 1 to move, walls left 5/5, move 2" in reply
    game.send("undo")
    assert "player 1 to move, walls left 5/5, move 0" in game.expect("player 1> ")
    game.send("a1h")
    game.expect("player 1> ")
    game.send("quit")
    status, rest = game.end()
    assert status == 0
    assert moves_in(rest) == "a1h c4"
    assert record_in(rest).tags["Player1"] == "human"


def test_by_default_a_person_plays_the_standard_game(terminal: Callable[..., Terminal]) -> None:
    game = terminal()
    assert "walls left 10/10, move 0" in game.expect("player 1> ")
    game.send("\x04")  # Ctrl-D
    status, rest = game.end()
    assert status == 0
    assert record_in(rest).tags["Player2"] == "pathfinder"


def test_the_line_can_be_edited(terminal: Callable[..., Terminal]) -> None:
    game = terminal("--preset", "small")
    game.expect("player 1> ")
    game.send("2\x01c")  # Ctrl-A: to the start of the line
    assert "player 2 (pathfinder) plays c4\n" in game.expect("player 1> ")


def test_the_seat_left_over_is_for_the_person(terminal: Callable[..., Terminal]) -> None:
    game = terminal("--p1", "random")
    assert "player 1 (random) plays" in game.expect("player 2> ")


def test_ctrl_c_leaves_with_the_record(terminal: Callable[..., Terminal]) -> None:
    game = terminal("--preset", "small")
    game.expect("player 1> ")
    game.send("c2")
    game.expect("player 1> ")
    game.interrupt()
    status, rest = game.end()
    assert status == 130
    assert moves_in(rest) == "c2 c4"
    assert "Traceback" not in rest
