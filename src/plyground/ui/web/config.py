"""Every limit of the web server, in one place."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from plyground.agents.levels import LEVEL_NAMES
from plyground.agents.spec import make
from plyground.errors import ConfigError
from plyground.games import registry

PLAIN_AGENTS = (
    *LEVEL_NAMES,
    "random",
    "pathfinder",
    "minimax:depth=2",
    "engine:time=1",
    "zero:time=1",
)
"""Whom a page may put into a seat, beside people. What it sends is looked up here, never built."""

NOT_FOR = {"reversi": ("pathfinder", "zero:time=1")}
"""Of these, who does not play a game, or lacks the network for it."""


@dataclass(frozen=True)
class WebConfig:
    """How the server works; the defaults suit one machine with a handful of people."""

    folder: Path
    """Where games are kept."""
    host: str = "127.0.0.1"
    port: int = 8017
    """0 takes any that is free."""
    names: tuple[str, ...] = ()
    """Other names under which the server may be asked for, beside its address and localhost."""
    stores: tuple[Path, ...] = ()
    """Stores of tournaments to list and watch."""
    autosaves: Path | None = None
    """The games of the terminal, to be listed as well."""
    agents: tuple[str, ...] = ()
    """More agents to offer, any that have a string."""
    cores: int = field(default_factory=lambda: len(os.sched_getaffinity(0)))
    """Searches at the same time."""
    move_time_s: float = 5.0
    """The most that an agent may think about a move."""
    pace_s: float = 0.35
    """The least time an agent takes, so that the eye can follow."""
    watched_pace_s: float = 0.8
    """The same in a game without people."""
    rest_s: float = 60.0
    """How long a game stays awake that nobody looks at."""
    idle_s: float = 1800.0
    """How long it stays awake that somebody looks at without doing anything."""
    most_awake: int = 500
    """Games in memory."""
    most_kept: int = 5000
    """Games on the disk, of which the oldest go first."""
    most_connections: int = 1000
    connections_per_session: int = 8
    message_bytes: int = 65_536
    """The longest message that a page may send; a long game's record has 20,000."""
    messages_per_s: float = 30.0
    messages_at_once: int = 90
    """How fast messages may come, and how many in a moment; beyond that the connection ends."""

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise ConfigError(f"expected a port from 0 to 65535, got {self.port}")
        if self.cores < 1:
            raise ConfigError(f"expected at least 1 core, got {self.cores}")
        if not 0.05 <= self.move_time_s <= 60:
            raise ConfigError(f"expected 0.05 to 60 seconds a move, got {self.move_time_s:g}")
        for agent in self.agents:
            self._check(agent)

    @staticmethod
    def _check(agent: str) -> None:
        """A mistake in an agent's string shows at once, unless it is that it plays another game."""
        errors = []
        for game in registry.GAMES:
            try:
                make(agent, game)
                return
            except ConfigError as error:
                errors.append(error)
        raise errors[0]

    def agents_for(self, game: str) -> list[str]:
        """Whom a page may choose for a game."""
        missing = NOT_FOR.get(game, ())
        return [agent for agent in (*PLAIN_AGENTS, *self.agents) if agent not in missing]
