"""Every limit of the web server, in one place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from plyground.agents.spec import is_offered, make
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.games.base import AnyGame, State
from plyground.games.levels import LEVEL_NAMES
from plyground.machine import available_cores

PLAIN_AGENTS = (
    *LEVEL_NAMES,
    "random",
    "pathfinder",
    "minimax:depth=2",
    "engine:time=1",
    "zero:time=1",
)
"""Agents that a page may put into a seat, with those that the game and the operator add. A page can
only name an agent of this list."""


@dataclass(frozen=True)
class WebConfig:
    """The settings of the server; the defaults suit one machine with a handful of players."""

    folder: Path
    """Folder of the sessions."""
    host: str = "127.0.0.1"
    port: int = 8017
    """Port; 0 takes any free one."""
    names: tuple[str, ...] = ()
    """More host names that requests may use, besides the address and localhost."""
    stores: tuple[Path, ...] = ()
    """Stores of tournaments to list and watch."""
    book: Path | None = None
    """Opening book of the explorer; it need not exist yet."""
    autosaves: Path | None = None
    """Folder of the terminal's games, to list them as well."""
    agents: tuple[str, ...] = ()
    """More agents to offer, by their strings."""
    settings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """The usual settings of new games, by the game's name."""
    cores: int = field(default_factory=available_cores)
    """Searches that may run at the same time."""
    move_time_s: float = 5.0
    """Longest search of a move, in seconds."""
    pace_s: float = 0.35
    """Least seconds of an agent's move, so that the eye can follow."""
    watched_pace_s: float = 0.8
    """The same in a game between agents."""
    unwatched_s: float = 60.0
    """Seconds before a session without connections is suspended."""
    idle_s: float = 1800.0
    """Seconds before a watched but inactive session is suspended."""
    most_active: int = 500
    """Sessions in memory."""
    most_stored: int = 5000
    """Sessions on disk; beyond that the oldest are removed."""
    most_bytes: int = 500_000_000
    """Bytes of all sessions on disk; beyond that the oldest are removed."""
    most_invited: int = 1000
    """Invited games on disk; beyond that no more are created."""
    invitation_days: float = 2.0
    """Days that an invited game waits for its second player."""
    invited_game_days: float = 30.0
    """Days that an invited game is kept after its last change."""
    invited_idle_s: float = 6 * 3600.0
    """Seconds before a watched but inactive invited game is suspended."""
    away_s: float = 120.0
    """Seconds without a player after which the opponent may claim an invited game."""
    most_watchers: int = 50
    """Connections that watch an invited game."""
    invitations_per_s: float = 1 / 60
    invitations_at_once: int = 20
    """Rate limit of invited games that one address may create; this machine has none."""
    greetings_per_s: float = 1.0
    greetings_at_once: int = 120
    """Rate limit of new connections of one address; this machine has none."""
    connections_per_address: int = 100
    """Connections of one address; this machine has no limit."""
    addresses: tuple[str, ...] = ()
    """Addresses of the page that other machines can open, for invitations."""
    most_connections: int = 1000
    connections_per_session: int = 8
    most_analyses: int = 128
    """Analyses that run or wait for a core at the same time; each has a thread."""
    message_bytes: int = 65_536
    """Longest message from a page; the record of a long game has 20,000."""
    messages_per_s: float = 30.0
    messages_at_once: int = 90
    """Rate limit of messages, sustained and in a burst; beyond it the connection ends."""

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise ConfigError(f"expected a port from 0 to 65535, got {self.port}")
        if self.cores < 1:
            raise ConfigError(f"expected at least 1 core, got {self.cores}")
        if not 0.05 <= self.move_time_s <= 60:
            raise ConfigError(f"expected 0.05 to 60 seconds a move, got {self.move_time_s:g}")
        for agent in self.agents:
            self._check(agent)
        for name in self.settings:
            self.start(registry.get(name))

    @staticmethod
    def _check(agent: str) -> None:
        """Reject an agent's string that is wrong for every game."""
        errors = []
        for game in registry.games():
            try:
                make(agent, game)
                return
            except ConfigError as error:
                errors.append(error)
        raise errors[0]

    def start(self, game: AnyGame) -> State:
        """The usual start position of a game."""
        state: State = game.start(game.new_settings(self.settings.get(game.name, {})))
        return state

    def agents_for(self, game: AnyGame) -> list[str]:
        """The agents that a page may choose for a game."""
        agents = (*PLAIN_AGENTS, *game.offered_agents, *self.agents)
        return [agent for agent in agents if is_offered(agent, game)]
