"""Many games, few cores: a fair queue for searches, and agents that sessions share.

A search takes a core, and waits for one when all are busy. Requests are served in order, but a
session that has searched a lot lately is put behind others by as many seconds. So every session
gets its turn, and none gets more than its share.

Agents are large, and only a few search at once, so they are pooled. An agent that changes sessions
forgets the other game, so that its strength does not depend on who used it before.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace

from plyground.agents.base import Agent, Progress
from plyground.games.base import State
from plyground.games.score import Score
from plyground.play.worker import check_cancelled
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult

HALF_LIFE_S = 10.0
"""Seconds after which half of a session's past use is forgiven."""
BACKGROUND_S = 2.0
"""Seconds that an analysis is put behind a move requested at the same time."""
MOST_IDLE = 12
"""Idle agents kept in the pool; an engine takes up to 64 MB."""
CHECK_S = 0.1
"""Seconds between two checks of a waiting request whether it is still needed."""
NICENESS = 5
"""Niceness of search threads above the server's, so that answering pages comes first."""


@dataclass(slots=True)
class _Usage:
    """The recent use of one session, decaying with time."""

    used_s: float = 0.0
    at: float = 0.0

    def now(self, now: float) -> float:
        return float(self.used_s * 0.5 ** ((now - self.at) / HALF_LIFE_S))


@dataclass(slots=True, eq=False)
class _Ticket:
    """A request in the queue."""

    session: str
    asked: float
    admitted: threading.Event = field(default_factory=threading.Event)


class CoreScheduler:
    """A fair queue for the cores.

    >>> scheduler = CoreScheduler(1)
    >>> with scheduler.turn("session"):
    ...     scheduler.busy
    1
    """

    def __init__(self, cores: int, now: Callable[[], float] = time.monotonic) -> None:
        self.cores = cores
        self.busy = 0
        self._now = now
        self._lock = threading.Lock()
        self._waiting: list[_Ticket] = []  # in the order they came
        self._usage: dict[str, _Usage] = {}

    @property
    def waiting(self) -> int:
        """The number of requests that wait."""
        return len(self._waiting)

    @contextmanager
    def turn(self, session: str, *, background: bool = False) -> Iterator[None]:
        """Wait for a core, and hold it until the end of the block.

        A request that is cancelled while it waits leaves the queue; see `check_cancelled`.
        """
        ticket = _Ticket(session, self._now() + (BACKGROUND_S if background else 0.0))
        with self._lock:
            self._waiting.append(ticket)
            self._admit()
        self._wait(ticket)
        began = self._now()
        try:
            yield
        finally:
            with self._lock:
                self.busy -= 1
                self._charge(session, self._now() - began)
                self._admit()

    def _wait(self, ticket: _Ticket) -> None:
        try:
            check_cancelled()
            while not ticket.admitted.wait(CHECK_S):
                check_cancelled()
            check_cancelled()
        except BaseException:
            with self._lock:
                if ticket in self._waiting:
                    self._waiting.remove(ticket)
                else:
                    self.busy -= 1
                self._admit()
            raise

    def _admit(self) -> None:
        """Wake the requests there are cores for, and no others."""
        while self._waiting and self.busy < self.cores:
            now = self._now()
            ticket = min(self._waiting, key=lambda ticket: self._priority(ticket, now))
            self._waiting.remove(ticket)
            self.busy += 1
            ticket.admitted.set()

    def _priority(self, ticket: _Ticket, now: float) -> float:
        usage = self._usage.get(ticket.session)
        return ticket.asked + (usage.now(now) if usage else 0.0)

    def _charge(self, session: str, seconds: float) -> None:
        now = self._now()
        usage = self._usage.setdefault(session, _Usage())
        usage.used_s, usage.at = usage.now(now) + seconds, now
        if len(self._usage) > 1000:
            self._usage = {name: u for name, u in self._usage.items() if u.now(now) > 0.01}


class AgentPool:
    """Agents that sessions share: as many of a kind as search at the same time."""

    def __init__(self, most_idle: int = MOST_IDLE) -> None:
        self._most_idle = most_idle
        self._idle: list[tuple[str, str, Agent]] = []  # kind, last session, agent; newest last
        self._lock = threading.Lock()

    @contextmanager
    def borrow(
        self, kind: str, session: str, build: Callable[[], Agent], is_new_game: bool = False
    ) -> Iterator[Agent]:
        """An agent of a kind, the same one as last time if it is free.

        `new_game` is called if the agent is new, comes from another session or begins a game.
        """
        owner, agent = self._take(kind, session) or ("", build())
        if is_new_game or owner != session:
            agent.new_game()
        try:
            yield agent
        finally:
            with self._lock:
                self._idle.append((kind, session, agent))
                del self._idle[: -self._most_idle]

    def _take(self, kind: str, session: str) -> tuple[str, Agent] | None:
        """An idle agent and its last session."""
        with self._lock:
            free = [entry for entry in self._idle if entry[0] == kind]
            if not free:
                return None
            entry = next((entry for entry in free if entry[1] == session), free[0])
            self._idle.remove(entry)
        return entry[1:]


class QueuedAgent(Agent):
    """An agent of one session that waits for a core and borrows a pooled agent to search with."""

    def __init__(
        self,
        build: Callable[[], Agent],
        kind: str,
        session: str,
        scheduler: CoreScheduler,
        pool: AgentPool,
        most_s: float,
        background: bool = False,
    ) -> None:
        self._build = build
        self._kind = kind
        self._session = session
        self._scheduler = scheduler
        self._pool = pool
        self._most_s = most_s
        self._background = background
        self._moves: tuple[State, Sequence[int]] | None = None
        self._is_new_game = False

    def new_game(self) -> None:
        """Let the agent of the next search forget earlier games."""
        self._moves, self._is_new_game = None, True

    def follow_game(self, start: State, actions: Sequence[int]) -> None:
        """Keep the moves of the game for the agent that will search."""
        self._moves = (start, actions)

    def search(
        self,
        state: State,
        limits: SearchLimits | None = None,
        on_progress: Progress | None = None,
    ) -> SearchResult:
        """Search when it is this session's turn."""

        def progress(result: SearchResult) -> None:
            check_cancelled()
            if on_progress is not None:
                on_progress(result)

        asked = time.monotonic()
        with self._turn() as agent:
            waited_s = time.monotonic() - asked
            if self._moves is not None:
                agent.follow_game(*self._moves)
            given = _after_wait(limits, waited_s)
            return agent.search(state, agent.limits_for(given, self._most_s), progress)

    def rank(self, state: State) -> list[tuple[int, Score]]:
        """Rank the moves when it is this session's turn."""
        with self._turn() as agent:
            return agent.rank(state)

    def keep_ranking(
        self, state: State, lines: Sequence[SearchResult], others: Sequence[tuple[int, Score]]
    ) -> None:
        """Let the pooled agent keep a ranking of all moves."""
        with self._pool.borrow(self._kind, self._session, self._build) as agent:
            agent.keep_ranking(state, lines, others)

    def solves(self, state: State) -> bool:
        """Whether the pooled agent does."""
        with self._pool.borrow(self._kind, self._session, self._build) as agent:
            return agent.solves(state)

    @contextmanager
    def _turn(self) -> Iterator[Agent]:
        """A core, and an agent to search with."""
        with (
            self._scheduler.turn(self._session, background=self._background),
            self._pool.borrow(self._kind, self._session, self._build, self._is_new_game) as agent,
        ):
            self._is_new_game = False
            _lower_priority()
            yield agent


def _after_wait(limits: SearchLimits | None, waited_s: float) -> SearchLimits | None:
    """The limits of a search that waited; its clock ran while others searched."""
    if limits is None or limits.clock_s is None:
        return limits
    return replace(limits, clock_s=max(0.0, limits.clock_s - waited_s))


def _lower_priority() -> None:
    """Let this thread, which only searches, have what others leave of the processor."""
    with suppress(OSError, AttributeError):  # not every system has a niceness per thread
        own = os.getpriority(os.PRIO_PROCESS, os.getpid())
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), own + NICENESS)
