"""The course's host: whole games with our servers, bad agents of every kind, and the command."""

from __future__ import annotations

import os
import pickle
import re
import socket
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from plyground.agents import make
from plyground.agents.base import Forfeit
from plyground.agents.course_remote import RemoteAgent
from plyground.arena.config import ArenaConfig
from plyground.arena.runner import run_tasks
from plyground.arena.task import Conditions, Task
from plyground.cli.main import main
from plyground.errors import ConfigError
from plyground.play import Record
from plyground.play.clock import TimeControl
from plyground.play.game_file import read_games
from plyground.protocol.course import course_config
from plyground.protocol.xmlrpc import Fault, read_call, write_response
from plyground.quoridor import State
from plyground.search import SearchLimits
from plyground.serve.course_agent import CourseAgent
from plyground.serve.course_host import hosted_game, initialize
from plyground.ui.desktop.window import Window
from tests.serve.course_servers import Reply, answering, http_reply, raw_server, saying, serving
from tests.serve.test_course_messages import bomb, nested

START = State(course_config())


def play(*players: str, credit_s: float | None = None, start: State = START) -> Record:
    with hosted_game(players, start, credit_s) as live:
        initialize(live)
        live.start()
        assert live.wait(60)
        return live.record()


def test_whole_games_between_our_server_and_our_host_one_after_another() -> None:
    first, second = CourseAgent("pathfinder"), CourseAgent("engine:nodes=200,hash_mb=1")
    with serving(first) as one, serving(second) as two:
        for players in ((one, two), (two, one), (one, "random:seed=1")):
            record = play(*players, credit_s=60)
            assert record.termination == "goal"
            assert (record.tags["Player1"], record.tags["Player2"]) == players
            assert len(record.moves) > 10


def test_the_arena_plays_servers_too() -> None:
    with serving(CourseAgent("pathfinder")) as one, serving(CourseAgent("random")) as two:
        conditions = Conditions(control=TimeControl(60))
        tasks = [
            Task.of(*players, State(), label=str(n), conditions=conditions)
            for n, players in enumerate([(one, two), (two, one)])
        ]
        done = {game.task.label: game.record for game in run_tasks(tasks)}
    assert (done["0"].result, done["1"].result) == ("1-0", "0-1")


def test_a_server_plays_one_game_at_a_time() -> None:
    agents = ("http://localhost:8000", "random")
    ArenaConfig(agents, workers=1)
    ArenaConfig(agents, backend="ray", workers=1)
    for more in ({"workers": 2}, {"backend": "ray"}):
        with pytest.raises(ConfigError, match="plays one game at a time"):
            ArenaConfig(agents, **more)


def drop(connection: socket.socket, request: bytes) -> None:
    connection.shutdown(socket.SHUT_RDWR)


def drop_at_play(connection: socket.socket, request: bytes) -> None:
    if b"initialize" in request:
        connection.sendall(http_reply(write_response(None)))
    else:
        connection.shutdown(socket.SHUT_RDWR)


def hang(connection: socket.socket, request: bytes) -> None:
    if b"initialize" in request:
        connection.sendall(http_reply(write_response(None)))
    else:
        time.sleep(30)


BAD: dict[str, tuple[Reply, str]] = {
    "illegal": (answering(["P", 5, 5]), "illegal move 'f6' in "),
    "blocked": (answering(["P", 0, 4]), "illegal move 'e1' in "),
    "off the board": (
        answering(["P", 9, 4]),
        "nonsense: invalid action: expected an action on the board",
    ),
    "negative": (
        answering(["WH", -1, 4]),
        "nonsense: invalid action: expected an action on the board",
    ),
    "off the walls": (
        answering(["WV", 8, 0]),
        "nonsense: invalid action: expected an action on the board",
    ),
    "unknown kind": (
        answering(["X", 1, 4]),
        "nonsense: invalid action: expected an action P, WH or WV",
    ),
    "nil": (
        answering(None),
        "nonsense: invalid action: expected an action [kind, row, column], got None",
    ),
    "too few": (
        answering(["P", 1]),
        "nonsense: invalid action: expected an action [kind, row, column]",
    ),
    "too many": (
        answering(["P", 1, 4, 4]),
        "nonsense: invalid action: expected an action [kind, row, col",
    ),
    "strings": (
        answering(["P", "1", "4"]),
        "nonsense: invalid action: expected whole numbers for row and",
    ),
    "floats": (
        answering(["P", 1.0, 4.0]),
        "nonsense: invalid action: expected whole numbers for row and",
    ),
    "booleans": (answering(["P", True, True]), "nonsense: invalid action: expected whole numbers"),
    "a struct": (
        answering({"P": 1}),
        "nonsense: invalid action: expected an action [kind, row, column]",
    ),
    "a string": (
        answering("P14"),
        "nonsense: invalid action: expected an action [kind, row, column]",
    ),
    "a fault": (answering(Fault(1, "<class 'E'>:no")), "crash: fault: <class 'E'>:no"),
    "a drop": (drop_at_play, "crash: no connection: "),
    "a drop at once": (drop, "no start: no connection: "),
    "a huge body": (
        saying(http_reply(b"x" * 3_000_000)),
        "nonsense: malformed answer: expected a message of",
    ),
    "a bomb": (
        saying(http_reply(bomb())),
        "nonsense: malformed answer: expected a message without a docum",
    ),
    "nesting": (
        saying(http_reply(nested(5000))),
        "nonsense: malformed answer: expected elements nested",
    ),
    "no XML": (
        saying(http_reply(b"<html>")),
        "nonsense: malformed answer: expected XML, got something",
    ),
    "an error": (
        saying(http_reply(b"", "500 Oops")),
        "nonsense: malformed answer: HTTPException status 500",
    ),
    "a redirect": (
        saying(http_reply(b"", "302 Found", b"Location: http://127.0.0.1:1/\r\n")),
        "nonsense: malformed answer: HTTPException status 302",
    ),
    "no HTTP": (saying(b"hello\r\n\r\n"), "nonsense: malformed answer: BadStatusLine hello"),
    "endless headers": (
        saying(b"HTTP/1.0 200 OK\r\n" + b"A: b\r\n" * 500),
        "nonsense: malformed answer: ",
    ),
    "an endless chunk": (
        saying(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n" + b"x" * 3_000_000),
        "nonsense: malformed answer: expected a message of up to 1048576 bytes",
    ),
    "a chunk less than empty": (
        saying(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\n<a>"),
        "nonsense: malformed answer: ",
    ),
    "a long header": (
        saying(b"HTTP/1.0 200 OK\r\nA: " + b"b" * 100_000),
        "nonsense: malformed answer: ",
    ),
}


@pytest.mark.parametrize("kind", BAD)
def test_every_bad_agent_loses_with_its_reason(kind: str) -> None:
    reply, reason = BAD[kind]
    with raw_server(reply) as address:
        record = play("pathfinder", address, credit_s=30)
    assert record.result == "1-0"
    assert record.termination.startswith(reason)
    assert len(record.moves) == (0 if kind == "a drop at once" else 1)


def test_an_agent_that_is_not_there_loses() -> None:
    with raw_server(hang) as address:
        pass
    record = play(address, "random:seed=1")
    assert (record.result, record.moves) == ("0-1", ())
    assert record.termination == "no start: no connection: Connection refused"


@pytest.mark.parametrize("reply", [hang, saying(http_reply(b"<a>"), at_once=False)])
def test_an_agent_that_hangs_or_drips_is_cut_off_after_its_credit(reply: Reply) -> None:
    started = time.monotonic()
    with raw_server(reply) as address:
        record = play("pathfinder", address, credit_s=2)
    assert (record.result, record.termination, len(record.moves)) == ("1-0", "time", 1)
    assert time.monotonic() - started > 2.9


def test_a_failure_to_initialize_loses_for_the_one_that_failed() -> None:
    def fail(connection: socket.socket, request: bytes) -> None:
        connection.sendall(http_reply(write_response(Fault(1, "<class 'OSError'>:no book"))))

    with raw_server(fail) as address:
        assert play("random", address).termination == "no start: fault: <class 'OSError'>:no book"
        assert play(address, "random").result == "0-1"


def test_walls_are_shown_in_the_order_they_were_placed() -> None:
    shown: list[Any] = []
    answers = iter([["WH", 5, 0], ["P", 1, 4]])

    def place_a_wall(connection: socket.socket, request: bytes) -> None:
        if b"<methodName>play" in request:
            shown.append(read_call(request)[1][0]["horiz_walls"])  # type: ignore[index, call-overload]
            answering(next(answers))(connection, request)
        else:
            answering(None)(connection, request)

    with raw_server(place_a_wall) as address:
        agent = make(address)
        after = START.play(agent.select_action(START))
        agent.select_action(after.play("a2h"))
    assert shown == [[], [[5, 0], [1, 0]]]


def test_a_request_is_sent_again_when_the_connection_drops_unanswered() -> None:
    dropped: list[bytes] = []

    def drop_each_once(connection: socket.socket, request: bytes) -> None:
        if request in dropped:
            answering(["P", 1, 4])(connection, request)
        else:
            dropped.append(request)
            connection.shutdown(socket.SHUT_RDWR)

    with raw_server(drop_each_once) as address:
        assert make(address).select_action(State()) == 13
    assert len(dropped) == 2


# The command.


def test_the_command_plays_and_writes_a_record_that_it_replays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.pgn"
    with serving(CourseAgent("pathfinder")) as address:
        for _ in range(2):
            assert main(["host", address, "random", "--headless", "-t", "60", "-w", str(path)]) == 0
    assert f"player 0 ({address}) won: it reached its goal" in capsys.readouterr().out
    first, second = read_games(path)
    assert first.tags["TimeControl"] == "60"
    assert "Clock" in first.tags
    assert first.settings["MaxMoves"] == "65535"
    assert second.moves
    assert main(["host", "-r", str(path), "-s", "0"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("0   1   2") == shown.count("a   b   c") == len(second.moves) + 1
    assert shown.endswith("won: it reached its goal\n")


def test_verbose_tells_of_every_action_in_the_courses_words(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["host", "pathfinder", "pathfinder", "--headless", "-v", "-t", "50"]) == 0
    lines = capsys.readouterr().err.splitlines()
    seconds = r"[0-9]+\.[0-9][0-9] s"
    assert re.fullmatch(f"step 1: player 0 plays P,1,4 in {seconds}, {seconds} left", lines[0])
    assert " won: it reached its goal" in lines[-1]


def test_people_type_as_at_the_courses_console(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    typed = tmp_path / "typed"
    typed.write_text("P,1,4\nWH,2,3\nP,9,9\nresign\n")
    with typed.open() as file:
        monkeypatch.setattr(sys, "stdin", file)
        assert main(["host", "human", "human"]) == 0
    shown = capsys.readouterr().out
    assert "Walls are judged by our rules" in shown
    assert "player 2 won (resignation), 2 moves" in shown
    assert "d3h" in shown


def test_people_cannot_change_a_game_that_is_judged(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    typed = tmp_path / "typed"
    changes = ("undo", "redo", "load x.pgn", "level easy", "swap", "new")
    typed.write_text("\n".join(["help", "P,1,4", *changes, "resign"]))
    with typed.open() as file:
        monkeypatch.setattr(sys, "stdin", file)
        assert main(["host", "human", "human"]) == 0
    shown = capsys.readouterr().out
    for change in changes:
        [name, *_] = change.split()
        assert f"'{name}' is not possible in a game that is judged" in shown
        assert f"\n{name} " not in shown  # in the help
    assert "\nresign " in shown
    assert "player 1 won (resignation), 1 move\n" in shown


def test_the_window_shows_games_and_replays(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    replays: list[bool] = []

    def look(window: Window) -> None:
        """See the game to its end, or the first frame of a replay."""
        replays.append(window.session.replay is not None)
        window.frame()
        while not replays[-1] and window.session.live.outcome is None:
            window.frame(0.005)
        window.close()

    monkeypatch.setattr(Window, "run", look)
    path = tmp_path / "game.pgn"
    assert main(["host", "pathfinder", "pathfinder", "--gui", "-w", str(path)]) == 0
    assert "won: it reached its goal" in capsys.readouterr().out
    assert main(["host", "-r", str(path), "--gui"]) == 0
    assert replays == [False, True]


def test_a_board_to_start_from(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line, percepts = tmp_path / "line", tmp_path / "percepts"
    line.write_text("5 c4/a5 - 2/2 1 0 0\n")
    percepts.write_text(
        '{"size": 5, "pawns": [[3, 2], [4, 0]], "nb_walls": [2, 2], "horiz_walls": [], '
        '"verti_walls": [], "starting_walls": 2}'
    )
    for path in (line, percepts):
        record = tmp_path / f"{path.name}.pgn"
        command = ["host", "pathfinder", "random", "--headless", "-w", str(record)]
        assert main([*command, "--board", str(path)]) == 0
        [game] = read_games(record)
        assert [move.text for move in game.moves] == ["c5"]
    capsys.readouterr()


def test_draws_are_off_unless_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.pgn"
    command = ["host", "random:seed=1", "random:seed=2", "--headless", "-w", str(path)]
    assert main([*command, "--max-moves", "7"]) == 0
    assert capsys.readouterr().out.startswith("draw: ")
    assert len(read_games(path)[0].moves) == 7


def test_pickles_that_call_something_are_rejected(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    class Harm:
        def __reduce__(self) -> Any:
            return (Path.touch, (tmp_path / "harm",))

    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        trace = tmp_path / f"trace{protocol}"
        for game in (Harm(), [Harm()], {"game": Harm()}):
            trace.write_bytes(pickle.dumps(game, protocol))
            assert main(["host", "-r", str(trace)]) == 2
            assert "trace of the course" in capsys.readouterr().err
    assert not (tmp_path / "harm").exists()


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["random", "--headless"], "--headless shows nothing, so people cannot play"),
        (["a", "b", "c"], "expected two players, got 3"),
        (["randm", "human"], "unknown player 'randm'; did you mean 'random'?"),
        (["https://x", "random"], "unknown player 'https'; did you mean 'http'?"),
        (["http://", "random"], "expected an address like http://localhost:8000, got 'http://'"),
        (["http://a..b:80", "random"], "expected an address like http://localhost:8000, got"),
        (["http://x:y", "random"], "expected an address like http://localhost:8000, got"),
        (["random", "random", "-t", "-5"], "expected a credit of up to 86400 seconds, got -5"),
        (["--board", os.devnull], "/dev/null: bad position '': expected a board size from 3 to 9"),
        (["--board", "nowhere"], "cannot read nowhere: No such file"),
        (["-r", "nowhere"], "cannot read nowhere: No such file"),
        (["-r", "nowhere", "random"], "-r replays a game as it was; leave out 'random'"),
        (["random", "random", "--headless", "--gui"], "expected --headless or --gui, got both"),
    ],
)
def test_mistakes_are_one_line(
    arguments: list[str], error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["host", *arguments]) == 2
    message = capsys.readouterr().err
    assert message.startswith(f"plyground: {error}")
    assert message.count("\n") == 1


def test_an_address_plays_quoridor_alone() -> None:
    with pytest.raises(ConfigError, match="the agent 'http' does not play reversi"):
        make("http://localhost:8000", "reversi")
    with raw_server(hang) as address, pytest.raises(Forfeit, match="time"):
        RemoteAgent(address).select_action(State(), SearchLimits(clock_s=0.0))
