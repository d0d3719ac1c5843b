"""Cores are shared fairly, agents between sessions, and no search outlasts its limit."""

from __future__ import annotations

import threading
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from plyground.agents.base import Agent, Progress
from plyground.errors import ConfigError
from plyground.games import base, registry
from plyground.games.score import Score
from plyground.play.worker import SearchCancelled, cancellable
from plyground.quoridor import GameConfig, State
from plyground.reversi import State as ReversiState
from plyground.search import SearchLimits, SearchResult
from plyground.ui.web.config import PLAIN_AGENTS
from plyground.ui.web.players import SessionPlayers, SharedPlayers
from plyground.ui.web.rate_limiter import RateLimiter
from plyground.ui.web.scheduler import AgentPool, CoreScheduler, QueuedAgent
from tests.waiting import wait_until

from .conftest import config_for


class Line:
    """Sessions that wait for one core, and the order in which they got it."""

    def __init__(self) -> None:
        self.now = 0.0
        self.cores = CoreScheduler(1, now=lambda: self.now)
        self.order: list[str] = []
        self._threads: list[threading.Thread] = []

    def ask(self, who: str, seconds: float = 0.0, background: bool = False) -> None:
        """Queue a request; it waits when this returns."""
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
    with line.cores.turn("other"):
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


def test_no_session_waits_for_ever(line: Line) -> None:
    with line.cores.turn("greedy"):
        line.now += 3.0
    with line.cores.turn("other"):
        line.ask("greedy")
        line.now += 4.0  # longer than what it has used
        line.ask("a")
    assert line.end()[0] == "greedy"


def test_a_move_goes_before_an_analysis(line: Line) -> None:
    with line.cores.turn("other"):
        line.ask("analysis", background=True)
        line.now += 0.5
        line.ask("move")
    assert line.end() == ["move", "analysis"]


def test_no_more_think_at_once_than_there_are_cores() -> None:
    cores = CoreScheduler(2)
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


class FakeAgent(Agent):
    """Records the limits of its searches."""

    def __init__(self, limits: SearchLimits | None = None) -> None:
        self.limits = limits or SearchLimits()
        self.asked: list[SearchLimits] = []
        self.new_games = 0

    def search(
        self,
        state: base.State,
        limits: SearchLimits | None = None,
        on_progress: Progress | None = None,
    ) -> SearchResult:
        assert limits is not None
        self.asked.append(limits)
        return SearchResult(state.legal_actions()[0], None)

    def new_game(self) -> None:
        self.new_games += 1


def queued(agent: Agent, most_s: float = 5.0) -> QueuedAgent:
    return QueuedAgent(lambda: agent, "kind", "session", CoreScheduler(1), AgentPool(), most_s)


@pytest.mark.parametrize(
    ("own", "given", "time_s"),
    [
        (SearchLimits(time_s=1), None, 1),
        (SearchLimits(time_s=60), None, 5),
        (SearchLimits(nodes=100), None, 5),
        (SearchLimits(time_s=1), SearchLimits(time_s=0.2), 0.2),
        (SearchLimits(time_s=1), SearchLimits(time_s=100), 5),
        (SearchLimits(time_s=1), SearchLimits(clock_s=300), 1),
        (SearchLimits(depth=3), None, 5),
    ],
)
def test_no_search_may_take_longer_than_a_move_may(
    own: SearchLimits, given: SearchLimits | None, time_s: float
) -> None:
    agent = FakeAgent(own)
    queued(agent).search(State(), given)
    assert agent.asked[0].time_s == time_s


def test_moves_are_ranked_by_agents_that_can() -> None:
    class Ranking(FakeAgent):
        def rank(self, state: base.State) -> list[tuple[int, Score]]:
            return [(action, Score.expected(0.5, 1)) for action in state.legal_actions()]

    ranked = queued(Ranking()).rank(State())
    assert [action for action, _ in ranked] == State().legal_actions()
    assert queued(FakeAgent()).rank(State()) == []


def test_limits_that_are_an_agents_nature_stay() -> None:
    agent = FakeAgent(SearchLimits(nodes=4000, depth=3))
    queued(agent).search(State(), SearchLimits(clock_s=10, increment_s=2))
    (asked,) = agent.asked
    assert (asked.nodes, asked.depth, asked.increment_s) == (4000, 3, 2)
    assert asked.clock_s is not None
    assert asked.clock_s <= 10


def test_agents_are_shared_and_forget_when_they_change_hands() -> None:
    agents = AgentPool()
    made: list[FakeAgent] = []

    def build() -> FakeAgent:
        made.append(FakeAgent())
        return made[-1]

    for who in ("a", "a", "b"):
        with agents.borrow("kind", who, build):
            pass
    assert len(made) == 1
    assert made[0].new_games == 2  # when it was built, and for the other session
    with agents.borrow("kind", "a", build) as one, agents.borrow("kind", "b", build) as other:
        assert one is not other
    with agents.borrow("kind", "b", build) as again:
        assert again is other


def test_a_new_game_of_a_session_reaches_the_pooled_agent() -> None:
    agent = FakeAgent()
    player = queued(agent)
    counts = []
    for is_new in (True, False, True):
        if is_new:
            player.new_game()
        player.search(State())
        counts.append(agent.new_games)
    assert counts == [1, 1, 2]


def test_idle_agents_are_limited() -> None:
    pool = AgentPool(most_idle=2)
    for kind in ("a", "b", "c"):
        with pool.borrow(kind, "session", FakeAgent):
            pass
    built: list[str] = []

    def build(kind: str) -> FakeAgent:
        built.append(kind)
        return FakeAgent()

    for kind in ("a", "c"):
        with pool.borrow(kind, "session", partial(build, kind)):
            pass
    assert built == ["a"]


QUORIDOR, REVERSI = registry.get("quoridor"), registry.get("reversi")


def players(folder: Path, **settings: Any) -> SessionPlayers:
    return SharedPlayers(config_for(folder, **settings)).of_session("session")


@pytest.mark.parametrize("name", [*PLAIN_AGENTS, *QUORIDOR.offered_agents, "human"])
def test_every_offered_player_can_play(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    seat = players(tmp_path, move_time_s=0.1).seat(name, QUORIDOR)
    if not seat.is_person:
        assert seat.search(State()).best_move in State().legal_actions()


def test_agents_that_do_not_play_a_game_are_not_offered(tmp_path: Path) -> None:
    offered = config_for(tmp_path).agents_for(REVERSI)
    assert "pathfinder" not in offered
    assert "zero:time=1" not in offered
    assert "minimax:order=dijkstra" not in offered
    assert {"master", "random", "minimax:depth=2", "engine:time=1"} <= set(offered)


@pytest.mark.parametrize(
    "name", ["engine", "zero:network=/etc/passwd", "http://example.org", "solved", "", "../x"]
)
def test_other_players_are_rejected(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="expected a player of the list"):
        players(tmp_path).seat(name, QUORIDOR)


def test_an_agent_that_the_operator_names_may_be_any(tmp_path: Path) -> None:
    seat = players(tmp_path, agents=("engine:nodes=200",)).seat("engine:nodes=200", REVERSI)
    assert not seat.is_person
    with pytest.raises(ConfigError, match="unknown agent 'enigne'"):
        config_for(tmp_path, agents=("enigne",))


def test_the_adviser_is_the_one_for_the_board(tmp_path: Path) -> None:
    session = players(tmp_path)
    small = State(GameConfig.preset("small"))
    states: list[base.State] = [State(), small, ReversiState()]
    assert [session.adviser(state).name for state in states] == ["zero", "engine", "engine"]
    limits = SearchLimits(time_s=0.05)
    for state, unit in ((State(), "value"), (small, "steps")):
        result = session.adviser(state).search(state, limits)
        assert result.best_move in state.legal_actions()
        assert result.score is not None
        assert result.score.unit.name == unit


def test_results_are_those_of_the_agent(tmp_path: Path) -> None:
    result = players(tmp_path).seat("normal", QUORIDOR).search(State())
    assert result.score is not None
    assert result.score.unit is QUORIDOR.unit
    assert result.nodes_searched >= 20000  # those of the level


def test_a_rate_allows_a_burst_and_then_so_many_a_second() -> None:
    now = 0.0
    rate = RateLimiter(per_s=10, at_once=3, now=lambda: now)
    assert [rate.take() for _ in range(4)] == [True, True, True, False]
    now = 0.1
    assert [rate.take() for _ in range(2)] == [True, False]
    now = 100.0
    assert [rate.take() for _ in range(4)] == [True, True, True, False]


def test_a_cancelled_request_leaves_the_queue_at_once() -> None:
    cores = CoreScheduler(1)
    needed, ended = threading.Event(), threading.Event()
    needed.set()

    def check() -> None:
        if not needed.is_set():
            raise SearchCancelled

    def think() -> None:
        with pytest.raises(SearchCancelled), cancellable(check), cores.turn("a"):
            raise AssertionError
        ended.set()

    with cores.turn("other"):
        threading.Thread(target=think).start()
        wait_until(lambda: cores.waiting == 1)
        needed.clear()
        assert ended.wait(5)
        assert (cores.busy, cores.waiting) == (1, 0)
    assert cores.busy == 0
