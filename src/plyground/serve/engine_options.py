"""The options of `plyground engine`, the values they take, and the agent they make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any

from plyground.agents import EngineAgent, LevelAgent, ZeroAgent
from plyground.agents.base import Thinker
from plyground.agents.levels import LEVEL_NAMES
from plyground.errors import ConfigError
from plyground.games import registry

FULL = "full"
"""The level that plays as well as it can."""
NONE, BUILTIN = "none", "builtin"
MOST_THREADS = 256
MOST_HASH_MB = 65536


@dataclass(frozen=True)
class EngineOptions:
    """All that can be set. `network` says who thinks: without one, the alpha-beta search.

    >>> EngineOptions().with_option("hash", "16").hash_mb
    16
    """

    game: str = "quoridor"
    hash_mb: int = 64
    threads: int = 1
    level: str = FULL
    network: str = NONE
    settings: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """The game's own, by name: Quoridor's Board and Walls, say."""

    def declared(self) -> list[str]:
        """Every option in a line, as the handshake tells of them."""
        games, levels = (
            " ".join(f"var {name}" for name in names)
            for names in (registry.GAMES, (FULL, *LEVEL_NAMES))
        )
        return [
            f"option name Game type combo default {self.game} {games}",
            f"option name Hash type spin default {self.hash_mb} min 1 max {MOST_HASH_MB}",
            f"option name Threads type spin default {self.threads} min 1 max {MOST_THREADS}",
            f"option name Level type combo default {self.level} {levels}",
            f"option name Network type string default {self.network}",
            *(
                f"option name {name} type string default {self.settings.get(name, '<preset>')}"
                for game in registry.GAMES.values()
                for name in game.setting_names
            ),
        ]

    def with_option(self, name: str, value: str) -> EngineOptions:
        """These options with one of them set; an error where that cannot be."""
        settings = {known.lower(): known for known in registry.get(self.game).setting_names}
        key = name.lower()
        if key in settings:
            changed = replace(self, settings={**self.settings, settings[key]: value})
        elif key == "game":
            changed = replace(self, game=registry.get(value).name, settings={})
        elif key == "hash":
            changed = replace(self, hash_mb=_whole("Hash", value, MOST_HASH_MB))
        elif key == "threads":
            changed = replace(self, threads=_whole("Threads", value, MOST_THREADS))
        elif key == "level":
            changed = replace(self, level=_level(value))
        elif key == "network":
            changed = replace(self, network=value or NONE)
        else:
            known = ("Game", "Hash", "Threads", "Level", "Network", *settings.values())
            close = get_close_matches(name.capitalize(), known, n=1)
            hint = f"did you mean {close[0]!r}?" if close else "see 'uci'"
            raise ConfigError(f"unknown option {name!r}; {hint}")
        changed.start_state()  # which checks the settings
        return changed

    def start_state(self, position: str | None = None) -> Any:
        """The usual start of the game, or a position."""
        settings = dict(self.settings)
        if position is not None and position.split(maxsplit=1)[:1] != [settings.get("Board")]:
            settings.pop("Board", None)  # the text says it
            settings.pop("Walls", None)
        return registry.get(self.game).start(settings, position)

    def agent(self) -> Thinker:
        """Who thinks."""
        if self.level != FULL:
            return LevelAgent(self.level, self.game)
        if self.network != NONE:
            network = None if self.network == BUILTIN else self.network
            return ZeroAgent(network=network, threads=self.threads, game=self.game)
        return EngineAgent(hash_mb=self.hash_mb, threads=self.threads, game=self.game)


def _whole(name: str, text: str, highest: int) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise ConfigError(f"expected a whole number for {name}, got {text!r}")
    if not 1 <= int(text) <= highest:
        raise ConfigError(f"expected {name} from 1 to {highest}, got {text}")
    return int(text)


def _level(text: str) -> str:
    known = (FULL, *LEVEL_NAMES)
    if text not in known:
        raise ConfigError(f"expected a level among {', '.join(known)}, got {text!r}")
    return text
