"""Agents behind the course's server: repeated, reordered and invalid calls, and their time."""

from __future__ import annotations

import http.client
import socket
import subprocess
import sys
import threading
import time
from typing import Any
from xmlrpc.client import ServerProxy

import pytest

from plyground.agents import Agent, make
from plyground.agents.base import Progress
from plyground.cli.main import main
from plyground.games.base import State as AnyState
from plyground.play import Seat
from plyground.protocol.course import percepts_of
from plyground.protocol.xmlrpc import LONGEST, Fault, write_call
from plyground.quoridor import State
from plyground.search import SearchLimits, SearchResult
from plyground.serve import course_server
from plyground.serve.course_agent import MARGIN_S, CourseAgent
from plyground.serve.course_server import CourseServer
from tests.serve.course_servers import serving
from tests.waiting import wait_until

START: dict[str, Any] = dict(percepts_of(State()))
AFTER: dict[str, Any] = dict(percepts_of(State().play("e2").play("e8")))


class Slow(Agent):
    """Searches until the test lets it answer, and records its limits."""

    def __init__(self) -> None:
        self.asked = 0
        self.limits_seen: list[SearchLimits | None] = []
        self.may_answer = threading.Event()
        self.is_asked = threading.Event()

    def search(
        self,
        state: AnyState,
        limits: SearchLimits | None = None,
        on_progress: Progress | None = None,
    ) -> SearchResult:
        self.asked += 1
        self.limits_seen.append(limits)
        self.is_asked.set()
        result = SearchResult(state.legal_actions()[0], None, 1)
        assert on_progress is not None
        while not self.may_answer.wait(0.002):
            on_progress(result)
        return result


@pytest.fixture
def slow() -> Slow:
    return Slow()


@pytest.fixture
def agent(slow: Slow) -> CourseAgent:
    agent = CourseAgent("random")
    agent.seat = Seat("slow", slow)
    return agent


def test_a_question_asked_again_has_the_same_answer(agent: CourseAgent, slow: Slow) -> None:
    slow.may_answer.set()
    first = agent.call("play", [START, 0, 1, None])
    assert agent.call("play", [START, 0, 1, 9.5]) == first  # resent, with less time left
    assert slow.asked == 1
    agent.call("play", [AFTER, 0, 3, None])
    assert agent.call("play", [START, 0, 1, None]) == first  # as if in another game
    assert slow.asked == 3


def test_a_question_resent_while_it_is_thought_about_waits(agent: CourseAgent, slow: Slow) -> None:
    answers: list[Any] = []
    threads = [
        threading.Thread(target=lambda: answers.append(agent.call("play", [START, 0, 1, None])))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    assert slow.is_asked.wait(30)
    slow.may_answer.set()
    for thread in threads:
        thread.join()
    assert slow.asked == 1
    assert len(answers) == 3
    assert answers[0] == answers[1] == answers[2]


def test_a_new_question_ends_the_old_one(agent: CourseAgent, slow: Slow) -> None:
    """The host has given up, or plays another game: the old answer is not wanted."""
    answers: list[Any] = []
    old = threading.Thread(target=lambda: answers.append(agent.call("play", [START, 0, 1, None])))
    old.start()
    assert slow.is_asked.wait(30)
    assert agent.call("initialize", [START, [0, 2], None]) is None
    old.join(30)
    assert isinstance(answers[0], Fault)
    slow.may_answer.set()
    assert isinstance(agent.call("play", [AFTER, 0, 3, None]), list)


def test_a_new_question_ends_a_deep_minimax() -> None:
    agent = CourseAgent("minimax:depth=40")
    answers: list[Any] = []
    old = threading.Thread(
        target=lambda: answers.append(agent.call("play", [START, 0, 1, None])), daemon=True
    )
    old.start()
    wait_until(lambda: agent._request is not None)
    assert agent.call("initialize", [START, [0, 2], None]) is None
    old.join(30)
    assert isinstance(answers[0], Fault)


@pytest.mark.parametrize("credit", [120.0, 5, 0.2, 0.0, -3.0, 1e300])
def test_the_credit_is_the_clock_less_a_margin(
    agent: CourseAgent, slow: Slow, credit: float
) -> None:
    slow.may_answer.set()
    agent.call("play", [START, 0, 1, credit])
    [limits] = slow.limits_seen
    assert limits is not None
    assert limits.clock_s is not None
    assert 0 < limits.clock_s <= max(min(credit, 1e7) - MARGIN_S, 0.001)


def test_without_credit_it_thinks_as_it_likes(agent: CourseAgent, slow: Slow) -> None:
    slow.may_answer.set()
    agent.call("play", [START, 0, 1, None])
    assert slow.limits_seen == [None]


def test_credit_is_used_sensibly_over_a_whole_game() -> None:
    """The share of a move: enough to think, and enough left for a long game."""
    left, spent, agent = 120.0, [], make("engine")
    for _ in range(60):
        limits = agent.limits_for(SearchLimits(clock_s=left - MARGIN_S))
        assert limits is not None
        hard, _ = limits.time_budget()
        assert hard is not None
        spent.append(hard)
        left -= hard / 3 + 0.05  # three times the aim is the most; a call takes a moment
    assert spent[0] > 2
    assert left > 1


@pytest.mark.parametrize(
    ("method", "arguments", "fault"),
    [
        ("fly", [], "<class 'Exception'>:method 'fly' is not supported"),
        ("system.listMethods", [], "<class 'Exception'>:method 'system.listMethods'"),
        ("play", [], "<class 'TypeError'>:play() takes 4 arguments, got 0"),
        ("play", [{}, 0, 1, None], "<class 'plyground.NotationError'>:expected 'pawns'"),
        ("play", [[], 0, 1, None], "<class 'plyground.NotationError'>:expected percepts by name"),
        ("play", [START, 7, 1, None], "<class 'plyground.NotationError'>:expected the player"),
        ("play", [START, 0, 1, "soon"], "<class 'plyground.NotationError'>:expected the time"),
        ("initialize", [START, 0, None], "<class 'plyground.NotationError'>:expected the players"),
        ("initialize", [START, [5, 2], None], "<class 'plyground.NotationError'>:expected the"),
        (
            "play",
            [START | {"pawns": [[8, 4], [7, 4]]}, 1, 1, None],
            "<class 'plyground.IllegalMoveError'>:no move to choose in",
        ),
    ],
)
def test_calls_that_make_no_sense_are_faults(method: str, arguments: Any, fault: str) -> None:
    answer = CourseAgent("pathfinder").call(method, arguments)
    assert isinstance(answer, Fault)
    assert answer.code == 1
    assert answer.message.startswith(fault)


@pytest.mark.parametrize("step", [0, -5, 10**9, "three", None, 2.5])
def test_a_strange_step_is_no_reason_to_fail(step: Any) -> None:
    assert isinstance(CourseAgent("pathfinder").call("play", [START, 1, step, 60.0]), list)


def test_pythons_own_client_plays_it() -> None:
    with serving(CourseAgent("pathfinder")) as address:
        for path in ("", "/", "/RPC2"):
            proxy = ServerProxy(address + path, allow_none=True)
            assert proxy.initialize(START, [0, 2], 60.0) is None
            assert proxy.play(START, 0, 1, 59.5) == ["P", 1, 4]
            proxy("close")()


def answer_to(address: str, method: str, path: str, body: bytes, **headers: str) -> int:
    host = address.removeprefix("http://")
    connection = http.client.HTTPConnection(host, timeout=30)
    connection.putrequest(method, path)
    for name, value in headers.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    connection.send(body)
    status = connection.getresponse().status
    connection.close()
    return status


def test_other_requests_are_refused(agent: CourseAgent) -> None:
    body = write_call("play", START, 0, 1, None)
    size = str(len(body))
    with serving(agent) as address:
        assert answer_to(address, "GET", "/RPC2", b"") == 501
        assert answer_to(address, "PUT", "/RPC2", b"") == 501
        assert answer_to(address, "POST", "/etc/passwd", b"", Content_Length="0") == 404
        assert answer_to(address, "POST", "/RPC2", b"") == 411
        assert answer_to(address, "POST", "/RPC2", b"", Content_Length="-1") == 411
        assert answer_to(address, "POST", "/RPC2", b"", Content_Length=str(LONGEST + 1)) == 413
        assert answer_to(address, "POST", "/RPC2", b"", Content_Length="9" * 5000) == 413
        xml = {"Content_Type": "text/xml"}
        assert answer_to(address, "POST", "/RPC2", b"hello", Content_Length="5", **xml) == 200
        agent.seat = Seat.of("pathfinder")
        assert answer_to(address, "POST", "/RPC2", body, Content_Length=size, **xml) == 200
        for other in ("text/plain", "application/x-www-form-urlencoded", "text/plain; text/xml"):
            sent = {"Content_Length": size, "Content_Type": other}
            assert answer_to(address, "POST", "/RPC2", body, **sent) == 415
        assert answer_to(address, "POST", "/RPC2", body, Content_Length=size) == 415
        origin = {"Origin": "https://evil.example"}
        assert (
            answer_to(address, "POST", "/RPC2", body, Content_Length=size, **xml, **origin) == 403
        )


def test_peers_that_dawdle_are_hung_up_on(
    agent: CourseAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(course_server, "SENDING_S", 0.3)
    with serving(agent) as address:
        host, port = address.removeprefix("http://").split(":")
        headers = b"Content-Type: text/xml\r\nContent-Length: 99\r\n\r\n"
        for begun in (b"", b"POST /RPC2 HT", b"POST /RPC2 HTTP/1.0\r\n" + headers + b"x"):
            with socket.create_connection((host, int(port)), timeout=30) as connection:
                connection.sendall(begun)
                assert connection.recv(100) == b""


def test_a_crowd_is_not_let_in(agent: CourseAgent) -> None:
    with serving(agent) as address:
        host, port = address.removeprefix("http://").split(":")
        crowd = [
            socket.create_connection((host, int(port)), timeout=30)
            for _ in range(course_server.CONNECTIONS)
        ]
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:  # until all of them are in
            with socket.create_connection((host, int(port)), timeout=30) as late:
                late.settimeout(0.2)
                try:
                    if late.recv(100) == b"":
                        break
                except TimeoutError:
                    continue
        else:
            pytest.fail("every connection was accepted")
        for connection in crowd:
            connection.close()
        agent.seat = Seat.of("pathfinder")
        for _ in range(500):
            try:
                proxy = ServerProxy(address, allow_none=True)
                assert proxy.play(START, 0, 1, None) == ["P", 1, 4]
                proxy("close")()
                break
            except OSError:
                time.sleep(0.01)
        else:
            pytest.fail("no connection is accepted any more")


def test_nothing_listens_beyond_this_machine_unless_told_to(agent: CourseAgent) -> None:
    with CourseServer(agent, port=0) as server:
        assert server.server_address[0] == "127.0.0.1"
    with CourseServer(agent, "0.0.0.0", port=0) as server:
        assert server.server_address[0] == "0.0.0.0"


def test_the_command_listens_and_says_where() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "plyground", "serve", "course", "pathfinder", "-p", "0"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    with process, process.stdout as output:
        words = output.readline().split()
        assert words[:2] == ["Listening", "on"]
        assert words[2].startswith("127.0.0.1:")
        proxy = ServerProxy(f"http://{words[2]}", allow_none=True)
        assert proxy.play(START, 0, 1, None) == ["P", 1, 4]
        proxy("close")()
        process.terminate()


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["human"], "expected an agent to serve, got 'human'"),
        (["patfinder"], "unknown player 'patfinder'; did you mean 'pathfinder'?"),
        (
            ["random", "-p", "99999"],
            "argument -p/--port: expected a whole number from 0 to 65535, got '99999'",
        ),
        (["random", "-b", ""], "expected an address to listen on, such as 127.0.0.1, got ''"),
        (["random", "-p", "0", "-b", "203.0.113.7"], "cannot listen on 203.0.113.7:0"),
    ],
)
def test_mistakes_at_the_command_line_are_one_line(
    arguments: list[str], error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "course", *arguments]) == 2
    assert capsys.readouterr().err.startswith(f"plyground: {error}")
