"""Agents by name: `random:seed=3`, `hard`, `engine:time=1`, `engine:./theirs --fast`.

To add an agent, write its class in a module of its own and give it a line in AGENTS.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from plyground._core import quoridor_weights
from plyground.agents.base import Agent
from plyground.agents.levels import LEVEL_NAMES
from plyground.config import beside
from plyground.errors import ConfigError
from plyground.games import registry

_OPTION = re.compile(r"\w*=")
"""How options begin, and no command does."""
_FILES = ("weights", "network")
"""Options whose values are names of files."""


@dataclass(frozen=True)
class AgentEntry:
    """Where an agent is, imported when it is first wanted, and what it can be told."""

    path: str
    """Module and class, under plyground.agents."""
    games: tuple[str, ...]
    """The games it plays; none named means all."""
    options: dict[str, Callable[[str], Any]] = field(default_factory=dict)
    """Its constructor's arguments by name, each with what reads its value."""
    game_options: dict[str, dict[str, Callable[[str], Any]]] = field(default_factory=dict)
    """More arguments, for one game each."""
    takes_game: bool = False
    """Whether its constructor is told the game's name, as `game`."""
    given: dict[str, Any] = field(default_factory=dict)
    """Arguments that come with the name."""

    def options_for(self, game: str) -> dict[str, Callable[[str], Any]]:
        """All it can be told where it plays that game."""
        return self.options | self.game_options.get(game, {})

    def build(self, **options: Any) -> Agent:
        """The agent itself."""
        module, name = self.path.rsplit(".", 1)
        return cast(
            Agent,
            getattr(import_module(f"plyground.agents.{module}"), name)(**self.given, **options),
        )


AGENTS = {
    "random": AgentEntry("random.RandomAgent", games=(), options={"seed": int}),
    "pathfinder": AgentEntry(
        "pathfinder.PathfinderAgent", games=("quoridor",), options={"min_gain": int}
    ),
    "minimax": AgentEntry(
        "minimax.MinimaxAgent",
        games=("quoridor", "reversi"),
        options={"depth": int},
        game_options={
            "quoridor": {
                "max_wall_moves": lambda text: None if text == "all" else int(text),
                "path_weight": float,
                "progress_weight": float,
                "wall_weight": float,
                "weights": str,
            }
        },
    ),
    "engine": AgentEntry(
        "engine.EngineAgent",
        games=("quoridor", "reversi"),
        options={"time": float, "depth": int, "nodes": int, "hash_mb": int, "threads": int},
        game_options={
            "quoridor": {"weights": str} | {f"{name}_weight": int for name in quoridor_weights()},
            "reversi": {"evaluator": str},
        },
        takes_game=True,
    ),
    "zero": AgentEntry(
        "zero.ZeroAgent",
        games=("quoridor", "reversi"),
        options={"sims": int, "time": float, "network": str, "threads": int, "batch": int},
        takes_game=True,
    ),
    "solved": AgentEntry("solved.SolvedAgent", games=("quoridor",)),
    **{
        level: AgentEntry(
            "level.LevelAgent", (), {"seed": int}, takes_game=True, given={"level": level}
        )
        for level in LEVEL_NAMES
    },
}


NAMES = (*AGENTS, "http")
"""Everything an agent's string can begin with."""


def make(spec: str, game: str = "quoridor") -> Agent:
    """The agent that a string names: `name` or `name:option=value,option=value`.

    >>> make("pathfinder:min_gain=2").min_gain
    2

    After `engine:`, what is no option is the command of another program, or the YAML file that
    describes one: `engine:./theirs --fast`, `engine:theirs.yaml`. `http://localhost:8000` is a
    server of the course's kind.
    """
    name, colon, rest = spec.partition(":")
    if name not in NAMES:
        raise ConfigError(f"unknown agent {name!r}; {_hint(name, NAMES)}")
    registry.get(game)
    if name == "engine" and rest and not _OPTION.match(rest):
        return _external(spec, rest, game)
    if name == "http":
        if game != "quoridor":
            raise ConfigError(f"an agent behind {spec!r} plays quoridor, and not {game}")
        from plyground.agents.remote import RemoteAgent

        return RemoteAgent(spec)
    entry = AGENTS[name]
    if entry.games and game not in entry.games:
        raise ConfigError(f"the agent {name!r} does not play {game}")
    known = entry.options_for(game)
    options: dict[str, Any] = {}
    for part in rest.split(",") if colon else []:
        key, equals, value = part.partition("=")
        if not value.isprintable() or " " in value:
            raise ConfigError(f"expected a plain value in the agent {spec!r}, got {value!r}")
        if not equals:
            raise ConfigError(f"expected 'option=value' in the agent {spec!r}, got {part!r}")
        if key not in known:
            hint = _hint(key, known)
            raise ConfigError(f"unknown option {key!r} of the agent {name!r}; {hint}")
        if key in options:
            raise ConfigError(f"the option {key!r} is twice in the agent {spec!r}")
        options[key] = _value(spec, key, value, known[key])
    if entry.takes_game:
        options["game"] = game
    return entry.build(**options)


def with_files_beside(spec: str, path: str | Path) -> str:
    """The agent that a settings file names, with the files in its string found beside that file.

    These are the YAML files of engines, weights and networks. A command stays as it is, since it is
    run in the current folder.
    """
    name, colon, rest = spec.partition(":")
    if name == "engine" and not _OPTION.match(rest):
        if Path(rest).suffix not in (".yaml", ".yml") or (found := beside(path, rest)) == rest:
            return spec
        return "engine:" + found.replace(" ", r"\ ")  # which would be two words otherwise
    parts = [part.partition("=") for part in rest.split(",")]
    words = [
        f"{key}={beside(path, value)}" if key in _FILES and value else f"{key}{equals}{value}"
        for key, equals, value in parts
    ]
    return f"{name}{colon}{','.join(words)}"


def _external(spec: str, command: str, game: str) -> Agent:
    from plyground.agents.engine_file import EngineProgram
    from plyground.agents.external import ExternalAgent

    if not spec.isprintable():
        raise ConfigError(f"expected a command on one line in the agent {spec!r}")
    return ExternalAgent(EngineProgram.of(command), game)


def _value(spec: str, key: str, text: str, read: Callable[[str], Any]) -> Any:
    try:
        return read(text)
    except ValueError:
        what = {int: "a whole number", float: "a number"}.get(cast(Any, read), "a value")
        message = f"expected {what} for {key!r} in the agent {spec!r}, got {text!r}"
        raise ConfigError(message) from None


def _hint(name: str, known: Iterable[str]) -> str:
    close = get_close_matches(name, known, n=1)
    return f"did you mean {close[0]!r}?" if close else f"known are {', '.join(sorted(known))}"
