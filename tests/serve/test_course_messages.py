"""Messages recorded from the course's framework, byte by byte, and malicious messages."""

from __future__ import annotations

import json
import random
import socket
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.agents import Agent
from plyground.errors import IllegalMoveError, NotationError
from plyground.games.base import State as AnyState
from plyground.games.quoridor import expect_state
from plyground.play import Seat
from plyground.protocol.course import (
    Percepts,
    action_message,
    course_config,
    parse_typed,
    percepts_of,
    read_action,
    state_of,
)
from plyground.protocol.course_rules import course_allows
from plyground.protocol.xmlrpc import (
    LONGEST,
    Fault,
    read_call,
    read_response,
    write_call,
    write_response,
)
from plyground.quoridor import State
from plyground.search import SearchLimits
from plyground.serve.course_agent import CourseAgent
from tests.serve.course_servers import serving

DATA = Path(__file__).parents[1] / "data"
VECTORS = json.loads((DATA / "course_rule_vectors.json").read_text())


def recorded(number: int) -> bytes:
    [path] = (DATA / "course").glob(f"{number:02}_*")
    return path.read_bytes()


@pytest.mark.parametrize("number", [1, 3, 4, 8, 13])
def test_requests_are_read_and_written_again_byte_by_byte(number: int) -> None:
    method, arguments = read_call(recorded(number))
    percepts, *rest = arguments
    assert isinstance(percepts, dict)
    player = rest[0][0] if method == "initialize" else rest[0]  # type: ignore[index]
    state = state_of(percepts, player)
    again = percepts_of(state, cast(Percepts, percepts))
    assert write_call(method, again, *rest) == recorded(number)


@pytest.mark.parametrize(
    ("number", "answer"),
    [
        (2, None),
        (5, ["P", 0, 5]),
        (6, ["WH", 1, 3]),
        (7, ["WV", 3, 4]),
        (9, ["P", 0, 6]),
        (12, Fault(1, "<class 'RuntimeError'>:boom")),
    ],
)
def test_answers_are_read_and_written_again_byte_by_byte(number: int, answer: Any) -> None:
    assert read_response(recorded(number)) == answer
    assert write_response(answer) == recorded(number)


def test_what_the_start_looks_like() -> None:
    percepts = percepts_of(State(course_config()))
    assert write_call("initialize", percepts, [0, 2], 120.0) == recorded(1)
    assert write_call("initialize", percepts, [1, 3], None) == recorded(3)
    assert write_call("play", percepts, 0, 1, 119.98742270469666) == recorded(4)
    assert write_call("play", percepts, 0, 1, None) == recorded(13)


class Scripted(Agent):
    """Plays one move, or raises an exception."""

    def __init__(self, move: str | Exception) -> None:
        self.move = move

    def select_action(self, state: AnyState, limits: SearchLimits | None = None) -> int:
        if isinstance(self.move, Exception):
            raise self.move
        return state.parse_move(self.move)


def exchange(address: str, request: bytes) -> tuple[bytes, bytes]:
    """The head and the body of the answer to these bytes."""
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=30) as connection:
        connection.sendall(request)
        answer = b""
        while chunk := connection.recv(65536):
            answer += chunk
    head, _, body = answer.partition(b"\r\n\r\n")
    return head, body


def with_head(number: int, path: str = "/RPC2") -> bytes:
    """A recorded body behind the recorded headers."""
    head = recorded(10).replace(b"\n", b"\r\n").replace(b"\r\r", b"\r")
    body = recorded(number)
    head = head.replace(b"Content-Length: 2434", b"Content-Length: %d" % len(body))
    return head.replace(b"/RPC2", path.encode()).rstrip() + b"\r\n\r\n" + body


def test_the_server_answers_recorded_requests_with_recorded_answers() -> None:
    agent = CourseAgent("random")
    with serving(agent) as address:
        agent.seat = Seat("them", Scripted("g1"))
        for number in (1, 3):
            head, body = exchange(address, with_head(number))
            assert body == recorded(2)
        agent.seat = Seat("them", Scripted("f1"))
        assert exchange(address, with_head(4))[1] == recorded(5)
        assert exchange(address, with_head(13, "/"))[1] == recorded(5)
        agent.seat = Seat("them", Scripted("d2h"))
        exchange(address, with_head(1))
        assert exchange(address, with_head(4))[1] == recorded(6)
        agent.seat = Seat("them", Scripted("e4v"))
        exchange(address, with_head(1))
        assert exchange(address, with_head(4))[1] == recorded(7)
        agent.seat = Seat("them", Scripted("g1"))
        head, body = exchange(address, with_head(8))
        assert body == recorded(9)
        agent.seat = Seat("them", Scripted(RuntimeError("boom")))
        assert exchange(address, with_head(13, "/"))[1] == recorded(12)
    ours = [line.split(b":")[0] for line in head.split(b"\r\n")]
    theirs = [line.split(b":")[0].rstrip() for line in recorded(11).split(b"\n") if line.strip()]
    assert ours == theirs
    assert head.startswith(b"HTTP/1.0 200 OK\r\n")
    assert f"Content-length: {len(body)}".encode() in head


# Malicious messages.


def bomb(levels: int = 10) -> bytes:
    entities = "".join(f'<!ENTITY e{i + 1} "{f"&e{i};" * 10}">' for i in range(levels))
    return (
        f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e0 "boom">{entities}]>'
        f"<methodResponse><params><param><value>&e{levels};</value></param></params>"
        "</methodResponse>"
    ).encode()


def nested(depth: int) -> bytes:
    value = b"<value><array><data>" * depth + b"</data></array></value>" * depth
    return b"<methodResponse><params><param>" + value + b"</param></params></methodResponse>"


EXTERNAL = b"""<?xml version="1.0"?><!DOCTYPE x SYSTEM "file:///etc/passwd">
<methodResponse><params><param><value>1</value></param></params></methodResponse>"""
HARMFUL = {
    "a bomb of entities": (bomb(), "without a document type"),
    "an outer entity": (EXTERNAL, "without a document type"),
    "deep nesting": (nested(10_000), "nested up to 32 deep"),
    "too long": (b" " * (LONGEST + 1), f"of up to {LONGEST} bytes"),
    "too many elements": (
        b"<methodResponse>" + b"<x/>" * 50_000 + b"</methodResponse>",
        "up to 20000 elements",
    ),
    "no XML": (b"hello", "expected XML"),
    "nothing": (b"", "expected XML"),
    "half": (recorded(5)[:100], "expected XML"),
    "NULs": (b"\x00" * 100, "expected XML"),
    "an unknown encoding": (b'<?xml version="1.0" encoding="klingon"?><a/>', "expected XML"),
    "a call": (recorded(4), "expected a methodResponse"),
    "two values": (
        b"<methodResponse><params><param><value/></param><param><value/></param></params>"
        b"</methodResponse>",
        "expected one value in an answer, got 2",
    ),
    "a huge number": (
        write_response(["P", 1, 4]).replace(b">1<", b">" + b"9" * 5000 + b"<"),
        "expected nil, an int",
    ),
    "a number that is none": (
        write_response([1.5]).replace(b"1.5", b"nan"),
        "expected nil, an int",
    ),
}


@pytest.mark.parametrize("name", HARMFUL)
def test_harmful_messages_are_refused_in_a_line(name: str) -> None:
    body, reason = HARMFUL[name]
    with pytest.raises(NotationError) as caught:
        read_response(body)
    assert reason in str(caught.value)
    assert len(str(caught.value)) < 300
    with pytest.raises(NotationError):
        read_call(body.replace(b"methodResponse", b"methodCall") if name != "a call" else b"<a/>")


def test_any_damage_to_a_message_is_an_error_or_a_value(rng: random.Random) -> None:
    for _ in range(300):
        body = bytearray(recorded(rng.choice([1, 4, 8, 13])))
        for _ in range(rng.randint(1, 8)):
            at = rng.randrange(len(body))
            body[at : at + rng.randint(0, 9)] = rng.randbytes(rng.randint(0, 5))
        agent = CourseAgent("random")
        try:
            method, arguments = read_call(bytes(body))
        except NotationError:
            continue
        answer = agent.call(method, arguments)
        assert answer is None or isinstance(answer, list | Fault)


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**31), 2**31 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text("PWHV01 é&<", max_size=5)
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("ab<", max_size=3), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(VALUES)
def test_values_go_there_and_back(value: Any) -> None:
    assert read_response(write_response(value)) == value


@given(VALUES)
def test_whatever_an_agent_answers_it_is_a_move_or_refused(value: Any) -> None:
    state = State()
    try:
        action = read_action(value, state)
    except (NotationError, IllegalMoveError):
        return
    assert action in state.legal_actions()


@given(st.dictionaries(st.sampled_from(sorted(percepts_of(State()))), VALUES), VALUES, VALUES)
def test_whatever_is_asked_is_a_position_or_refused(changes: Any, player: Any, step: Any) -> None:
    try:
        state = state_of({**percepts_of(State()), **changes}, player, step)
    except (NotationError, ValueError):
        return
    assert state.current_player == player + 1


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"size": 12}, "expected a board of size 3 to 9, got 12"),
        ({"rows": 7}, "expected a square board, got rows 7"),
        ({"goals": [0, 8]}, "expected goals [8, 0], got [0, 8]"),
        ({"pawns": [[0, 4]]}, "expected two pawns, got 1"),
        ({"pawns": [[0, 4], [0, 4]]}, "expected every place of pawns once"),
        ({"pawns": [[0, "4"], [8, 4]]}, "expected [row, column] on the board in pawns"),
        ({"nb_walls": [10]}, "expected nb_walls of two players"),
        ({"horiz_walls": [[8, 0]]}, "expected [row, column] on the board in horiz_walls"),
        ({"horiz_walls": [[1, 1], [1, 1]]}, "expected every place of horiz_walls once"),
        ({"horiz_walls": [[1, 1], [1, 2]]}, "overlaps"),
    ],
)
def test_percepts_that_make_no_sense_are_explained(changes: dict[str, Any], error: str) -> None:
    with pytest.raises(NotationError) as caught:
        state_of({**percepts_of(State()), **changes}, 0)
    assert error in str(caught.value)


def test_percepts_may_have_more_walls_in_hand_or_lack_what_goes_without_saying() -> None:
    percepts: dict[str, object] = {**percepts_of(State()), "nb_walls": [12, 3]}
    for name in ("size", "rows", "cols", "starting_walls", "goals"):
        del percepts[name]
    state = state_of(percepts, 1, 40)
    assert state.walls_remaining == {1: 12, 2: 3}
    assert (state.current_player, state.move_count) == (2, 39)


def test_what_people_type_at_the_console() -> None:
    assert [parse_typed(text) for text in ("P,1,4", "wh, 2,3", "WV,0,0")] == ["e2", "d3h", "a1v"]
    for other in ("e2", "P,1", "P,1,9", "X,1,1", "P,a,b", "P,1,99999999999"):
        assert parse_typed(other) == other


def vector_state(vector: dict[str, Any]) -> State:
    return state_of({"starting_walls": 10, **vector}, vector["player"])


def test_the_course_allows_what_it_allowed_in_287_positions() -> None:
    for vector in VECTORS:
        state = vector_state(vector)
        moves = [
            action_message(state, action)
            for action in state.legal_actions()
            if course_allows(state, action)
        ]
        assert sorted(moves) == sorted(vector["pawn_moves"] + vector["wall_moves"])


class Unlucky(Agent):
    """Plays a wall that the course forbids, if there is one."""

    def select_action(self, state: AnyState, limits: SearchLimits | None = None) -> int:
        refused = [a for a in state.legal_actions() if not course_allows(expect_state(state), a)]
        return (refused or state.legal_actions())[-1]


def test_the_server_answers_with_a_move_that_both_accept() -> None:
    agent = CourseAgent("random")
    agent.seat = Seat("unlucky", Unlucky())
    for step, vector in enumerate(VECTORS, 1):
        percepts = {name: vector[name] for name in vector if name in percepts_of(State())}
        answer = agent.call("play", [percepts, vector["player"], step, None])
        assert answer in vector["pawn_moves"] + vector["wall_moves"]
        assert read_action(answer, vector_state(vector)) >= 0


def test_percepts_and_actions_may_hold_tuples() -> None:
    percepts = {
        "size": 9, "starting_walls": 10, "pawns": [(1, 6), (4, 6)], "goals": (8, 0),
        "nb_walls": (4, 6), "horiz_walls": [(1, 3), (1, 5), (2, 4), (3, 7), (6, 4)],
        "verti_walls": ((2, 2), (2, 6), (3, 5), (5, 5), (7, 3)),
    }  # fmt: skip
    state = state_of(percepts, 0, 21)
    assert (state.player1_pos, state.player2_pos) == ((1, 6), (4, 6))
    assert len(state.h_walls) == len(state.v_walls) == 5
    assert read_action(("P", 1, 7), state) == state.parse_move("h2")
