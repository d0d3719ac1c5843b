"""The course's clock: credit at its limits, and the credit that agents are told."""

from __future__ import annotations

import socket
import time

import pytest

from plyground.agents import Agent, make
from plyground.agents.course_remote import RemoteAgent
from plyground.games.base import State as AnyState
from plyground.play import LiveGame, Seat
from plyground.protocol.course import course_config
from plyground.quoridor import State
from plyground.search import SearchLimits
from plyground.serve.course_clock import CourseClock
from plyground.serve.course_host import hosted_game, initialize
from tests.serve.course_servers import answering, raw_server

START = State(course_config())


class Watch:
    """A time source under the test's control."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("takes_s", "is_late", "is_spent"),
    [
        (9.99, False, False),
        (10.0, False, False),
        (10.01, False, True),
        (10.49, False, True),
        (10.51, True, True),
    ],
)
def test_credit_at_its_edges(takes_s: float, is_late: bool, is_spent: bool) -> None:
    watch = Watch()
    clock = CourseClock(10.0, now=watch)
    clock.start(1)
    watch.now += takes_s
    falls_in = clock.flag_falls_in(1)
    assert falls_in == pytest.approx(max(11.0 - takes_s, 0.0))
    clock.press()
    assert (clock.is_late(1), clock.is_out_of_time(1)) == (is_late, is_spent)
    assert clock.left(1) == pytest.approx(max(10 - takes_s, 0.0))
    assert not clock.is_out_of_time(2)


def test_people_are_untimed_and_initialize_is_not() -> None:
    clock = CourseClock(10.0, untimed=[2])
    clock.charge(1, 10.2)
    assert clock.is_out_of_time(1)
    assert not clock.is_late(1)
    clock.charge(2, 1000)
    assert (clock.left(2), clock.flag_falls_in(2), clock.is_out_of_time(2)) == (None, None, False)


class Dawdler(Agent):
    """Takes the given seconds for each move."""

    def __init__(self, watch: Watch, *seconds: float) -> None:
        self.watch, self.seconds = watch, list(seconds)

    def select_action(self, state: AnyState, limits: SearchLimits | None = None) -> int:
        self.watch.now += self.seconds.pop(0)
        return state.legal_actions()[0]


@pytest.mark.parametrize(
    ("seconds", "moves"), [((10.3, 0.0), 2), ((10.6, 0.0), 0), ((5.0, 5.7), 2), ((9.9, 0.2, 0), 4)]
)
def test_an_answer_may_be_late_once(seconds: tuple[float, ...], moves: int) -> None:
    watch = Watch()
    seats = {1: Seat("slow", Dawdler(watch, *seconds)), 2: Seat("quick", make("random:seed=1"))}
    with LiveGame(seats, START, clock=CourseClock(10.0, now=watch)) as live:
        live.start()
        assert live.wait(30)
        assert (str(live.outcome), len(live.moves)) == ("player 2 won (time)", moves)


def test_the_record_of_an_untimed_player_has_no_clock() -> None:
    tags = hosted_game(["human", "random"], START, 5.0).record().tags
    assert tags["TimeControl"] == "5"
    assert "Clock" not in tags


def test_the_time_of_initialize_comes_off_the_credit() -> None:
    def dawdle(connection: socket.socket, request: bytes) -> None:
        if b"initialize" in request:
            time.sleep(0.3)
        answering(["P", 1, 4])(connection, request)

    with raw_server(dawdle) as address, hosted_game([address, "random"], START, 5.0) as live:
        initialize(live)
        left = live.clocks()
        assert 0 < (left[1] or 0) <= 4.7
        assert (left[2] or 0) > 4.9


def test_the_agent_is_told_its_credit_or_that_there_is_none() -> None:
    seen: list[bytes] = []

    def keep(connection: socket.socket, request: bytes) -> None:
        seen.append(request)
        answering(["P", 1, 4])(connection, request)

    with raw_server(keep) as address:
        RemoteAgent(address).select_action(State(), SearchLimits(clock_s=5.5))
        RemoteAgent(address).select_action(State(), SearchLimits(time_s=5.5))
    assert b"<double>5.5</double>" in seen[0]
    assert b"<double>5." in seen[1]
    assert all(b"<nil/>" in request for request in seen[2:])
