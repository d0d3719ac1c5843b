"""Agents by name: `random:seed=3`, `hard`, `engine:time=1`, `engine:./theirs --fast`.

To add an agent, write its class in a module of its own and give it a line in AGENTS. Agents outside
this package need neither: see `python_agent.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from plyground.agents.base import Agent
from plyground.agents.human import PERSON, HumanAgent
from plyground.agents.python_agent import (
    installed_agents,
    is_python_agent,
    make_python_agent,
)
from plyground.config import beside
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.games.base import AnyGame, OptionReader, read_switch
from plyground.games.levels import LEVEL_ALIASES, LEVEL_NAMES, level_name
from plyground.hints import suggest
from plyground.search.time_control import TimeControl

_OPTION = re.compile(r"\w*=")
"""The start of an option, which no command has."""
_CLOCK = re.compile(r"(?:^|,)tc=([^,]*)")
"""The clock of a player in the options of an agent's string."""
_FILES = ("weights", "network")
"""Options whose values are file names."""


@dataclass(frozen=True)
class AgentEntry:
    """An agent's class, imported on first use, and its options."""

    path: str
    """Module and class, or function, below plyground.agents."""
    options: Mapping[str, OptionReader] = field(default_factory=dict)
    """Arguments of its constructor by name, each with the function that parses its value. Options
    for one game only are in `Game.agents`."""
    takes_game: bool = False
    """Whether its constructor has an argument `game`."""
    needs_network: bool = False
    """Whether it plays only games that have a network."""
    arguments: Mapping[str, object] = field(default_factory=dict)
    """Fixed arguments of its constructor."""

    def load(self) -> Callable[..., Agent]:
        """The agent's class, or the function that builds it."""
        module, name = self.path.rsplit(".", 1)
        found: Callable[..., Agent] = getattr(import_module(f"plyground.agents.{module}"), name)
        return found


AGENTS = {
    "random": AgentEntry("random.RandomAgent", {"seed": int}),
    "pathfinder": AgentEntry("quoridor_pathfinder.PathfinderAgent"),
    "minimax": AgentEntry("minimax.make_minimax", {"depth": int}),
    "engine": AgentEntry(
        "engine.EngineAgent",
        {"time": float, "depth": int, "nodes": int, "hash_mb": int, "threads": int},
        takes_game=True,
    ),
    "zero": AgentEntry(
        "zero.ZeroAgent",
        {
            "sims": int,
            "time": float,
            "network": str,
            "threads": int,
            "batch": int,
            "precise": read_switch,
        },
        takes_game=True,
        needs_network=True,
    ),
    "solved": AgentEntry("quoridor_solved.SolvedAgent"),
    **{
        level: AgentEntry(
            "level.LevelAgent", {"seed": int}, takes_game=True, arguments={"level": level}
        )
        for level in (*LEVEL_NAMES, *LEVEL_ALIASES)
    },
}


NAMES = (*AGENTS, "http", PERSON)
"""Every name that an agent's string can begin with."""


def make(spec: str, game: AnyGame | str | None = None) -> Agent:
    """Build the agent that a string names: `name` or `name:option=value,option=value`.

    >>> make("pathfinder:min_gain=2").name
    'pathfinder:min_gain=2'

    The option `tc` is the clock of the player, not an option of the agent; see `split_clock`.
    After `engine:`, anything but an option is the command of an external program, or the YAML file
    that describes one: `engine:./theirs --fast`, `engine:theirs.yaml`. With settings it is written
    `engine:cmd=./theirs,name=Theirs,option.Hash=64`. `http://localhost:8000` is a server that
    follows the course's protocol. `human` asks a person on the terminal.
    `my_package.module:MyAgent` is a class of another package, which may also have installed names.
    """
    plain, _ = split_clock(spec)
    check_name(plain)
    name, colon, rest = plain.partition(":")
    game = registry.find(game)
    agent: Agent
    if name not in NAMES:
        agent = make_python_agent(plain, game)
        agent.name = spec
        return agent
    if is_command(plain):
        agent = _external(plain, rest, game)
    elif name == PERSON:
        if colon:
            raise ConfigError(f"the agent {PERSON!r} has no options, got {spec!r}")
        agent = HumanAgent()
    elif not plays(name, game):
        raise ConfigError(f"the agent {name!r} does not play {game.name}")
    elif name == "http":
        from plyground.agents.course_remote import RemoteAgent

        agent = RemoteAgent(spec)
    else:
        entry = AGENTS[name]
        known = {**entry.options, **game.agents.get(name, {})}
        options = _options(plain, rest, known) if colon else {}
        if entry.takes_game:
            options["game"] = game
        agent = entry.load()(**entry.arguments, **options)
    agent.name = spec
    return agent


@dataclass(frozen=True, slots=True)
class LoggedAgents:
    """Builds agents as `make` does, and logs every line of external programs to a file."""

    log: Path

    def __call__(self, spec: str, game: AnyGame | str | None = None) -> Agent:
        """Build the agent that a string names."""
        from plyground.agents.external import ExternalAgent

        agent = make(spec, game)
        if isinstance(agent, ExternalAgent):
            agent.log = self.log
        return agent


def check_name(spec: str, what: str = "agent") -> None:
    """Raise a ConfigError if a string begins with an unknown name."""
    name = spec.partition(":")[0]
    if name not in NAMES and not is_python_agent(spec):
        hint = suggest(name, [*NAMES, *installed_agents()])
        raise ConfigError(f"unknown {what} {name!r}; {hint}")


def split_clock(spec: str) -> tuple[str, TimeControl | None]:
    """An agent's string without the option `tc`, and the clock that this gives to one player.

    Tournaments use it in place of the clock of all players.

    >>> plain, clock = split_clock("engine:hash_mb=4,tc=40/60+0.6")
    >>> plain, str(clock)
    ('engine:hash_mb=4', '40/60+0.6')
    >>> split_clock("hard:tc=5/move")[0], split_clock("engine:time=1")
    ('hard', ('engine:time=1', None))
    """
    name, colon, rest = spec.partition(":")
    if not colon or not _OPTION.match(rest) or not (found := _CLOCK.findall(rest)):
        return spec, None
    if len(found) > 1:
        raise ConfigError(f"the option 'tc' is given twice in the agent {spec!r}")
    try:
        clock = TimeControl.parse(found[0])
    except ConfigError as error:
        raise ConfigError(f"{error} for 'tc' in the agent {spec!r}") from None
    rest = _CLOCK.sub("", rest).lstrip(",")
    return f"{name}:{rest}" if rest else name, clock


def is_command(spec: str) -> bool:
    """Whether a string names an external program: `engine:` with a command.

    >>> [is_command(f"engine:{rest}") for rest in ("./theirs", "cmd=./theirs", "time=1")]
    [True, True, False]
    """
    name, _, rest = spec.partition(":")
    if name != "engine" or not rest:
        return False
    return not _OPTION.match(rest) or "cmd=" in rest


def is_safe_in_files(spec: str, game: AnyGame) -> bool:
    """Whether an agent may be made from a name in a file, which others may have written.

    That excludes commands, addresses and options that name files.

    >>> game = registry.default()
    >>> is_safe_in_files("engine:time=1", game), is_safe_in_files("engine:./theirs", game)
    (True, False)
    """
    try:
        name, colon, rest = split_clock(spec)[0].partition(":")
    except ConfigError:
        return False
    if name not in AGENTS or is_command(spec) or not plays(name, game):
        return False
    known = {**AGENTS[name].options, **game.agents.get(name, {})}
    keys = [part.partition("=")[0] for part in rest.split(",")] if colon else []
    return all(key in known and known[key] is not str for key in keys)


def plays(name: str, game: AnyGame) -> bool:
    """Whether the agent or level of that name plays a game."""
    return name in game.agents or level_name(name) in game.levels


def is_offered(spec: str, game: AnyGame) -> bool:
    """Whether an agent plays a game with the networks in the package."""
    name = spec.partition(":")[0]
    if name not in NAMES:
        return is_python_agent(spec)
    needs_network = name in AGENTS and AGENTS[name].needs_network and "network=" not in spec
    return plays(name, game) and not (needs_network and game.network(game.start()) is None)


def _options(spec: str, text: str, known: Mapping[str, OptionReader]) -> dict[str, object]:
    name = spec.partition(":")[0]
    options: dict[str, object] = {}
    for part in text.split(","):
        key, equals, value = part.partition("=")
        if not value.isprintable() or " " in value:
            raise ConfigError(f"expected a plain value in the agent {spec!r}, got {value!r}")
        if not equals:
            raise ConfigError(f"expected 'option=value' in the agent {spec!r}, got {part!r}")
        if key not in known:
            hint = suggest(key, known)
            raise ConfigError(f"unknown option {key!r} of the agent {name!r}; {hint}")
        if key in options:
            raise ConfigError(f"the option {key!r} is given twice in the agent {spec!r}")
        options[key] = _value(spec, key, value, known[key])
    return options


def with_files_beside(spec: str, path: str | Path) -> str:
    """An agent's string from a settings file, with its file names resolved beside that file.

    These are the YAML files of engines, weights and networks. A command is left unchanged, since it
    runs in the current folder.
    """
    name, colon, rest = spec.partition(":")
    if is_command(spec):
        before, cmd, command = rest.rpartition("cmd=") if "cmd=" in rest else ("", "", rest)
        command, comma, after = command.partition(",") if cmd else (command, "", "")
        if Path(command).suffix not in (".yaml", ".yml"):
            return spec
        if (found := beside(path, command)) == command:
            return spec
        found = found.replace(" ", r"\ ")  # the string is split like a command
        return f"engine:{before}{cmd}{found}{comma}{after}"
    parts = [part.partition("=") for part in rest.split(",")]
    words = [
        f"{key}={beside(path, value)}" if key in _FILES and value else f"{key}{equals}{value}"
        for key, equals, value in parts
    ]
    return f"{name}{colon}{','.join(words)}"


def _external(spec: str, command: str, game: AnyGame) -> Agent:
    from plyground.agents.engine_file import EngineProgram
    from plyground.agents.external import ExternalAgent

    if not spec.isprintable():
        raise ConfigError(f"expected a command on one line in the agent {spec!r}")
    return ExternalAgent(EngineProgram.of(command), game)


def _value(spec: str, key: str, text: str, read: OptionReader) -> object:
    try:
        return read(text)
    except ValueError:
        kinds = {int: "a whole number", float: "a number", read_switch: "true or false"}
        what = kinds.get(read, "a value")
        message = f"expected {what} for {key!r} in the agent {spec!r}, got {text!r}"
        raise ConfigError(message) from None
