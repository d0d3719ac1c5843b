"""The options of `plyground engine`, their values, and the agent that they configure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from plyground import __version__
from plyground.agents import Agent, EngineAgent, LevelAgent, ZeroAgent, make
from plyground.agents.spec import plays
from plyground.checks import parse_whole
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.games.base import AnyGame, State
from plyground.games.levels import LEVEL_NAMES, level_name
from plyground.hints import suggest

FULL = "full"
"""The level without a handicap."""
NONE, BUILTIN = "none", "builtin"
_AGENT_OPTIONS = ("hash", "threads", "level", "network")
MOST_THREADS = 256
MOST_HASH_MB = 65536


@dataclass(frozen=True)
class EngineOptions:
    """The values of all options.

    The agent is the one that a string names, a level, the tree search with a network, or by default
    the game's alpha-beta engine. In a game without an engine it is the game's adviser, and
    `hash_mb` and `threads` have no effect.

    >>> EngineOptions().with_option("hash", "16").hash_mb
    16
    """

    game: AnyGame = field(default_factory=registry.default)
    hash_mb: int = 64
    threads: int = 1
    level: str = FULL
    network: str = NONE
    settings: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Settings of the game by name, such as Quoridor's Board and Walls."""
    agent: str | None = None
    """String of another agent; its own options then replace Hash, Threads, Level and Network."""

    @property
    def uses_network(self) -> bool:
        """Whether the agent is the tree search with a network."""
        return self.agent is None and self.level == FULL and self.network != NONE

    @property
    def title(self) -> str:
        """The name of the engine, with the agent's string if it was given one."""
        return " ".join(filter(None, ("Plyground", __version__, self.agent)))

    def declarations(self) -> list[str]:
        """A line for each option, with the settings of every game, as `uci` lists them."""
        games, levels = (
            " ".join(f"var {name}" for name in names)
            for names in (registry.games(), (FULL, *LEVEL_NAMES))
        )
        own = [
            f"option name Hash type spin default {self.hash_mb} min 1 max {MOST_HASH_MB}",
            f"option name Threads type spin default {self.threads} min 1 max {MOST_THREADS}",
            f"option name Level type combo default {self.level} {levels}",
            f"option name Network type string default {self.network}",
        ]
        return [
            f"option name Game type combo default {self.game.name} {games}",
            *(own if self.agent is None else []),
            *(
                f"option name {name} type string default {self.settings.get(name, '<preset>')}"
                for name in _all_settings()
            ),
        ]

    def with_option(self, name: str, value: str) -> EngineOptions:
        """These options with one changed; a ConfigError if the name or the value is wrong."""
        # The game's own spelling of a setting comes last, so that it takes precedence.
        settings = {known.lower(): known for known in (*_all_settings(), *self.game.setting_names)}
        key = name.lower()
        if self.agent is not None and key in _AGENT_OPTIONS:
            raise ConfigError(f"{name} is an option of the agent: write it into {self.agent!r}")
        if key in settings:
            changed = replace(self, settings={**self.settings, settings[key]: value})
        elif key == "game":
            changed = replace(self, game=registry.get(value), settings={})
        elif key == "hash":
            changed = replace(self, hash_mb=parse_whole("Hash", value, 1, MOST_HASH_MB))
        elif key == "threads":
            changed = replace(self, threads=parse_whole("Threads", value, 1, MOST_THREADS))
        elif key == "level":
            changed = replace(self, level=_level(value))
        elif key == "network":
            changed = replace(self, network=value or NONE)
        else:
            known = ("Game", "Hash", "Threads", "Level", "Network", *settings.values())
            hint = suggest(name.capitalize(), known, otherwise="see 'uci'")
            raise ConfigError(f"unknown option {name!r}; {hint}")
        changed.start_state()  # raises an error for settings that are wrong
        return changed

    def start_state(self, position: str | None = None) -> State:
        """The start position under the settings, or the position in a text."""
        settings = dict(self.settings)
        if position is not None:
            settings = self.game.settings_for(position, settings)
        state: State = self.game.start(settings, position)
        return state

    def make_agent(self) -> Agent:
        """The agent that these options configure."""
        if self.agent is not None:
            return make(self.agent, self.game)
        if self.level != FULL:
            return LevelAgent(self.level, game=self.game)
        if self.uses_network:
            if not plays("zero", self.game):
                raise ConfigError(f"{self.game.name} has no networks; set Network to {NONE!r}")
            network = None if self.network == BUILTIN else self.network
            return ZeroAgent(network=network, threads=self.threads, game=self.game)
        if plays("engine", self.game):
            return EngineAgent(hash_mb=self.hash_mb, threads=self.threads, game=self.game)
        adviser = self.game.adviser.agent_on(self.game.board_size(self.start_state()))
        return make(adviser, self.game)


def _all_settings() -> list[str]:
    """The settings of all games, each name once."""
    return list(
        dict.fromkeys(name for game in registry.games().values() for name in game.setting_names)
    )


def _level(text: str) -> str:
    known = (FULL, *LEVEL_NAMES)
    if level_name(text) not in known:
        raise ConfigError(f"expected a level among {', '.join(known)}, got {text!r}")
    return level_name(text)
