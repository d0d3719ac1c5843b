"""`plyground tune spsa`: an agent's numbers tuned by games against itself.

In each iteration the agent with all numbers moved one way meets the agent with all moved the other
way, from an opening with the colours swapped. The optimiser is in `spsa.py`.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from time import monotonic
from typing import Any

from plyground.agents import make
from plyground.arena.config import ArenaConfig
from plyground.arena.game import Make
from plyground.arena.openings import Found
from plyground.arena.runner import run_tasks
from plyground.arena.schedule import openings_for
from plyground.arena.store import Store
from plyground.arena.task import Task
from plyground.errors import ConfigError
from plyground.games.base import State
from plyground.tune.candidates import with_options
from plyground.tune.run_folder import Row, RunFolder
from plyground.tune.settings import (
    build,
    check_agent,
    check_mapping,
    check_number,
    check_whole,
    load_settings,
    names_of,
)
from plyground.tune.spsa import Parameter, Spsa, Trial

_OWN = ("agent", "parameters", "iterations", "pairs", "rate", "opening_count", "log_iterations")
_NOT_SHARED = ("agents", "format", "games", "sprt", "backend", "address")
_ARENA = [name for name in names_of(ArenaConfig) if name not in _NOT_SHARED]
_FIELDS = [item.name for item in fields(Parameter) if item.name != "name"]
SAVE_S = 0.5
"""Between two saves, at least."""
LAST_SHARE = 0.25
"""The result is the mean over this share of the iterations, the last ones."""

Progress = Callable[[int, int], object]
"""Called with the iterations that are done and those there are."""


@dataclass(frozen=True)
class SpsaConfig:
    """Settings of a run; `arena` are those that it shares with tournaments."""

    parameters: tuple[Parameter, ...]
    """The options of the agent to tune."""
    agent: str = "engine:nodes=1000,hash_mb=1"
    """Who plays."""
    iterations: int = 2000
    """Comparisons."""
    pairs: int = 1
    """Pairs of games in each."""
    rate: float = 0.02
    """How large steps are: a_end / c_end^2 for a lead of one game."""
    opening_count: int = 200
    """Different openings."""
    log_iterations: int = 10
    """Iterations between two rows of the log."""
    arena: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        check_agent("agent", self.agent)
        if not self.parameters:
            raise ConfigError("expected at least one of the parameters")
        check_whole("iterations", self.iterations, 1, 10**7)
        check_whole("pairs", self.pairs, 1, 10**4)
        check_number("rate", self.rate, 1e-9, 1e3)
        check_whole("opening_count", self.opening_count, 1, 1000)
        check_whole("log_iterations", self.log_iterations, 1, 10**6)
        start = {parameter.name: parameter.start for parameter in self.parameters}
        make(with_options(self.agent, start), self.tournament().game)

    @classmethod
    def load(cls, path: str | Path, overrides: list[str]) -> SpsaConfig:
        """Read a YAML file, and words like `iterations=100` over it."""
        settings = load_settings(path, [*_OWN, *_ARENA], overrides)
        try:
            parameters = check_mapping("parameters", settings.get("parameters", {}))
            settings["parameters"] = tuple(
                _parameter(name, values) for name, values in parameters.items()
            )
        except ConfigError as error:
            raise ConfigError(f"{error} in {path}") from None
        arena = {name: settings.pop(name) for name in _ARENA if name in settings}
        return build(cls, {**settings, "arena": arena}, path)

    def tournament(self) -> ArenaConfig:
        """The conditions of its games, and its openings, as a tournament has them."""
        agents = (self.agent, f"{self.agent} moved")
        return ArenaConfig.of(
            {**(self.arena or {}), "agents": agents, "games": 2 * self.opening_count}
        )


def _parameter(name: str, values: Any) -> Parameter:
    for key in check_mapping(f"parameter {name}", values):
        if key not in _FIELDS:
            raise ConfigError(f"unknown key {key!r} of {name}; known are {', '.join(_FIELDS)}")
    for key in _FIELDS:
        if key not in values:
            raise ConfigError(f"expected {key!r} for {name}, found none")
    return Parameter(name, **values)


@dataclass(frozen=True)
class SpsaResult:
    """What was found."""

    values: dict[str, float]
    log: list[Row]


def tune_spsa(
    config: SpsaConfig,
    folder: Path,
    progress: Progress = lambda _a, _b: None,
    make_agent: Make = make,
    on_found: Found | None = None,
) -> SpsaResult:
    """Run all iterations, or go on with them, and keep everything in the folder.

    `on_found` hears of openings that are looked for, which happens once.
    """
    settings = asdict(config)
    workers = (settings["arena"] or {}).pop("workers", 1)  # may change: results are the same
    with RunFolder(folder, settings) as run:
        begin = [parameter.start for parameter in config.parameters]
        state: dict[str, Any] = run.state or {"iterations": 0, "theta": begin}
        with Store(folder / "games.sqlite") as store:
            openings = openings_for(config.tournament(), on_found, store)
        saved_at = monotonic()
        try:
            for row in _Games(config, state, openings, workers, make_agent).rows():
                run.log.append(row)
                progress(state["iterations"], config.iterations)
                if monotonic() - saved_at > SAVE_S:
                    run.save(state)
                    saved_at = monotonic()
        finally:
            run.save(state)
        return result_of(config, run.log)


def result_of(config: SpsaConfig, log: list[Row]) -> SpsaResult:
    """The mean of the last iterations."""
    last = [row for row in log if row["iterations"] > (1 - LAST_SHARE) * config.iterations]
    values = {}
    for parameter in config.parameters:
        mean = sum(row[parameter.name] for row in last) / len(last)
        values[parameter.name] = parameter.playable(mean)
    return SpsaResult(values, log)


class _Games:
    """Plays iterations, one after the other, whoever and however many play their games."""

    def __init__(
        self,
        config: SpsaConfig,
        state: dict[str, Any],
        openings: list[State],
        workers: int,
        make_agent: Make,
    ) -> None:
        self.config = config
        self.state = state
        self.workers = workers
        self.make_agent = make_agent
        self.optimiser = Spsa(config.parameters, config.iterations, config.rate)
        self.arena = config.tournament()
        self.openings = openings
        self.conditions = self.arena.conditions()
        self.waiting: deque[Task] = deque()

    def __iter__(self) -> Iterator[Task]:
        return self

    def __next__(self) -> Task:
        """The next game; none while all games of an iteration are being played.

        The runner asks again after each game, and the last one of an iteration fills the queue
        anew, so it never finds it empty with nobody at play before the end.
        """
        if not self.waiting:
            raise StopIteration
        return self.waiting.popleft()

    def rows(self) -> Iterator[Row]:
        """Play all iterations that are left; the state is brought up to date before each row."""
        config, theta, k = self.config, self.state["theta"], self.state["iterations"]
        if k >= config.iterations:
            return
        trial = self._begin(theta, k)
        lead, played, lead_since = 0.0, 0, 0.0
        with closing(run_tasks(self, self.workers, self.make_agent)) as games:
            for game in games:
                is_plus_first = game.task.label.endswith("+")
                won = {"1-0": 1, "0-1": -1}.get(game.record.result, 0)
                lead += won if is_plus_first else -won
                played += 1
                if played < 2 * config.pairs:
                    continue
                theta = self.optimiser.step(theta, k, trial, lead)
                k, lead_since = k + 1, lead_since + lead
                lead, played = 0.0, 0
                if k < config.iterations:
                    trial = self._begin(theta, k)
                if k % config.log_iterations and k < config.iterations:
                    continue
                self.state["iterations"], self.state["theta"] = k, theta
                names = (parameter.name for parameter in config.parameters)
                yield {"iterations": k, **dict(zip(names, theta, strict=True)), "lead": lead_since}
                lead_since = 0.0

    def _begin(self, theta: list[float], k: int) -> Trial:
        """Put the games of an iteration into the queue."""
        # A generator of its own for each iteration: a run that goes on needs no other memory.
        rng = random.Random(f"{self.arena.seed}/{k}")
        trial = self.optimiser.trial(theta, k, rng)
        names = [parameter.name for parameter in self.config.parameters]
        plus, minus = (
            with_options(self.config.agent, dict(zip(names, values, strict=True)))
            for values in (trial.plus, trial.minus)
        )
        for _ in range(self.config.pairs):
            opening = rng.choice(self.openings)
            for player1, player2, sign in ((plus, minus, "+"), (minus, plus, "-")):
                self.waiting.append(
                    Task.of(
                        player1,
                        player2,
                        self.arena.game,
                        opening,
                        label=f"{k}{sign}",
                        conditions=self.conditions,
                    )
                )
        return trial
