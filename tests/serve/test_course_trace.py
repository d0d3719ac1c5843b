"""Traces of the course: exchanged with its program, and hostile pickles that are rejected."""

from __future__ import annotations

import pickle
import pickletools
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from plyground.cli.main import main
from plyground.course import Board as CourseBoard
from plyground.errors import NotationError
from plyground.play import Record
from plyground.play.record import MoveRecord
from plyground.protocol.course import course_config
from plyground.protocol.course_trace import LONGEST_TRACE, read_trace, write_trace
from plyground.quoridor import State
from plyground.serve.course_trace import format_trace, parse_trace

START = State(course_config())
GAME = Record.from_moves(
    [MoveRecord(move, 0.25) for move in ("e2", "d3h", "d5v", "e8")],
    START,
    {"TimeControl": "60"},
    result="0-1",
    termination="time",
)


class Board:
    """The attributes of the framework's board, without its methods."""


class Trace:
    """The attributes of the framework's trace."""


@pytest.fixture
def framework(monkeypatch: pytest.MonkeyPatch) -> None:
    """The two classes where the framework has them."""
    module = ModuleType("quoridor")
    monkeypatch.setattr(module, "Board", Board, raising=False)
    monkeypatch.setitem(sys.modules, "quoridor", module)
    monkeypatch.setattr(sys.modules["__main__"], "Trace", Trace, raising=False)
    monkeypatch.setattr(Board, "__module__", "quoridor")
    monkeypatch.setattr(Trace, "__module__", "__main__")


def trace_of_the_framework(**attributes: object) -> Trace:
    """A trace as the framework makes it: tuples and lists as they come from its agents."""
    board = Board()
    vars(board).update(
        size=9, rows=9, cols=9, starting_walls=10, pawns=[(0, 4), (8, 4)], goals=[8, 0],
        nb_walls=[10, 10], horiz_walls=[], verti_walls=[],
    )  # fmt: skip
    trace = Trace()
    vars(trace).update(
        time_limits=[None, 30.0],
        initial_board=board,
        actions=[(0, ["P", 1, 4], 0.1), (1, ("WH", 2, 4), 0.3), (0, ["WV", 4, 4], 12)],
        winner=-1,
        reason="Opponent's time credit has expired.",
    )
    vars(trace).update(attributes)
    return trace


@pytest.mark.usefixtures("framework")
def test_the_framework_loads_and_replays_what_we_write() -> None:
    trace = pickle.loads(format_trace(GAME))
    assert type(trace) is Trace
    assert type(trace.initial_board) is Board  # type: ignore[attr-defined]
    found: dict[str, Any] = vars(trace)
    assert (found["time_limits"], found["winner"]) == ([60.0, 60.0], -1)
    assert found["reason"] == "Opponent lost by time"
    assert found["actions"][1] == (1, ["WH", 2, 3], 0.25)
    board = CourseBoard(vars(found["initial_board"]))
    for player, action, _ in found["actions"]:
        board.play_action(action, player)
    assert (board.pawns, board.nb_walls) == ([(1, 4), (7, 4)], [9, 9])
    assert set(vars(found["initial_board"])) == set(vars(CourseBoard()))


@pytest.mark.usefixtures("framework")
@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_traces_of_the_framework_are_read(protocol: int) -> None:
    record = parse_trace(pickle.dumps(trace_of_the_framework(), protocol))
    assert [move.text for move in record.moves] == ["e2", "e3h", "e5v"]
    assert [move.time_s for move in record.moves] == [0.1, 0.3, 12.0]
    assert (record.result, record.termination) == ("0-1", "time")
    assert record.start_state() == START
    same = trace_of_the_framework(time_limits=[30.0, 30.0])
    assert parse_trace(pickle.dumps(same, protocol)).tags["TimeControl"] == "30"


def test_a_trace_comes_back_as_it_was_written() -> None:
    again = parse_trace(format_trace(GAME))
    assert (again.moves, again.result, again.termination) == (GAME.moves, "0-1", "time")
    assert again.tags["TimeControl"] == "60"
    assert parse_trace(format_trace(Record.from_moves([], START))).result == "*"


def test_a_won_game_has_the_courses_score() -> None:
    start = State.parse("9 e8/a5 - 0/0 1 20 0", course_config())
    data = format_trace(Record.from_moves(["e9"], start))
    trace = read_trace(data)
    assert (trace["winner"], trace["reason"]) == (4, "")
    assert parse_trace(data).termination == "goal"


@pytest.mark.usefixtures("framework")
def test_a_wall_that_the_framework_ignores_ends_the_record() -> None:
    trace: Any = trace_of_the_framework()
    trace.initial_board.nb_walls = [10, 0]
    record = parse_trace(pickle.dumps(trace))
    assert [move.text for move in record.moves] == ["e2"]
    assert record.termination == "step 2 cannot be replayed: player 1 has no wall left"


@pytest.mark.usefixtures("framework")
@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ({"actions": None}, "expected a trace with actions, got None"),
        ({"actions": [1]}, "step 1: expected a player, an action and seconds, got 1"),
        ({"actions": [(1, ["P", 1, 4], 0), (1, ["P", 1, 4], 0)]}, "step 1: illegal move"),
        ({"actions": [(0, ["P", 1, 4], 0), (0, ["P", 2, 4], 0)]}, "step 2: it is not the turn"),
        ({"actions": [(0, ["P", 5, 4], 0)]}, "step 1: illegal move 'e6'"),
        ({"actions": [(0, ["P", "x", 4], 0)]}, "step 1: expected whole numbers"),
        ({"actions": [("0", ["P", 1, 4], 0)]}, "expected the player 0 or 1"),
        ({"initial_board": {}}, "expected a trace with an initial board"),
        ({"initial_board": None}, "expected a trace with an initial board"),
    ],
)
def test_traces_that_are_wrong(attributes: dict[str, object], message: str) -> None:
    with pytest.raises(NotationError, match=message):
        parse_trace(pickle.dumps(trace_of_the_framework(**attributes)))


@pytest.mark.usefixtures("framework")
def test_strange_attributes_do_not_matter() -> None:
    for strange in (float("nan"), 10**40, "x", [1], None, -3):
        trace = trace_of_the_framework(
            winner=strange, reason=strange, time_limits=[strange, strange]
        )
        actions: Any = vars(trace)["actions"]
        actions[0] = (0, ["P", 1, 4], strange)
        assert parse_trace(pickle.dumps(trace)).moves[0].time_s is None


# Hostile pickles.


class Harm:
    """An object whose pickle calls something."""

    def __init__(self, call: object, *arguments: object) -> None:
        self.call = (call, arguments)

    def __reduce__(self) -> Any:
        return self.call


def laughs(levels: int) -> list[object]:
    """A list whose text doubles with every level."""
    found: list[object] = ["ha"]
    for _ in range(levels):
        found = [found, found]
    return found


def nested(opening: bytes, closing: bytes, depth: int) -> bytes:
    return b"\x80\x02" + opening * depth + closing * depth + b"."


KEY = b"\x80\x02}" + b")" + b"\x85" * 200_000 + b"K\x01s."
"""A deep tuple as a key, whose hash overflows the stack of the interpreter."""

HOSTILE = {
    "a call": pickle.dumps(Harm(exec, "raise SystemExit"), 2),
    "a call in a list": pickle.dumps([Harm(eval, "1/0")], 4),
    "another class": b"\x80\x02cos\nsystem\n.",
    "another class, by name on the stack": pickle.dumps(Path, 4),
    "an attribute of the class": b"\x80\x04\x8c\x08__main__\x8c\x0eTrace.__init__\x93.",
    "arguments for the class": b"\x80\x02c__main__\nTrace\nK\x01\x85\x81.",
    "a call of the class": b"\x80\x02c__main__\nTrace\n)R.",
    "a changed class": b"\x80\x02c__main__\nTrace\n}X\x01\x00\x00\x00aK\x01sb.",
    "an instance without a class": b"\x80\x02})\x81.",
    "an extension": b"\x80\x02\x82\x01.",
    "a persistent id": b"\x80\x02K\x01Q.",
    "an old instance": b"\x80\x02(i__main__\nTrace\n.",
    "bytes": pickle.dumps(b"x" * 100, 4),
    "a set": pickle.dumps({1, 2}, 4),
    "a long": b"\x80\x02\x8b\xff\xff\xff\x7f" + b"\xff" * 100,
    "a large memo": b"\x80\x02Nr\xff\xff\xff\x7f.",
    "a large text": b"\x80\x04\x8d" + b"\xff" * 8 + b".",
    "a large frame": b"\x80\x04\x95" + b"\xff" * 8 + b".",
    "deep lists": nested(b"(l", b"a", 1000)[:2] + b"]" * 200_000 + b"a" * 199_999 + b".",
    "deep tuples": b"\x80\x02)" + b"\x85" * 500_000 + b".",
    "a deep key": KEY,
    "marks": b"\x80\x02" + b"(" * 900_000 + b".",
    "no values": b"\x80\x02\x87.",
    "no mark": b"\x80\x02t.",
    "an odd number of items": b"\x80\x02}(K\x01u.",
    "a key that is no text": b"\x80\x02}K\x01K\x01s.",
    "nothing": b"\x80\x02.",
    "no end": b"\x80\x02N",
    "unknown instructions": b"\x80\x02\xfe.",
    "a recalled value that is not there": b"\x80\x02h\x07.",
    "laughs": pickle.dumps(laughs(60), 2),
    "too long": b"\x80\x02" + b"N0" * (LONGEST_TRACE // 2),
    "a plain list": pickle.dumps([1, 2], 2),
    "no text": b"\x80\x02X\x01\x00\x00\x00\xff.",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_pickles_are_rejected_quickly(kind: str) -> None:
    started = time.monotonic()
    with pytest.raises(NotationError, match="expected a trace"):
        parse_trace(HOSTILE[kind])
    assert time.monotonic() - started < 20  # seconds, also on a busy machine


@pytest.mark.usefixtures("framework")
def test_attributes_that_are_bombs_are_told_in_one_line() -> None:
    for bomb in (laughs(60), [laughs(60)], (0, laughs(60), 1)):
        for name in ("actions", "initial_board"):
            data = pickle.dumps(trace_of_the_framework(**{name: bomb}))
            with pytest.raises(NotationError) as raised:
                parse_trace(data)
            assert len(str(raised.value)) < 200
        trace: Any = trace_of_the_framework()
        trace.initial_board.pawns = bomb
        with pytest.raises(NotationError):
            parse_trace(pickle.dumps(trace))


def test_only_plain_instructions_are_written() -> None:
    names = {op.name for op, _, _ in pickletools.genops(format_trace(GAME))}
    assert "REDUCE" not in names
    data = write_trace({"a": 1, "b": [1.5, None, "x"]}, {"c": (1, 2)})
    found = read_trace(data)
    assert found == {"a": 1, "b": [1.5, None, "x"], "initial_board": {"c": (1, 2)}}


# The command.


def test_the_host_writes_a_trace_and_replays_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.pkl"
    command = ["host", "pathfinder", "random:seed=1", "--headless", "-t", "60", "-w", str(path)]
    for names in (["Ann", "Bob"], ["Cid", "Dora"]):
        assert main([*command, "--names", *names]) == 0
        assert f"player 0 ({names[0]}) won: it reached its goal" in capsys.readouterr().out
    record = parse_trace(path.read_bytes())  # the second game alone
    assert record.termination == "goal"
    assert main(["host", "-r", str(path), "-s", "0"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("0   1   2   3   4   5   6   7   8") == len(record.moves) + 1
    assert main(["host", "-r", str(path), "--headless"]) == 0
    assert "won: it reached its goal" in capsys.readouterr().out


@pytest.mark.parametrize(("first", "starter"), [("1", "Ann"), ("2", "Bob")])
def test_who_begins(
    first: str, starter: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.pgn"
    command = ["host", "random:seed=1", "random:seed=2", "--headless", "--max-moves", "1"]
    command += ["--names", "Ann", "Bob", "-w", str(path)]
    assert main([*command, "--first", first]) == 0
    assert f'[Player1 "{starter}"]' in path.read_text()
    capsys.readouterr()


def test_either_begins_at_random(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["host", "random:seed=1", "random:seed=2", "--headless", "--max-moves", "1"]
    command += ["--names", "Ann", "Bob", "--first", "random"]
    shown = set()
    for _ in range(40):
        assert main(command) == 0
        shown.add(capsys.readouterr().out.splitlines()[0])
    assert shown == {"Ann begins", "Bob begins"}


def test_mistakes_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = tmp_path / "small"
    small.write_text("5 c4/a5 - 2/2 1 0 0\n")
    path = str(tmp_path / "game.pkl")
    for arguments, message in (
        (["random", "random", "--board", str(small), "-w", path], "boards of size 9, got 5"),
        (["random", "random", "-w", str(tmp_path / "no" / "game.pkl")], "cannot write"),
        (["random", "random", "--names", "A\nB", "C"], "expected plain text on one line"),
        (["-r", path, "--names", "A", "B"], "leave out --names"),
    ):
        assert main(["host", "--headless", *arguments]) == 2
        assert message in capsys.readouterr().err
    assert not Path(path).exists()
