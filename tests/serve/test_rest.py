"""The REST endpoint: its description against its server, answers, limits, and bad requests."""

from __future__ import annotations

import asyncio
import http.client
import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import settings
from starlette.testclient import TestClient

from plyground import quoridor, reversi
from plyground.agents import Agent, EngineAgent, RandomAgent, make
from plyground.agents.base import Forfeit, ForfeitKind
from plyground.cli.main import main
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.games.base import State
from plyground.http_connection import MOST_PER_ADDRESS, LimitedProtocol
from plyground.play.seat import Seat
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult
from plyground.serve import http as rest
from plyground.serve.http import (
    IDLE,
    LONGEST,
    RestConfig,
    SearchQueue,
    make_app,
    make_server,
    serve,
)
from plyground.serve.move_request import MoveRequest
from tests.waiting import wait_until

QUICK = "engine:nodes=200,hash_mb=1"
# A list that is far too long is rejected for its bytes, before its moves are counted.
REFUSALS = {"checks": {"negative_data_rejection": {"expected-statuses": [400, 413, 415, 422]}}}
schemas = {
    game: schemathesis.openapi.from_asgi(
        "/openapi.json",
        make_app(RestConfig("random", registry.get(game), names=("testserver",))),
        config=schemathesis.Config.from_dict(REFUSALS),
    )
    for game in ("quoridor", "reversi")
}


def conforms(case: Any) -> None:
    """Answers follow the description for any request.

    It cannot describe which texts are positions, so others may be rejected.
    """
    case.call_and_validate(excluded_checks=[schemathesis.checks.positive_data_acceptance])


@schemas["quoridor"].parametrize()
@settings(max_examples=40)
def test_quoridor_is_as_described(case: Any) -> None:
    conforms(case)


@schemas["reversi"].parametrize()
@settings(max_examples=20)
def test_reversi_is_as_described(case: Any) -> None:
    conforms(case)


@contextmanager
def client(
    agent: str = QUICK,
    game: str = "quoridor",
    max_time_s: float = 5.0,
    origins: tuple[str, ...] = (),
) -> Iterator[TestClient]:
    config = RestConfig(agent, registry.get(game), max_time_s, origins=origins)
    with TestClient(make_app(config), base_url="http://localhost") as found:
        yield found


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1", "[::1]:80", "192.0.2.7", "Bot"])
def test_requests_for_this_machine_are_answered(host: str) -> None:
    app = make_app(RestConfig(QUICK, names=("bot",)))
    with TestClient(app) as ask:
        assert ask.get("/agent", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example:8000", "localhost.evil.example", "[", "bot", ""])
def test_requests_for_other_names_are_not(host: str) -> None:
    with client() as ask:
        answer = ask.get("/agent", headers={"host": host})
    assert answer.status_code == 403
    assert answer.json()["error"].startswith("unknown host name ")


@pytest.mark.parametrize("agent", [QUICK, "zero:sims=4", "minimax:depth=1", "easy", "pathfinder"])
def test_a_position_in_and_a_move_out(agent: str) -> None:
    state = quoridor.State().play("e2").play("e8")
    with client(agent) as ask:
        answers = [
            ask.post("/move", json=question).json()
            for question in ({"position": state.text()}, {"moves": ["e2", "e8"]})
        ]
    for answer in answers:
        assert answer["player"] == 1
        assert answer["position"] == state.play(answer["move"]).text()
        assert answer["line"][0] == answer["move"]
        tells = agent != "pathfinder"
        assert (answer["unit"] in ("steps", "value")) == tells
        assert (answer["nodes"] is not None) == tells


def test_reversi_and_a_proven_end() -> None:
    with client("engine:depth=4,hash_mb=1", "reversi") as ask:
        answer = ask.post("/move", json={"moves": ["f5"]}).json()
        assert answer["unit"] == "discs"
        reversi.State().play("f5").play(answer["move"])
    with client() as ask:
        answer = ask.post("/move", json={"position": "5 c4/a5 - 0/0 1 10 10"}).json()
        assert (answer["move"], answer["win_in"], answer["score"]) == ("c5", 1, None)


def test_limits_are_kept_and_cannot_go_beyond_what_is_allowed() -> None:
    with client("engine:depth=2,hash_mb=1", max_time_s=0.5) as ask:
        assert ask.post("/move", json={"limits": {"depth": 3}}).json()["depth"] == 3
        assert ask.post("/move", json={}).json()["depth"] == 2
        assert ask.post("/move", json={"limits": {"time_s": 0}}).status_code == 200
        refused = ask.post("/move", json={"limits": {"time_s": 0.6}})
        assert refused.status_code == 422
        assert refused.json()["error"] == "expected time_s to be a number up to 0.5, got 0.6"
        huge = ask.post("/move", json={"limits": {"nodes": 10**400}})
        assert huge.status_code == 422
        assert "expected nodes to be a number up to" in huge.json()["error"]


def test_a_limit_that_the_agent_keeps_is_kept() -> None:
    with client("minimax:depth=2") as ask:
        assert ask.post("/move", json={"limits": {"depth": 1}}).json()["depth"] == 1
        assert ask.post("/move", json={"limits": {"depth": 2}}).json()["depth"] == 2
        assert ask.post("/move", json={}).json()["depth"] == 2
    for agent in ("easy", "random"):
        with client(agent) as ask:
            assert ask.post("/move", json={"limits": {"time_s": 0.1}}).status_code == 200


@pytest.mark.parametrize(
    ("agent", "limits", "error"),
    [
        ("easy", {"depth": 1}, "expected only time_s as a limit of the agent 'easy', got depth"),
        ("hard", {"nodes": 9}, "expected only time_s as a limit of the agent 'hard', got nodes"),
        (
            "minimax:depth=2",
            {"depth": 1, "time_s": 1},
            "expected only depth as a limit of the agent 'minimax:depth=2', got time_s",
        ),
        (
            "minimax:depth=2",
            {"depth": 3},
            "expected a depth from 1 to 2 for the agent 'minimax:depth=2', got 3",
        ),
        ("solved", {"nodes": 1}, "expected no limit of the agent 'solved', got nodes"),
    ],
)
def test_a_limit_that_the_agent_cannot_keep_is_rejected(
    agent: str, limits: dict[str, float], error: str
) -> None:
    with client(agent) as ask:
        answer = ask.post("/move", json={"limits": limits})
    assert (answer.status_code, answer.json()["error"]) == (422, error)


@pytest.mark.parametrize("agent", ["engine:time=60", "engine", "zero", "master"])
def test_the_longest_time_applies_to_every_agent(
    agent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[SearchLimits | None] = []

    def search(
        _: Agent, state: State, limits: SearchLimits | None, progress: object
    ) -> SearchResult:
        given.append(limits)
        return SearchResult(state.legal_actions()[0], score=None)

    monkeypatch.setattr(type(make(agent)), "search", search)
    with client(agent, max_time_s=0.5) as ask:
        assert ask.post("/move", json={}).status_code == 200
    assert given == [SearchLimits(time_s=0.5)]


@pytest.mark.parametrize(
    ("body", "status", "error"),
    [
        (b"", 400, "expected JSON: Expecting value"),
        (b"{", 400, "expected JSON"),
        (b"\xff\xfe", 400, "expected JSON"),
        (b"[" * 10_000, 400, "expected JSON"),
        (b'{"moves": [NaN]}', 400, "expected JSON: NaN is not a number"),
        (b"1" + b"0" * 9000, 400, "expected JSON"),
        (b" " * (LONGEST + 1), 413, f"expected a body of up to {LONGEST} bytes"),
        (b"[]", 422, "expected settings like 'position: ...' for the request, got []"),
        (b'{"postion": "x"}', 422, "unknown key 'postion' of the request; did you mean"),
        (b'{"position": 3}', 422, "expected 'position' to be text"),
        (b'{"position": "9 e1"}', 422, "bad position '9 e1'"),
        (b'{"position": "\\ud800"}', 422, "bad position"),
        (b'{"moves": "e2"}', 422, "expected 'moves' to be a list"),
        (b'{"moves": [3]}', 422, "expected a move in notation, got '3'"),
        (b'{"moves": ["e5"]}', 422, "illegal move 'e5'"),
        (b'{"limits": 3}', 422, "expected settings like 'time_s: ...' for limits"),
        (b'{"limits": {"depth": 0}}', 422, "expected depth to be a whole number from 1"),
        (b'{"limits": {"depth": 2.5}}', 422, "expected depth to be a whole number"),
        (b'{"limits": {"depth": true}}', 422, "expected depth to be a number up to 1000, got True"),
        (b'{"limits": {"simulations": 3}}', 422, "the alpha-beta engine has no simulations"),
        (b'{"position": "5 c5/a4 - 0/0 2 10 10"}', 422, "no move to choose in"),
    ],
)  # fmt: skip
def test_bad_requests_are_one_line(body: bytes, status: int, error: str) -> None:
    with client() as ask:
        answer = ask.post("/move", content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code == status
        assert answer.json()["error"].startswith(error)
        assert ask.post("/move", json={}).status_code == 200


def test_other_requests_are_refused() -> None:
    with client() as ask:
        assert ask.post("/move", content=b"{}").status_code == 415
        assert ask.post("/move", data={"position": "x"}).status_code == 415
        wrong = ask.get("/move")
        assert (wrong.status_code, wrong.json()) == (405, {"error": "method not allowed"})
        unknown = ask.get("/etc/passwd")
        assert (unknown.status_code, unknown.json()) == (404, {"error": "not found"})


class Stuck(Agent):
    """Searches until the test lets it answer."""

    def __init__(self) -> None:
        self.may_answer = threading.Event()

    def select_action(self, state: State, limits: SearchLimits | None = None) -> int:
        assert self.may_answer.wait(60)
        return state.legal_actions()[0]


def test_a_crowd_is_asked_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    async def crowd() -> None:
        queue, stuck = SearchQueue(RestConfig("random", queue=2)), Stuck()
        queue._seats = [Seat("stuck", stuck)]
        request = MoveRequest(quoridor.State())
        asked = [asyncio.ensure_future(queue.search(request)) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(TimeoutError, match="too many requests"):
            await queue.search(request)
        stuck.may_answer.set()
        assert len(await asyncio.gather(*asked)) == 3
        result, took_s = await queue.search(request)
        assert (result.best_move, took_s >= 0) == (quoridor.State().legal_actions()[0], True)

    async def late() -> None:
        monkeypatch.setattr(rest, "GRACE_S", 0.0)
        queue, stuck = SearchQueue(RestConfig("random", max_time_s=0.05, queue=0)), Stuck()
        queue._seats = [Seat("stuck", stuck)]
        request = MoveRequest(quoridor.State())
        with pytest.raises(TimeoutError, match="took too long"):
            await queue.search(request)
        with pytest.raises(TimeoutError, match="too many requests"):  # the search goes on
            await queue.search(request)
        stuck.may_answer.set()

    asyncio.run(crowd())
    asyncio.run(late())


@pytest.mark.parametrize(
    ("deed", "kind", "error"),
    [
        ("crash", "crash", "crash: the program ended with status 1: RuntimeError: out of ideas"),
        ("illegal", "illegal move", "illegal move 'e9'"),
        ("nonsense", "illegal move", "illegal move '\\x1b[31m\u2603'"),
        ("refuse", "nonsense", "nonsense: the program says: error no idea what you mean"),
    ],
)
def test_another_program_that_fails_is_told_of(deed: str, kind: str, error: str) -> None:
    fake = Path(__file__).with_name("fake_engine.py")
    with client(agent=f"engine:{sys.executable} {fake} {deed} 1") as ask:
        answer = ask.post("/move", json={})
    assert answer.status_code == 502
    assert answer.json() == {"error": f"the agent failed: {error}", "forfeit": kind}


def test_an_agent_that_raises_is_told_of(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("out of ideas")

    monkeypatch.setattr(RandomAgent, "select_action", fail)
    with client("random") as ask:
        answer = ask.post("/move", json={})
    assert answer.status_code == 502
    error = "the agent failed: crash: RuntimeError: out of ideas"
    assert answer.json() == {"error": error, "forfeit": "crash"}
    assert "Traceback" in caplog.text  # the server keeps the details


def test_a_program_that_does_not_start_is_not_served() -> None:
    with pytest.raises(Forfeit, match="the program ended with status 1") as failure:
        serve(RestConfig("engine:/bin/false"), "127.0.0.1", 0)
    assert failure.value.kind is ForfeitKind.NO_START


def test_pages_of_other_sites_may_ask_only_if_they_were_named() -> None:
    headers = {"Origin": "https://example.org", "Access-Control-Request-Method": "POST"}
    allowed = "access-control-allow-origin"
    with client(origins=("https://example.org",)) as ask:
        assert ask.options("/move", headers=headers).headers[allowed] == "https://example.org"
        answer = ask.get("/agent", headers={"Origin": "https://evil.example"})
        assert allowed not in answer.headers
    with client() as ask:
        assert allowed not in ask.get("/agent", headers=headers).headers


def test_the_command_listens_on_this_machine_and_says_where() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "plyground", "serve", "http", "random", "-p", "0"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    with process, process.stdout as output:
        words = output.readline().split()
        assert words[:2] == ["Listening", "on"]
        host, port = words[2].split(":")
        assert host == "127.0.0.1"
        connection = http.client.HTTPConnection(host, int(port), timeout=60)
        body = json.dumps({"moves": ["e2"]})
        connection.request("POST", "/move", body, {"Content-Type": "application/json"})
        answer = json.loads(connection.getresponse().read())
        quoridor.State().play("e2").play(answer["move"])
        connection.close()
        process.terminate()
    assert process.returncode == 128 + signal.SIGTERM


def test_a_polite_kill_ends_the_program_that_thinks(tmp_path: Path) -> None:
    told = tmp_path / "pid"
    program = tmp_path / "slow.py"
    program.write_text(
        f"#!{sys.executable}\nimport os, sys, time\nfor line in sys.stdin:\n"
        "    word = line.split()[0]\n"
        "    if word in ('uci', 'isready'):\n"
        "        print({'uci': 'uciok', 'isready': 'readyok'}[word], flush=True)\n"
        "    if word == 'go':\n"
        f"        open({str(told)!r}, 'w').write(str(os.getpid()))\n"
        "        time.sleep(600)\n"
    )
    program.chmod(0o755)
    process = subprocess.Popen(
        [sys.executable, "-m", "plyground", "serve", "http", f"engine:{program}", "-p", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout
    with process, process.stdout as output:
        host, port = output.readline().split()[2].split(":")
        connection = http.client.HTTPConnection(host, int(port), timeout=60)
        connection.request("POST", "/move", "{}", {"Content-Type": "application/json"})
        wait_until(lambda: told.exists() and bool(told.read_text()))
        process.terminate()
        assert process.wait(60) == 128 + signal.SIGTERM
        connection.close()
    number = int(told.read_text())
    wait_until(lambda: not Path(f"/proc/{number}").exists())


def test_ctrl_c_answers_waiting_requests_without_a_traceback() -> None:
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "plyground",
            "serve",
            "http",
            "engine:time=60,hash_mb=1",
            "--max-time",
            "60",
            "-p",
            "0",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    host, port = process.stdout.readline().split()[2].split(":")
    with process:
        connection = http.client.HTTPConnection(host, int(port), timeout=60)
        connection.request("POST", "/move", "{}", {"Content-Type": "application/json"})
        probe = http.client.HTTPConnection(host, int(port), timeout=60)
        probe.request("GET", "/agent")  # answered after the first request has been read
        assert probe.getresponse().status == 200
        process.send_signal(signal.SIGINT)
        answer = connection.getresponse()
        assert (answer.status, json.loads(answer.read())) == (
            503,
            {"error": "the server is stopping"},
        )
        _, errors = process.communicate(timeout=60)
        connection.close()
        probe.close()
    assert process.returncode == 0
    assert "Traceback" not in errors


@contextmanager
def listening(config: RestConfig) -> Iterator[tuple[str, int]]:
    """Serve an agent, and yield the address."""
    server = make_server(make_app(config), config)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
        thread.start()
        try:
            yield listener.getsockname()
        finally:
            server.should_exit = True
            thread.join()


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"POST /move HTTP/1.1\r\nHost: ",
        b"POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n",
        b"GET /agent HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nFFFF\r\n",
        b"GET /agent HTTP/1.1\r\nHost: x\r\n\r\nGET /agent HT",
    ],
)
def test_a_request_that_never_ends_is_not_waited_for(
    begun: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LimitedProtocol, "request_timeout_s", 0.3)
    with listening(RestConfig("random")) as address, socket.create_connection(address) as peer:
        peer.sendall(begun)
        peer.settimeout(0.05)
        for _ in range(400):  # send bytes slowly, and watch for the end of the connection
            try:
                if not peer.recv(65536):
                    return
            except TimeoutError:
                peer.sendall(b"x")
            except ConnectionError:
                return
    pytest.fail("the connection is still open")


def test_a_malformed_chunk_ends_the_connection_without_a_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    headers = b"Host: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    with listening(RestConfig("random")) as address:
        for method in (b"POST /move", b"GET /agent"):  # before the response and after it
            with socket.create_connection(address, timeout=20) as peer:
                peer.sendall(method + b" HTTP/1.1\r\n" + headers)
                time.sleep(0.2)
                peer.sendall(b"zz\r\n{}\r\n0\r\n\r\n")
                with suppress(ConnectionError):
                    while peer.recv(65536):
                        pass
    assert [record for record in caplog.records if record.exc_info] == []


def test_too_many_connections_are_answered_as_documented() -> None:
    with ExitStack() as stack:
        address = stack.enter_context(listening(RestConfig("random", queue=0)))
        for _ in range(IDLE + 2):  # idle connections, after a request
            idle = http.client.HTTPConnection(*address, timeout=20)
            stack.callback(idle.close)
            idle.request("GET", "/agent")
            answer = idle.getresponse()
            body = json.loads(answer.read())
            if answer.status != 200:
                break
        assert (answer.status, answer.headers["Retry-After"]) == (503, "1")
        assert body == {"error": "too many connections; try again later"}


def test_the_oldest_incomplete_requests_of_an_address_are_closed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with ExitStack() as stack:
        address = stack.enter_context(listening(RestConfig("random")))
        peers = [
            stack.enter_context(socket.create_connection(address, timeout=20))
            for _ in range(MOST_PER_ADDRESS + 20)
        ]
        with suppress(ConnectionError):
            assert peers[0].recv(1) == b""
        connection = http.client.HTTPConnection(*address, timeout=20)
        connection.request("GET", "/agent")
        assert connection.getresponse().status == 200
        connection.close()
    assert capsys.readouterr().err.count("too many incomplete requests") == 1


@pytest.mark.parametrize("level", ["easy", "normal"])
def test_levels_keep_the_servers_time_limit(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    times: list[float | None] = []
    search = EngineAgent.search

    def watched(
        self: EngineAgent, state: State, limits: SearchLimits | None = None, *more: Any
    ) -> SearchResult:
        times.append(None if limits is None else limits.time_s)
        return search(self, state, limits, *more)

    monkeypatch.setattr(EngineAgent, "search", watched)
    with client(level, max_time_s=0.02) as ask:
        assert ask.post("/move", json={}).status_code == 200
    assert times
    assert all(time_s is not None and time_s <= 0.02 for time_s in times)


def test_an_answer_may_take_longer_than_its_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LimitedProtocol, "request_timeout_s", 1.0)
    with listening(RestConfig("engine:time=1.2,hash_mb=1")) as address:
        connection = http.client.HTTPConnection(*address, timeout=60)
        for _ in range(2):
            connection.request("POST", "/move", "{}", {"Content-Type": "application/json"})
            assert "move" in json.loads(connection.getresponse().read())
        connection.close()


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["human"], "expected an agent to serve, got 'human'"),
        (["randm"], "unknown player 'randm'"),
        (["random", "--max-time", "0"], "expected seconds for a move up to 3600, got 0"),
        (["random", "-b", ""], "expected an address to listen on, such as 127.0.0.1, got ''"),
        (["random", "-p", "0", "-b", "a..b"], "cannot listen on a..b:0: Name or service not known"),
        (["random", "-p", "0", "-b", "203.0.113.7"], "cannot listen on 203.0.113.7:0: "),
    ],
)
def test_mistakes_are_one_line(
    arguments: list[str], error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "http", *arguments]) == 2
    assert capsys.readouterr().err.startswith(f"plyground: {error}")


def test_a_person_cannot_be_served() -> None:
    with pytest.raises(ConfigError, match="expected an agent to serve"):
        SearchQueue(RestConfig("human"))
