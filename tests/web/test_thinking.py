"""Cores are shared fairly, agents between sessions, and no move takes longer than it may."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plyground.agents import EngineAgent, make
from plyground.errors import ConfigError
from plyground.quoridor import GameConfig, State
from plyground.search import SearchLimits
from plyground.ui.web.config import PLAIN_AGENTS
from plyground.ui.web.rates import Rate
from plyground.ui.web.seats import Seats
from plyground.ui.web.thinking import Agents, Cores, QueuedThinker

from .conftest import config_for, wait_until


class Line:
    """People who wait for one core, and the order in which they got it."""

    def __init__(self) -> None:
        self.now = 0.0
        self.cores = Cores(1, now=lambda: self.now)
        self.order: list[str] = []
        self._threads: list[threading.Thread] = []

    def ask(self, who: str, seconds: float = 0.0, background: bool = False) -> None:
        """Come in, and be at the end of the line when this returns."""
        before = self.cores.waiting

        def think() -> None:
            with self.cores.turn(who, background=background):
                self.order.append(who)
                self.now += seconds

        thread = threading.Thread(target=think)
        self._threads.append(thread)
        thread.start()
        wait_until(lambda: self.cores.waiting > before)

    def end(self) -> list[str]:
        for thread in self._threads:
            thread.join()
        return self.order


@pytest.fixture
def line() -> Line:
    return Line()


def test_first_come_first_served(line: Line) -> None:
    with line.cores.turn("somebody"):
        for who in ("a", "b", "c"):
            line.ask(who)
            line.now += 0.001
    assert line.end() == ["a", "b", "c"]


def test_who_has_used_much_waits_for_others(line: Line) -> None:
    with line.cores.turn("greedy"):
        line.now += 3.0
        for _ in range(3):
            line.ask("greedy")
        line.now += 1.0
        for who in ("a", "b"):
            line.ask(who)
    assert line.end()[:2] == ["a", "b"]


def test_nobody_waits_for_ever(line: Line) -> None:
    with line.cores.turn("greedy"):
        line.now += 3.0
    with line.cores.turn("somebody"):
        line.ask("greedy")
        line.now += 4.0  # longer than what it has used
        line.ask("a")
    assert line.end()[0] == "greedy"


def test_a_move_goes_before_an_analysis(line: Line) -> None:
    with line.cores.turn("somebody"):
        line.ask("analysis", background=True)
        line.now += 0.5
        line.ask("move")
    assert line.end() == ["move", "analysis"]


def test_no_more_think_at_once_than_there_are_cores() -> None:
    cores = Cores(2)
    seen: list[int] = []

    def think() -> None:
        for _ in range(50):
            with cores.turn(threading.current_thread().name):
                seen.append(cores.busy)

    threads = [threading.Thread(target=think) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert max(seen) <= 2
    assert len(seen) == 300
    assert (cores.busy, cores.waiting) == (0, 0)


class Thinker:
    """Remembers what it was asked."""

    def __init__(self, limits: SearchLimits | None = None) -> None:
        self.limits = limits
        self.asked: list[SearchLimits] = []
        self.forgot = 0

    def search(self, state: Any, limits: SearchLimits, on_progress: Any = None) -> Any:  # noqa: ARG002
        self.asked.append(limits)
        return None

    def points(self, state: Any) -> float:  # noqa: ARG002
        return 7.0

    def new_game(self) -> None:
        self.forgot += 1


def queued(agent: Thinker, most_s: float = 5.0) -> QueuedThinker:
    build: Callable[[], Any] = lambda: agent  # noqa: E731
    return QueuedThinker(build, "kind", "session", Cores(1), Agents(), most_s)


@pytest.mark.parametrize(
    ("own", "given", "time_s"),
    [
        (SearchLimits(time_s=1), None, 1),
        (SearchLimits(time_s=60), None, 5),
        (SearchLimits(nodes=100), None, 5),
        (SearchLimits(time_s=1), SearchLimits(time_s=0.2), 0.2),
        (SearchLimits(time_s=1), SearchLimits(time_s=100), 5),
        (SearchLimits(time_s=1), SearchLimits(time_s=5, clock_s=300), 1),
        (None, None, 5),
    ],
)
def test_no_search_may_take_longer_than_a_move_may(
    own: SearchLimits | None, given: SearchLimits | None, time_s: float
) -> None:
    agent = Thinker(own)
    queued(agent).search(State(), given)
    assert agent.asked[0].time_s == time_s


def test_moves_are_ranked_by_agents_that_can() -> None:
    class Ranking(Thinker):
        def select_action(self, state: Any, limits: Any = None) -> int:
            return self.search(state, limits).best_move

        def ranking(self, state: Any) -> list[tuple[int, float]]:
            return [(action, 0.5) for action in state.legal_actions()]

    ranked = queued(Ranking(None)).ranking(State())
    assert [action for action, _ in ranked] == State().legal_actions()
    assert queued(Thinker(None)).ranking(State()) == []


def test_limits_that_are_an_agents_nature_stay() -> None:
    agent = Thinker(SearchLimits(nodes=4000, depth=3))
    queued(agent).search(State(), SearchLimits(clock_s=10, increment_s=2))
    (asked,) = agent.asked
    assert (asked.nodes, asked.depth, asked.increment_s) == (4000, 3, 2)
    assert asked.clock_s is not None
    assert asked.clock_s <= 10


def test_agents_are_shared_and_forget_when_they_change_hands() -> None:
    agents = Agents()
    made: list[Thinker] = []

    def build() -> Thinker:
        made.append(Thinker())
        return made[-1]

    for who in ("a", "a", "b"):
        with agents.borrow("kind", who, build):
            pass
    assert len(made) == 1
    assert made[0].forgot == 1
    with agents.borrow("kind", "a", build) as one, agents.borrow("kind", "b", build) as other:
        assert one is not other
    with agents.borrow("kind", "b", build) as again:
        assert again is other


def test_agents_nobody_uses_are_let_go() -> None:
    agents = Agents(most_idle=2)
    for kind in ("a", "b", "c"):
        with agents.borrow(kind, "somebody", Thinker):
            pass
    built: list[str] = []
    for kind in ("a", "c"):
        with agents.borrow(kind, "somebody", lambda kind=kind: built.append(kind) or Thinker()):
            pass
    assert built == ["a"]


@pytest.mark.parametrize("who", [*PLAIN_AGENTS, "human"])
def test_whoever_is_offered_can_play(who: str, tmp_path: Path) -> None:
    seats = Seats(config_for(tmp_path, move_time_s=0.1))
    seat = seats.seat(who, "quoridor", "session")
    if not seat.is_person:
        action, _ = seat.think(State(), None, lambda result: None)  # noqa: ARG005
        assert action in State().legal_actions()


@pytest.mark.parametrize(
    "who", ["engine", "zero:network=/etc/passwd", "http://example.org", "solved", "", "../x"]
)
def test_nobody_else_is_let_in(who: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="expected a player of the list"):
        Seats(config_for(tmp_path)).seat(who, "quoridor", "session")


def test_an_agent_that_the_operator_names_may_be_any(tmp_path: Path) -> None:
    config = config_for(tmp_path, agents=("engine:nodes=200",))
    seat = Seats(config).seat("engine:nodes=200", "reversi", "session")
    assert not seat.is_person
    with pytest.raises(ConfigError, match="unknown agent 'enigne'"):
        config_for(tmp_path, agents=("enigne",))


def test_the_adviser_is_the_one_for_the_board(tmp_path: Path) -> None:
    seats = Seats(config_for(tmp_path))
    asked = [("quoridor", 9), ("quoridor", 5), ("reversi", 8)]
    names = [seats.adviser(game, size, "session").name for game, size in asked]
    assert names == ["zero", "engine", "engine"]
    small = State(GameConfig.preset("small"))
    limits = SearchLimits(time_s=0.05)
    for size, state, points in ((9, State(), False), (5, small, True)):
        adviser = seats.adviser("quoridor", size, "session")
        action, result = adviser.think(state, limits, lambda result: None)  # noqa: ARG005
        assert action in state.legal_actions()
        assert result is not None
        assert adviser.counts_points(state) is points


def test_progress_and_results_are_those_of_the_agent(tmp_path: Path) -> None:
    seats = Seats(config_for(tmp_path))
    seat = seats.seat("normal", "quoridor", "session")
    _, result = seat.think(State(), None, lambda result: None)  # noqa: ARG005
    level = make("normal")
    assert isinstance(EngineAgent(), type(level._agent(State())))  # type: ignore[attr-defined]
    assert result is not None
    assert seat.score(State(), result) == result.score / 100


def test_a_rate_allows_a_burst_and_then_so_many_a_second() -> None:
    now = 0.0
    rate = Rate(per_s=10, at_once=3, now=lambda: now)
    assert [rate.take() for _ in range(4)] == [True, True, True, False]
    now = 0.1
    assert [rate.take() for _ in range(2)] == [True, False]
    now = 100.0
    assert [rate.take() for _ in range(4)] == [True, True, True, False]
