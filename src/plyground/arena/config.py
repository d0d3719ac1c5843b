"""Every setting of a tournament, and how it is read from a file and the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from hashlib import sha256
from pathlib import Path

from plyground import __version__
from plyground.agents.human import PERSON
from plyground.agents.spec import split_clock, with_files_beside
from plyground.arena.adjudicate import Adjudication
from plyground.arena.book import BOOK_ORDERS, GAME_BOOK
from plyground.arena.forfeits import ON_CRASH
from plyground.arena.rounds import count_rounds
from plyground.arena.sprt import Sprt
from plyground.arena.task import Conditions
from plyground.checks import check_range
from plyground.config import Settings, beside, check_keys, check_known, read_yaml
from plyground.config_files import find_config
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.games.base import AnyGame, State, setting_key
from plyground.hints import reason_of
from plyground.json_types import JsonObject
from plyground.play.clock import TimeControl
from plyground.search.limits import LIMIT_NAMES, SearchLimits

FORMATS = ("round-robin", "gauntlet", "swiss", "knockout")
ROUND_FORMATS = ("swiss", "knockout")
"""Formats whose pairings depend on the results of earlier rounds."""
BACKENDS = ("local", "ray")
SPRT_GAMES = 20_000
"""The most games of an SPRT by default."""
_ADJUDICATION = [item.name for item in fields(Adjudication)]
_SCORE_OF = {"win_moves": "win_score", "draw_moves": "draw_score", "draw_after": "draw_score"}
"""Rules of adjudication that do nothing without a score."""
_SPRT = [item.name for item in fields(Sprt)]


@dataclass(frozen=True, slots=True)
class ArenaConfig:
    """A tournament. `plyground arena --help` describes the same settings as options."""

    agents: tuple[str, ...]
    """The agents, by their strings."""
    format: str = "round-robin"
    """Pairings: "round-robin" for all, "gauntlet" for the first agent with each of the others,
    "swiss" or "knockout" for rounds in which agents meet by their results (see `rounds.py`)."""
    games: int = 20
    """Games per pairing, an even number; with an SPRT the most it may take."""
    rounds: int | None = None
    """Rounds of the format "swiss"; None for as many as a knockout has."""

    game: str = field(default_factory=lambda: registry.default().name)
    """The game's name."""
    preset: str | None = None
    """A preset of the game, or a section of `rules`."""
    rules: str | None = None
    """YAML file of settings of the game (see `Game.read_settings`)."""
    settings: Mapping[str, object] = field(default_factory=dict)
    """Settings of the game by name, such as {"board": 5}. A file has them at its top level."""

    openings: str = "balanced"
    """Openings close to even ("balanced"), the usual start ("start"), those of the game's book of
    scored openings ("book"), or the file of a book (see `book.py`)."""
    openings_order: str = "random"
    """Order of the openings of a book: "random", by the seed, or "sequential"."""
    openings_start: int = 1
    """The first opening of a book, in that order, from 1. Those before it come last."""
    openings_plies: int | None = None
    """Plies that are read of each game or line of moves in a file; None for all. Plies of openings
    of the game's own book; None for 8."""
    seed: int = 1
    """Seed of the openings and their order."""

    limits: Mapping[str, float] = field(default_factory=dict)
    """Limits of every move, in place of the agents' own: time (seconds), nodes, depth, sims."""
    clock: str | None = None
    """Clock of each agent, in seconds: "10+0.1" for the game and added per move, "40/60+0.6" for
    every 40 moves, "0.5/move". The option `tc` in an agent's string replaces it for that agent."""
    move_timeout: float = 60.0
    """Grace period in seconds after the move limit before an unresponsive agent forfeits (games
    without a clock)."""
    adjudication: Adjudication = field(default_factory=Adjudication)
    """Which games end early."""

    sprt: Sprt | None = None
    """Sequential test between two agents, which stops the tournament when it decides."""
    on_crash: str = "continue"
    """What follows a failure of an agent (no start, crash, silence or nonsense): "continue" with
    the next game, or "stop" the tournament."""
    workers: int | None = None
    """Games in parallel; None for one, or for as many as a Ray cluster has room for."""
    backend: str = "local"
    """Where games are played: "local" for processes on this machine, "ray" for a Ray cluster."""
    address: str | None = None
    """Address of the cluster: HOST:PORT, "auto" for the one this machine is part of, or None to
    start one."""

    def __post_init__(self) -> None:
        _check_agents(self.agents)
        for name, choices in (
            ("format", FORMATS),
            ("backend", BACKENDS),
            ("on_crash", ON_CRASH),
            ("openings_order", BOOK_ORDERS),
        ):
            if (value := getattr(self, name)) not in choices:
                raise ConfigError(f"expected the {name} {' or '.join(choices)}, got {value!r}")
        if self.address is not None and self.backend != "ray":
            raise ConfigError("the address of a Ray cluster needs the backend ray")
        check_range("games", self.games, 2, 1_000_000)
        check_range("seed", self.seed, 0, 10**9)
        if self.workers is not None:
            check_range("workers", self.workers, 0, 1024)
        if self.games % 2:
            raise ConfigError(f"expected an even number of games, got {self.games}")
        if self.sprt is not None and len(self.agents) != 2:
            raise ConfigError(f"expected two agents for an SPRT, got {len(self.agents)}")
        self._check_rounds()
        self._check_book()
        self._check_servers()
        self.start_state()
        self.conditions()

    @property
    def has_rounds(self) -> bool:
        """Whether pairings depend on the results of earlier rounds."""
        return self.format in ROUND_FORMATS

    def _check_rounds(self) -> None:
        if self.rounds is not None:
            check_range("rounds", self.rounds, 1, 1000)
            if self.format != "swiss":
                raise ConfigError(f"rounds need the format swiss, got {self.format}")
        if self.has_rounds and self.sprt is not None:
            raise ConfigError(f"an SPRT cannot end a tournament of the format {self.format}")

    @property
    def has_book(self) -> bool:
        """Whether the openings are those of a book: the game's own, or a file."""
        return self.openings not in ("balanced", "start")

    def _check_book(self) -> None:
        check_range("openings_start", self.openings_start, 1)
        if self.openings_plies is not None:
            check_range("openings_plies", self.openings_plies, 1)
        if self._book_settings() and not self.has_book:
            (name, *_) = self._book_settings()
            raise ConfigError(f"{name} needs a book as openings")

    def _book_settings(self) -> JsonObject:
        """The settings of a book that differ from the defaults."""
        names = ("openings_order", "openings_start", "openings_plies")
        usual = {item.name: item.default for item in fields(self)}
        return {name: value for name in names if (value := getattr(self, name)) != usual[name]}

    def _check_servers(self) -> None:
        """Reject parallel games of an agent behind an address, which plays one game at a time."""
        server = next((agent for agent in self.agents if agent.startswith("http://")), None)
        several = self.backend == "ray" if self.workers is None else self.workers > 1
        if server is not None and several:
            raise ConfigError(f"{server} plays one game at a time: expected one worker")

    @classmethod
    def of(cls, settings: Mapping[str, object]) -> ArenaConfig:
        """A tournament from settings as a file or the command line has them."""
        values: Settings = {key: value for key, value in settings.items() if value is not None}
        own = {item.name for item in fields(cls)}
        for_game = values.setdefault("settings", {})
        if not isinstance(for_game, Mapping):
            raise ConfigError(f"expected settings like 'board: ...' for settings, got {for_game!r}")
        known = setting_names()
        for key in [key for key in values if key not in own]:
            check_known("setting", key, known, otherwise="")
            values["settings"] = {**values["settings"], key: values.pop(key)}
        agents = values.get("agents") or ()
        if not isinstance(agents, list | tuple) or not all(isinstance(x, str) for x in agents):
            raise ConfigError(f"expected a list of agents, got {agents!r}")
        values["agents"] = tuple(agents)
        found = values.get("adjudication", Adjudication())
        if not isinstance(found, Adjudication):
            rules = check_keys("adjudication", found, _ADJUDICATION)
            for name in rules:
                if (score := _SCORE_OF.get(name)) is not None and score not in rules:
                    raise ConfigError(f"{name} of adjudication needs {score}")
            values["adjudication"] = Adjudication(**rules)
        found = values.get("sprt")
        if not isinstance(found, Sprt | None):
            words = [f"{key}={value}" for key, value in check_keys("sprt", found, _SPRT).items()]
            values["sprt"] = Sprt.parse(words)
        if found is not None:
            values.setdefault("games", SPRT_GAMES)
        if "limits" in values:
            values["limits"] = check_keys("limits", values["limits"], list(LIMIT_NAMES))
        for name in ("openings", "game", "preset", "rules", "clock", "address"):
            if name in values:
                values[name] = str(values[name])
        return cls(**values)

    @classmethod
    def load(cls, path: str | Path, overrides: Mapping[str, object] | None = None) -> ArenaConfig:
        """Read a YAML file, then other settings over it; see `find_config`, `files_beside`."""
        path = find_config("arena", path)
        settings = files_beside(path, read_yaml(path, setting_names()))
        try:
            return cls.of(settings | dict(overrides or {}))
        except ConfigError as error:
            raise ConfigError(f"{error} in {path}") from None

    def find_game(self) -> AnyGame:
        """The game that is played."""
        return registry.get(self.game)

    def start_state(self) -> State:
        """The position where the game begins."""
        state: State = self.find_game().start_from(self.preset, self.settings, rules=self.rules)
        return state

    def conditions(self) -> Conditions:
        """What all games have in common."""
        limits = SearchLimits.of(self.limits) if self.limits else None
        control = None if self.clock is None else TimeControl.parse(self.clock)
        if not isinstance(self.move_timeout, int | float):
            raise ConfigError(f"expected move_timeout to be a number, got {self.move_timeout!r}")
        return Conditions(limits, control, self.move_timeout, self.adjudication)

    def _openings_identity(self) -> str:
        """The openings; a file is identified by its content, not by its name."""
        if not self.has_book or self.openings == GAME_BOOK:
            return self.openings
        try:
            content = Path(self.openings).read_bytes()
        except OSError as error:
            reason = reason_of(error)
            raise ConfigError(f"cannot read the book {self.openings}: {reason}") from None
        return f"book {sha256(content).hexdigest()[:16]}"

    def identity(self) -> JsonObject:
        """What a game depends on, apart from its players.

        Tournaments with the same identity are one: more games or other agents continue it, unless
        pairings depend on results.
        """
        return {
            "version": __version__,
            "game": self.game,
            "settings": {**self.find_game().settings(self.start_state())},
            "openings": self._openings_identity(),
            **self._book_settings(),
            "seed": self.seed,
            "limits": {**self.limits},
            "clock": self.clock,
            "move_timeout": self.move_timeout,
            "adjudication": asdict(self.adjudication),
            **self._rounds_identity(),
        }

    def _rounds_identity(self) -> JsonObject:
        """What the pairings depend on, if they depend on results."""
        if not self.has_rounds:
            return {}
        rounds = count_rounds(self.format, len(self.agents), self.rounds)
        return {
            "format": self.format,
            "agents": [*self.agents],
            "games": self.games,
            "rounds": rounds,
        }


def setting_names() -> list[str]:
    """The names that a tournament's file can have: fields of ArenaConfig, and settings of games."""
    games = registry.games().values()
    return [
        *(item.name for item in fields(ArenaConfig)),
        *dict.fromkeys(key for game in games for key in _setting_keys(game)),
    ]


def _setting_keys(game: AnyGame) -> list[str]:
    """The keys of a game's settings in a file, in all spellings."""
    return [*map(setting_key, game.setting_names), *game.setting_aliases]


def files_beside(path: str | Path, settings: Settings) -> Settings:
    """The settings of a file, with the files that they name looked up beside it.

    This covers books, rules and the files in agents' strings, for tournaments and for tuning runs.
    """
    found = dict(settings)
    for name in ("openings", "rules"):
        if isinstance(file := found.get(name), str) and (name, file) != ("openings", GAME_BOOK):
            found[name] = beside(path, file)
    for name in ("agent", "reference"):
        if isinstance(agent := found.get(name), str):
            found[name] = with_files_beside(agent, path)
    if isinstance(agents := found.get("agents"), list):
        found["agents"] = [
            with_files_beside(agent, path) if isinstance(agent, str) else agent for agent in agents
        ]
    return found


def _check_agents(agents: tuple[str, ...]) -> None:
    if len(agents) < 2:
        raise ConfigError(f"expected at least two agents, got {len(agents)}")
    if PERSON in agents:
        raise ConfigError("a person cannot play in a tournament; use 'plyground play'")
    for agent in agents:
        split_clock(agent)  # which rejects a wrong clock
        if agents.count(agent) > 1:
            raise ConfigError(f"expected different agents, got {agent!r} twice")
