"""The players of the web page: people, and agents that share the cores."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial

from plyground.agents import Agent, make
from plyground.agents.human import PERSON
from plyground.analysis.adviser import adviser_for
from plyground.analysis.cache import AnalysisCache
from plyground.analysis.explorer import known_chances
from plyground.analysis.opening_book import BookMove
from plyground.errors import ConfigError
from plyground.games.base import AnyGame, State
from plyground.play.seat import Seat
from plyground.ui.web.config import WebConfig
from plyground.ui.web.scheduler import AgentPool, CoreScheduler, QueuedAgent


class SharedPlayers:
    """What the players of all sessions share: the cores, the agents and the analysis cache."""

    def __init__(self, config: WebConfig, cache: AnalysisCache | None = None) -> None:
        self.scheduler = CoreScheduler(config.cores)
        self.pool = AgentPool()
        self.config = config
        self.cache = cache
        self.analyses = threading.BoundedSemaphore(config.most_analyses)
        """Acquired for each thread that analyses."""

    def of_session(self, session: str) -> SessionPlayers:
        """The players of one session."""
        return SessionPlayers(self, session)


class SessionPlayers:
    """Makes the players of one session."""

    def __init__(self, shared: SharedPlayers, session: str) -> None:
        self._shared = shared
        self._session = session

    def seat(self, name: str, game: AnyGame, background: bool = False) -> Seat:
        """A person, or an agent from the list that the page may choose from.

        In the background, its searches wait behind the moves of other sessions.
        """
        if name == PERSON:
            return Seat()
        if name not in self._shared.config.agents_for(game):
            raise ConfigError(f"expected a player of the list, got {name[:40]!r}")
        build = partial(make, name, game)
        return Seat(name, self._queued(build, f"{game.name} {name}", background))

    def adviser(self, state: State, *, cached: bool = False) -> Seat:
        """The adviser for a position's game and board, behind moves in the queue."""
        name, kind, build = self._adviser(state, cached)
        return Seat(name, self._queued(build, kind, background=True))

    def known_chances(self, state: State, moves: Sequence[BookMove]) -> dict[int, float]:
        """The adviser's chances after moves, as far as they are cached; nothing is searched."""
        if self._shared.cache is None or not moves:
            return {}
        _, kind, build = self._adviser(state, cached=True)
        with self.borrow(kind, build) as agent:
            return known_chances(agent, state, moves)

    def _adviser(self, state: State, cached: bool) -> tuple[str, str, Callable[[], Agent]]:
        """The adviser's name, its kind in the pool, and what makes one."""
        game = state.game
        cache = self._shared.cache if cached else None
        spec = game.adviser.agent_on(game.board_size(state))

        def build() -> Agent:
            agent = adviser_for(state, cache).agent
            assert agent is not None
            return agent

        kind = f"{game.name} {spec} {'cached' if cached else 'uncached'}"
        return spec.partition(":")[0], kind, build

    @property
    def analyses(self) -> threading.BoundedSemaphore:
        """Acquired for each thread that analyses, on the whole server."""
        return self._shared.analyses

    def borrow(self, kind: str, build: Callable[[], Agent]) -> AbstractContextManager[Agent]:
        """A pooled agent for work in the background; the caller waits for a core first."""
        return self._shared.pool.borrow(kind, self._session, build)

    def background_turn(self) -> AbstractContextManager[None]:
        """A core for work in the background."""
        return self._shared.scheduler.turn(self._session, background=True)

    def _queued(
        self, build: Callable[[], Agent], kind: str, background: bool = False
    ) -> QueuedAgent:
        shared = self._shared
        return QueuedAgent(
            build,
            kind,
            self._session,
            shared.scheduler,
            shared.pool,
            shared.config.move_time_s,
            background,
        )
