"""A player at the board: a person, or an agent with its name."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from plyground.agents import Agent, make
from plyground.agents.base import Progress
from plyground.agents.human import PERSON
from plyground.agents.spec import check_name, is_safe_in_files, split_clock
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.games.base import AnyGame, State
from plyground.games.score import Score
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult


@dataclass(frozen=True, eq=False)
class Seat:
    """A player; without an agent, a person.

    A lock makes the agent search one position at a time, since agents keep state between moves and
    are not thread-safe.
    """

    name: str = PERSON
    agent: Agent | None = None
    _busy: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @classmethod
    def of(cls, spec: str, game: AnyGame | str | None = None) -> Seat:
        """The seat that a string names: `human`, a level or any agent.

        >>> Seat.of("human").is_person, Seat.of("pathfinder").is_person
        (True, False)
        """
        if spec == PERSON:
            return cls()
        check_name(spec, "player")
        if split_clock(spec)[1] is not None:
            raise ConfigError(f"the option 'tc' of {spec!r} is for matches and tournaments only")
        return cls(spec, make(spec, game))

    @classmethod
    def from_record(cls, name: str, game: AnyGame | str | None = None) -> Seat:
        """The seat of a player named in a record; a person unless it is a safe agent.

        A record may come from anyone, so it cannot start programs, contact servers or open files.

        >>> Seat.from_record("hard").is_person, Seat.from_record("engine:./theirs").is_person
        (False, True)
        """
        if is_safe_in_files(name, registry.find(game)):
            with suppress(ConfigError):  # an agent's name with options that this version rejects
                return cls.of(split_clock(name)[0], game)
        return cls(name)

    @property
    def is_person(self) -> bool:
        """Whether a person makes the moves."""
        return self.agent is None

    def search(
        self,
        state: State,
        limits: SearchLimits | None = None,
        on_progress: Progress | None = None,
    ) -> SearchResult:
        """The agent's search; an exception raised by `on_progress` ends it."""
        if self.agent is None:
            raise ConfigError(f"{self.name!r} is a person and cannot search")
        with self._busy:
            return self.agent.search(state, limits, on_progress)

    def new_game(self, told: list[Agent]) -> None:
        """Tell the agent that a game begins, unless it is in `told`, to which it is added."""
        with self._busy:
            if self.agent is not None and not any(self.agent is agent for agent in told):
                told.append(self.agent)
                self.agent.new_game()

    def follow_game(self, start: State, actions: Sequence[int]) -> None:
        """Tell the agent the moves of the game before a search."""
        if self.agent is not None:
            with self._busy:
                self.agent.follow_game(start, actions)

    def rank(self, state: State) -> list[tuple[int, Score]]:
        """All moves with their scores, best first; [] if the agent cannot rank them."""
        if self.agent is None:
            return []
        with self._busy:
            return self.agent.rank(state)
