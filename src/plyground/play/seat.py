"""Who sits at the board: a person, or an agent with its name."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from plyground.agents import make
from plyground.agents.base import Agent, Ranker, Thinker
from plyground.agents.spec import NAMES
from plyground.errors import ConfigError
from plyground.games.base import State
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult


@dataclass(frozen=True, eq=False)
class Seat:
    """A player: a person where there is no agent.

    One seat's agent thinks about one thing at a time, whoever asks, since agents keep what they
    learn between moves and are not made for two threads.
    """

    name: str = "human"
    agent: Agent | None = None
    _busy: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @classmethod
    def of(cls, spec: str, game: str = "quoridor") -> Seat:
        """The seat that a string names: `human`, a level or any agent.

        >>> Seat.of("human").is_person, Seat.of("pathfinder").is_person
        (True, False)
        """
        if spec == "human":
            return cls()
        known = ("human", *NAMES)
        name = spec.partition(":")[0]
        if name not in known:
            close = get_close_matches(name, known, n=1)
            hint = (
                f"did you mean {close[0]!r}?" if close else f"known are {', '.join(sorted(known))}"
            )
            raise ConfigError(f"unknown player {name!r}; {hint}")
        return cls(spec, make(spec, game))

    @property
    def is_person(self) -> bool:
        """Whether somebody has to be asked for the move."""
        return self.agent is None

    def think(
        self,
        state: State,
        limits: SearchLimits | None,
        on_progress: Callable[[SearchResult], object],
    ) -> tuple[int, SearchResult | None]:
        """The agent's move, and what it found if it tells; what `on_progress` raises ends it."""
        if self.agent is None:
            raise ConfigError(f"{self.name!r} is a person, and cannot be asked to think")
        with self._busy:
            if isinstance(self.agent, Thinker):
                result = self.agent.search(state, limits, on_progress)
                return result.best_move, result if result.tells else None
            return self.agent.select_action(state, limits), None

    def ranking(self, state: State) -> list[tuple[int, float]]:
        """All moves with their scores, best first, as the agent ranks them; [] if it does not."""
        if not isinstance(self.agent, Ranker):
            return []
        with self._busy:
            return self.agent.ranking(state)

    def limits(self, clock_s: float | None, increment_s: float) -> SearchLimits | None:
        """The agent's own limits and the clock; None leaves it to the agent."""
        if clock_s is None:
            return None
        is_limited = getattr(self.agent, "is_limited", True)
        own = (getattr(self.agent, "limits", None) if is_limited else None) or SearchLimits()
        return replace(own, clock_s=clock_s, increment_s=increment_s)

    def fitting(self, limits: SearchLimits) -> SearchLimits | None:
        """These limits, where the agent can be limited; None leaves it to the agent."""
        return limits if getattr(self.agent, "limits", None) is not None else None

    def counts_points(self, state: State) -> bool:
        """Whether its scores are in steps or discs."""
        return isinstance(self.agent, Thinker) and self.agent.points(state) is not None

    def score(self, state: State, result: SearchResult) -> float:
        """A result's score in steps or discs, or from -1 to 1 where the agent counts so."""
        points = self.agent.points(state) if isinstance(self.agent, Thinker) else None
        return result.score / (points or 1.0)
