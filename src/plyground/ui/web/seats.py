"""Who may sit at a board of the web page: people, and agents that share the cores."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

from plyground.agents import make
from plyground.agents.base import Agent, Thinker
from plyground.agents.levels import ADVISERS
from plyground.agents.spec import AGENTS
from plyground.analysis.adviser import adviser_for
from plyground.analysis.cache import AnalysisCache
from plyground.errors import ConfigError
from plyground.play.seat import Seat
from plyground.ui.web.config import WebConfig
from plyground.ui.web.thinking import Agents, Cores, QueuedThinker

PERSON = "human"


class Seats:
    """Makes seats for sessions; what they think with is shared."""

    def __init__(self, config: WebConfig, cache: AnalysisCache | None = None) -> None:
        self.cores = Cores(config.cores)
        self.agents = Agents()
        self._config = config
        self._cache = cache

    def seat(self, who: str, game: str, session: str) -> Seat:
        """A person, or an agent that the page may choose; a ConfigError for anybody else."""
        if who == PERSON:
            return Seat()
        if who not in self._config.agents_for(game):
            raise ConfigError(f"expected a player of the list, got {who[:40]!r}")
        if not _thinks(who, game):
            return Seat(who, _QueuedPlayer(who, game, session, self))
        build = partial(make, who, game)
        return Seat(who, self._queued(build, f"{game} {who}", session))

    def adviser(self, game: str, board_size: int, session: str, *, remembers: bool = False) -> Seat:
        """Who gives hints and analyses, behind moves in the queue."""
        cache = self._cache if remembers else None
        spec = ADVISERS[game].agent_on(board_size)

        def build() -> Thinker:
            agent = adviser_for(game, cache, spec).agent
            assert isinstance(agent, Thinker)
            return agent

        kind = f"{game} {spec} {'remembers' if remembers else 'forgets'}"
        return Seat(spec.partition(":")[0], self._queued(build, kind, session, background=True))

    def _queued(
        self, build: Any, kind: str, session: str, background: bool = False
    ) -> QueuedThinker:
        most_s = self._config.move_time_s
        return QueuedThinker(build, kind, session, self.cores, self.agents, most_s, background)


class _QueuedPlayer:
    """An agent that does not tell what it thinks, waiting for a core like the others."""

    def __init__(self, who: str, game: str, session: str, seats: Seats) -> None:
        self._build = partial(make, who, game)
        self._kind = f"{game} {who}"
        self._session = session
        self._seats = seats

    def select_action(self, state: Any, limits: Any = None) -> int:
        """Choose a move when it is this session's turn."""
        with (
            self._seats.cores.turn(self._session),
            self._seats.agents.borrow(self._kind, self._session, self._build) as agent,
        ):
            return int(agent.select_action(state, limits))


def _thinks(who: str, game: str) -> bool:
    """Whether an agent tells what it finds; the usual ones need not be made to know that."""
    entry = AGENTS.get(who.partition(":")[0])
    if entry is None:
        agent: Agent = make(who, game)
        return isinstance(agent, Thinker)
    module, name = entry.path.rsplit(".", 1)
    return hasattr(getattr(import_module(f"plyground.agents.{module}"), name), "search")
