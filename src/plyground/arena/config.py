"""Every setting of a tournament, and how it is read from a file and the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from difflib import get_close_matches
from hashlib import sha256
from pathlib import Path
from typing import Any

from plyground import __version__
from plyground.agents.spec import with_files_beside
from plyground.arena.adjudicate import Adjudication
from plyground.arena.sprt import Sprt
from plyground.arena.task import Conditions
from plyground.config import beside, check_keys, read_yaml
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.games.base import State
from plyground.games.quoridor import State as QuoridorState
from plyground.games.quoridor_config import GameConfig
from plyground.play.clock import TimeControl
from plyground.search.limits import LIMIT_NAMES, SearchLimits

FORMATS = ("round-robin", "gauntlet")
BACKENDS = ("local", "ray")
SPRT_GAMES = 20_000
"""The most games an SPRT takes if nothing else is said."""
_ADJUDICATION = [item.name for item in fields(Adjudication)]
_SPRT = [item.name for item in fields(Sprt)]


@dataclass(frozen=True, slots=True)
class ArenaConfig:
    """A tournament. `plyground arena --help` says the same in options."""

    agents: tuple[str, ...]
    """Who plays, by their strings."""
    format: str = "round-robin"
    """Everybody against everybody, or "gauntlet": the first against all others."""
    games: int = 20
    """How many each pairing plays, an even number; with an SPRT the most it may take."""

    game: str = "quoridor"
    """Which game."""
    preset: str | None = None
    """Quoridor's preset, ..."""
    board: int | None = None
    """... or its rows and columns ..."""
    walls: int | None = None
    """... and the walls each player starts with."""

    openings: str = "balanced"
    """Close to even ones, "start" for the usual start, or the file of a book (see `book.py`)."""
    seed: int = 1
    """Which openings, and in which order."""

    limits: Mapping[str, float] = field(default_factory=dict)
    """For every move of every agent, in place of its own: time (seconds), nodes, depth, sims."""
    clock: str | None = None
    """Seconds for each agent's game, and for each move: "10+0.1"."""
    move_timeout: float = 60.0
    """Without a clock, an agent loses that is silent for so many seconds more than it may think."""
    adjudication: Adjudication = field(default_factory=Adjudication)
    """Which games end early."""

    sprt: Sprt | None = None
    """Stop when the answer is clear; for two agents."""
    workers: int | None = None
    """Games at a time; if not said, one, or as many as a Ray cluster has room for."""
    backend: str = "local"
    """Where games are played: in processes here, or "ray": on a Ray cluster."""
    address: str | None = None
    """Of that cluster: HOST:PORT, or "auto" for the one this machine is in; None starts one."""

    def __post_init__(self) -> None:
        _check_agents(self.agents)
        for name, choices in (("format", FORMATS), ("backend", BACKENDS)):
            if (value := getattr(self, name)) not in choices:
                raise ConfigError(f"expected the {name} {' or '.join(choices)}, got {value!r}")
        if self.address is not None and self.backend != "ray":
            raise ConfigError("the address of a Ray cluster needs the backend ray")
        for name, lowest, highest in (
            ("games", 2, 1_000_000), ("seed", 0, 10**9), ("workers", 0, 1024)
        ):  # fmt: skip
            value = getattr(self, name)
            if name == "workers" and value is None:
                continue
            if type(value) is not int or not lowest <= value <= highest:
                what = f"a whole number from {lowest} to {highest}"
                raise ConfigError(f"expected {name} to be {what}, got {value!r}")
        if self.games % 2:
            raise ConfigError(f"expected an even number of games, got {self.games}")
        if self.sprt is not None and len(self.agents) != 2:
            raise ConfigError(f"an SPRT is between two agents, got {len(self.agents)}")
        self._check_servers()
        self.start_state()
        self.conditions()

    def _check_servers(self) -> None:
        """An agent behind an address is one process, which a second game would confuse."""
        server = next((agent for agent in self.agents if agent.startswith("http://")), None)
        several = self.backend == "ray" if self.workers is None else self.workers > 1
        if server is not None and several:
            raise ConfigError(f"{server} plays one game at a time, so there can be one worker only")

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> ArenaConfig:
        """From settings as a file or the command line has them."""
        values = dict(settings)
        known = [item.name for item in fields(cls)]
        for key in values:
            if key not in known:
                close = get_close_matches(key, known, n=1)
                hint = f"; did you mean {close[0]!r}?" if close else ""
                raise ConfigError(f"unknown setting {key!r}{hint}")
        agents = values.get("agents") or ()
        if not isinstance(agents, list | tuple) or not all(isinstance(x, str) for x in agents):
            raise ConfigError(f"expected a list of agents, got {agents!r}")
        values["agents"] = tuple(agents)
        found = values.get("adjudication", Adjudication())
        if not isinstance(found, Adjudication):
            values["adjudication"] = Adjudication(
                **check_keys("adjudication", found, _ADJUDICATION)
            )
        found = values.get("sprt")
        if not isinstance(found, Sprt | None):
            words = [f"{key}={value}" for key, value in check_keys("sprt", found, _SPRT).items()]
            values["sprt"] = Sprt.parse(words)
        if found is not None:
            values.setdefault("games", SPRT_GAMES)
        if "limits" in values:
            values["limits"] = check_keys("limits", values["limits"], list(LIMIT_NAMES))
        for name in ("openings", "game", "preset", "clock", "address"):
            if values.get(name) is not None:
                values[name] = str(values[name])
        return cls(**values)

    @classmethod
    def load(cls, path: str | Path, overrides: Mapping[str, Any] | None = None) -> ArenaConfig:
        """Read a YAML file, then other settings over it; see `files_beside`."""
        settings = files_beside(path, read_yaml(path, [item.name for item in fields(cls)]))
        try:
            return cls.of(settings | dict(overrides or {}))
        except ConfigError as error:
            raise ConfigError(f"{error} in {path}") from None

    def start_state(self) -> State:
        """Where the game begins."""
        if self.game == "quoridor":
            return quoridor_start(self.preset, self.board, self.walls)
        state: State = registry.get(self.game).start({})
        for name in ("preset", "board", "walls"):
            if getattr(self, name) is not None:
                raise ConfigError(f"{name} is a setting of quoridor, and not of {self.game}")
        return state

    def conditions(self) -> Conditions:
        """What holds for every game."""
        limits = None
        if self.limits:
            values: dict[str, Any] = {
                LIMIT_NAMES[name]: value for name, value in self.limits.items()
            }
            limits = SearchLimits(**values)
        control = None if self.clock is None else TimeControl.parse(self.clock)
        if not isinstance(self.move_timeout, int | float):
            raise ConfigError(f"expected move_timeout to be a number, got {self.move_timeout!r}")
        return Conditions(limits, control, self.move_timeout, self.adjudication)

    def _openings_identity(self) -> str:
        """A book is known by what is in it, wherever it is."""
        if self.openings in ("balanced", "start"):
            return self.openings
        try:
            content = Path(self.openings).read_bytes()
        except OSError as error:
            raise ConfigError(f"cannot read the book {self.openings}: {error.strerror}") from None
        return f"book {sha256(content).hexdigest()[:16]}"

    def identity(self) -> dict[str, Any]:
        """All that a game depends on but who plays it and how many there are.

        Tournaments that agree in this are one: more games or other agents continue it.
        """
        return {
            "version": __version__,
            "game": self.game,
            "settings": registry.get(self.game).settings(self.start_state()),
            "openings": self._openings_identity(),
            "seed": self.seed,
            "limits": dict(self.limits),
            "clock": self.clock,
            "move_timeout": self.move_timeout,
            "adjudication": asdict(self.adjudication),
        }


def files_beside(path: str | Path, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a file, with the files that they name found beside it.

    That is one rule for books and for what agents read, in files of tournaments and of tuning runs.
    """
    found = dict(settings)
    if isinstance(book := found.get("openings"), str):
        found["openings"] = beside(path, book)
    for name in ("agent", "reference"):
        if isinstance(agent := found.get(name), str):
            found[name] = with_files_beside(agent, path)
    if isinstance(agents := found.get("agents"), list):
        found["agents"] = [
            with_files_beside(agent, path) if isinstance(agent, str) else agent for agent in agents
        ]
    return found


def quoridor_start(preset: str | None, board: int | None, walls: int | None) -> QuoridorState:
    """Quoridor's start, as these three settings describe it; None is for what was not said."""
    if preset is not None and board is not None:
        raise ConfigError("expected a preset or a board, got both; a preset has its own board")
    rules = registry.get("quoridor")
    settings = {}
    if preset is not None:
        settings = rules.settings(QuoridorState(GameConfig.preset(preset)))
    for name, value in (("Board", board), ("Walls", walls)):
        if value is not None:
            settings[name] = str(value)
    state: QuoridorState = rules.start(settings)
    return state


def _check_agents(agents: tuple[str, ...]) -> None:
    if len(agents) < 2:
        raise ConfigError(f"expected at least two agents, got {len(agents)}")
    for agent in agents:
        if agents.count(agent) > 1:
            raise ConfigError(f"the agent {agent!r} is there twice; results could not tell who won")
