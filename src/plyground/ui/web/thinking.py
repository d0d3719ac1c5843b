"""Many games, few cores: who may think when, and with which agent.

A search takes a core, and waits for one where all are busy. Whoever asked first goes first, but a
session that has thought much lately is put behind others by as many seconds. So nobody waits for
ever, and nobody who asks for more gets more than a share.

Agents are large, and only so many think at once: they are shared. One that changes hands forgets
the other's game, so that nobody plays stronger or weaker for the company.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any

from plyground.agents.base import Progress, Ranker, Thinker
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult

HALF_LIFE_S = 10.0
"""After so long, half of what a session has used is forgiven."""
BACKGROUND_S = 2.0
"""How far an analysis stands behind a move that was asked for at the same time."""
MOST_IDLE = 12
"""Agents kept that nobody uses; the engine's take up to 64 MB each."""
NICENESS = 5
"""Of searches, beyond the server's own, so that answering people comes first."""


@dataclass(slots=True)
class _Share:
    """What a session has used lately."""

    used_s: float = 0.0
    at: float = 0.0

    def now(self, now: float) -> float:
        return float(self.used_s * 0.5 ** ((now - self.at) / HALF_LIFE_S))


@dataclass(slots=True, eq=False)
class _Ticket:
    """Somebody in the queue."""

    who: str
    asked: float
    admitted: threading.Event = field(default_factory=threading.Event)


class Cores:
    """A fair queue for the cores.

    >>> cores = Cores(1)
    >>> with cores.turn("Ann"):
    ...     cores.busy
    1
    """

    def __init__(self, number: int, now: Callable[[], float] = time.monotonic) -> None:
        self.number = number
        self.busy = 0
        self._now = now
        self._lock = threading.Lock()
        self._waiting: list[_Ticket] = []  # in the order they came
        self._shares: dict[str, _Share] = {}

    @property
    def waiting(self) -> int:
        """How many wait."""
        return len(self._waiting)

    @contextmanager
    def turn(self, who: str, *, background: bool = False) -> Iterator[None]:
        """Wait for a core, and have it until the end of the block."""
        ticket = _Ticket(who, self._now() + (BACKGROUND_S if background else 0.0))
        with self._lock:
            self._waiting.append(ticket)
            self._admit()
        ticket.admitted.wait()
        began = self._now()
        try:
            yield
        finally:
            with self._lock:
                self.busy -= 1
                self._charge(who, self._now() - began)
                self._admit()

    def _admit(self) -> None:
        """Let in whom there is room for. Only they wake up: a crowd would be in everybody's way."""
        while self._waiting and self.busy < self.number:
            now = self._now()
            ticket = min(self._waiting, key=lambda ticket: self._place(ticket, now))
            self._waiting.remove(ticket)
            self.busy += 1
            ticket.admitted.set()

    def _place(self, ticket: _Ticket, now: float) -> float:
        share = self._shares.get(ticket.who)
        return ticket.asked + (share.now(now) if share else 0.0)

    def _charge(self, who: str, seconds: float) -> None:
        now = self._now()
        share = self._shares.setdefault(who, _Share())
        share.used_s, share.at = share.now(now) + seconds, now
        if len(self._shares) > 1000:  # those who have not thought for long owe nothing
            self._shares = {w: s for w, s in self._shares.items() if s.now(now) > 0.01}


class Agents:
    """Agents that sessions share: as many of a kind as think at the same time."""

    def __init__(self, most_idle: int = MOST_IDLE) -> None:
        self._most_idle = most_idle
        self._idle: list[tuple[str, str, Any]] = []  # kind, who had it last, agent; newest last
        self._lock = threading.Lock()

    @contextmanager
    def borrow(self, kind: str, who: str, build: Callable[[], Any]) -> Iterator[Any]:
        """An agent of a kind, the same one as last time if it is free."""
        agent = self._take(kind, who) or build()
        try:
            yield agent
        finally:
            with self._lock:
                self._idle.append((kind, who, agent))
                del self._idle[: -self._most_idle]

    def _take(self, kind: str, who: str) -> Any:
        with self._lock:
            free = [entry for entry in self._idle if entry[0] == kind]
            if not free:
                return None
            entry = next((entry for entry in free if entry[1] == who), free[0])
            self._idle.remove(entry)
        _, owner, agent = entry
        if owner != who and (forget := getattr(agent, "new_game", None)) is not None:
            forget()
        return agent


class QueuedThinker:
    """A thinker of one session that waits for a core and borrows the agent that does the work."""

    def __init__(
        self,
        build: Callable[[], Thinker],
        kind: str,
        who: str,
        cores: Cores,
        agents: Agents,
        most_s: float,
        background: bool = False,
    ) -> None:
        self._build = build
        self._kind = kind
        self._who = who
        self._cores = cores
        self._agents = agents
        self._most_s = most_s
        self._background = background
        self._points: dict[int, float | None] = {}  # by board size, which is all they depend on

    @property
    def limits(self) -> SearchLimits:
        """The most it may think; its agent may have less."""
        return SearchLimits(time_s=self._most_s)

    def select_action(self, state: Any, limits: SearchLimits | None = None) -> int:
        """Choose a move."""
        return self.search(state, limits).best_move

    def search(
        self,
        state: Any,
        limits: SearchLimits | None = None,
        on_progress: Progress | None = None,
    ) -> SearchResult:
        """Search when it is this session's turn."""
        asked = time.monotonic()
        with self._turn() as agent:
            waited_s = time.monotonic() - asked
            # Noted now: whoever asks later holds a game's lock, and should not wait for an agent.
            self._points[state.board_size] = agent.points(state)
            result: SearchResult = agent.search(
                state, self._capped(agent, limits, waited_s), on_progress
            )
            return result

    def ranking(self, state: Any) -> list[tuple[int, float]]:
        """Rank the moves when it is this session's turn, where its agent can."""
        with self._turn() as agent:
            return agent.ranking(state) if isinstance(agent, Ranker) else []

    @contextmanager
    def _turn(self) -> Iterator[Any]:
        """A core, and an agent to think with."""
        with (
            self._cores.turn(self._who, background=self._background),
            self._agents.borrow(self._kind, self._who, self._build) as agent,
        ):
            _give_way()
            yield agent

    def points(self, state: Any) -> float | None:
        """What a point is worth in the agent's scores."""
        if state.board_size not in self._points:
            with self._agents.borrow(self._kind, self._who, self._build) as agent:
                self._points[state.board_size] = agent.points(state)
        return self._points[state.board_size]

    def _capped(self, agent: Any, limits: SearchLimits | None, waited_s: float) -> SearchLimits:
        """The limits, or with a clock the agent's own, shortened to what a move may take here."""
        own: SearchLimits = getattr(agent, "limits", None) or SearchLimits()
        if limits is not None and limits.clock_s is None:
            own = limits
        capped = replace(own, time_s=min(own.time_s or self._most_s, self._most_s))
        if limits is not None and limits.clock_s is not None:
            left_s = max(0.0, limits.clock_s - waited_s)  # it ran while others were thinking
            capped = replace(capped, clock_s=left_s, increment_s=limits.increment_s)
        return capped


def _give_way() -> None:
    """Let this thread, which is only for thinking, have what others leave of the processor."""
    with suppress(OSError, AttributeError):  # not everywhere do threads have a niceness
        own = os.getpriority(os.PRIO_PROCESS, os.getpid())
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), own + NICENESS)
