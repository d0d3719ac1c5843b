"""`plyground tune spsa`: an agent's parameters tuned by games against itself.

In each iteration the agents with all parameters perturbed in opposite directions play an opening
twice, with colours swapped. The optimiser is in `spsa.py`.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from time import monotonic
from typing import NotRequired, TypedDict, cast

from plyground.agents import make
from plyground.agents.base import ForfeitKind
from plyground.arena.config import ArenaConfig
from plyground.arena.forfeits import ForfeitCounts, SingleAgentGuard
from plyground.arena.game import MakeAgent
from plyground.arena.runner import run_tasks
from plyground.arena.schedule import openings_for
from plyground.arena.store import Store
from plyground.arena.task import GameResult, Task
from plyground.checks import check_range
from plyground.config import Settings, check_keys
from plyground.errors import ConfigError
from plyground.games.base import OnFound, State
from plyground.tune.candidates import with_options
from plyground.tune.run_folder import LogRow, OnProgress, RunFolder
from plyground.tune.settings import (
    arena_names,
    build,
    check_agent,
    check_mapping,
    load_settings,
)
from plyground.tune.spsa import Parameter, Spsa, Trial

_OWN = ("agent", "parameters", "iterations", "pairs", "rate", "opening_count", "log_iterations")
_NOT_SHARED = ("agents", "format", "games", "sprt", "backend", "address")
_FIELDS = [item.name for item in fields(Parameter) if item.name != "name"]
SAVE_S = 0.5
"""Seconds between two saves, at least."""
LAST_SHARE = 0.25
"""The result is the mean over this last share of the iterations."""


class SpsaState(TypedDict):
    """What a run continues from."""

    iterations: int
    theta: list[float]
    forfeits: NotRequired[dict[str, int]]
    """Games lost by forfeit, by kind; runs of earlier versions did not count them."""


@dataclass(frozen=True)
class SpsaConfig:
    """The settings of a run; `arena` has those that it shares with tournaments."""

    parameters: tuple[Parameter, ...]
    """The options of the agent to tune."""
    agent: str = "engine:nodes=1000,hash_mb=1"
    """The agent's string."""
    iterations: int = 2000
    """Number of comparisons."""
    pairs: int = 1
    """Pairs of games per iteration."""
    rate: float = 0.02
    """Size of the steps: a_end / c_end^2 for a lead of one game."""
    opening_count: int = 200
    """Number of different openings."""
    log_iterations: int = 10
    """Iterations between two rows of the log."""
    arena: Settings | None = None

    def __post_init__(self) -> None:
        check_agent("agent", self.agent)
        if not self.parameters:
            raise ConfigError("expected at least one of the parameters")
        check_range("iterations", self.iterations, 1, 10**7)
        check_range("pairs", self.pairs, 1, 10**4)
        check_range("rate", self.rate, 1e-9, 1e3, float)
        check_range("opening_count", self.opening_count, 1, 1000)
        check_range("log_iterations", self.log_iterations, 1, 10**6)
        start = {parameter.name: parameter.start for parameter in self.parameters}
        make(with_options(self.agent, start), self.tournament().game)

    @classmethod
    def load(cls, path: str | Path, overrides: list[str]) -> SpsaConfig:
        """Read a YAML file, with overrides like `iterations=100`."""
        shared = arena_names(without=_NOT_SHARED)
        settings = load_settings(path, [*_OWN, *shared], overrides)
        try:
            parameters = check_mapping("parameters", settings.get("parameters", {}))
            settings["parameters"] = tuple(
                _parameter(name, values) for name, values in parameters.items()
            )
        except ConfigError as error:
            raise ConfigError(f"{error} in {path}") from None
        arena = {name: settings.pop(name) for name in shared if name in settings}
        return build(cls, {**settings, "arena": arena}, path)

    def tournament(self) -> ArenaConfig:
        """The conditions and openings of its games, as a tournament."""
        agents = (self.agent, f"{self.agent} moved")
        return ArenaConfig.of(
            {**(self.arena or {}), "agents": agents, "games": 2 * self.opening_count}
        )


def _parameter(name: str, values: object) -> Parameter:
    check_mapping(f"parameter {name}", values)
    given = check_keys(name, values, _FIELDS)
    for key in _FIELDS:
        if key not in given:
            raise ConfigError(f"expected {key!r} for {name}, found none")
    return Parameter(name, **given)


@dataclass(frozen=True)
class SpsaResult:
    """The tuned values, and how the parameters developed."""

    values: dict[str, float]
    log: list[LogRow]
    forfeits: ForfeitCounts = field(default_factory=ForfeitCounts)
    """Games lost by forfeit, by kind."""


def tune_spsa(
    config: SpsaConfig,
    folder: Path,
    progress: OnProgress = lambda _a, _b: None,
    make_agent: MakeAgent = make,
    on_found: OnFound | None = None,
    on_game: Callable[[GameResult], object] = lambda _: None,
) -> SpsaResult:
    """Run or continue all iterations, with everything saved in the folder.

    The progress is the number of iterations. `on_found` receives the progress of the search for
    openings, which happens once, and `on_game` every game. An agent that fails to start three times
    in a row, or fails at all if `on_crash` is "stop", ends the run with an AgentFailedError.
    """
    settings = asdict(config)
    shared = settings["arena"] or {}
    workers = shared.pop("workers", 1)  # these may change: results are the same
    shared.pop("on_crash", None)
    with RunFolder(folder, settings) as run:
        begin = [parameter.start for parameter in config.parameters]
        state = cast(SpsaState, run.state or {"iterations": 0, "theta": begin})
        with Store(folder / "games.sqlite") as store:
            openings = openings_for(config.tournament(), on_found, store)
        saved_at = monotonic()
        try:
            games = _SpsaGames(config, state, openings, workers, make_agent, on_game)
            for after, row in games.rows():
                state = after
                run.add(after, row)
                progress(after["iterations"], config.iterations)
                if monotonic() - saved_at > SAVE_S:
                    run.save()
                    saved_at = monotonic()
        finally:
            run.save()
        return result_of(config, run.log, state.get("forfeits", {}))


def result_of(
    config: SpsaConfig, log: list[LogRow], forfeits: dict[str, int] | None = None
) -> SpsaResult:
    """The mean over the last iterations."""
    last = [row for row in log if row["iterations"] > (1 - LAST_SHARE) * config.iterations]
    values = {}
    for parameter in config.parameters:
        mean = sum(row[parameter.name] for row in last) / len(last)
        values[parameter.name] = parameter.playable(mean)
    counts = {ForfeitKind(kind): count for kind, count in (forfeits or {}).items()}
    return SpsaResult(values, log, ForfeitCounts(counts))


class _SpsaGames:
    """Plays iterations one after the other; the result does not depend on the workers."""

    def __init__(
        self,
        config: SpsaConfig,
        state: SpsaState,
        openings: list[State],
        workers: int,
        make_agent: MakeAgent,
        on_game: Callable[[GameResult], object],
    ) -> None:
        self.config = config
        self.state = state
        self.workers = workers
        self.make_agent = make_agent
        self.on_game = on_game
        self.optimiser = Spsa(config.parameters, config.iterations, config.rate)
        self.arena = config.tournament()
        self.openings = openings
        self.conditions = self.arena.conditions()
        self.waiting: deque[Task] = deque()
        self.guard = SingleAgentGuard(config.agent, self.arena.on_crash)

    def __iter__(self) -> Iterator[Task]:
        return self

    def __next__(self) -> Task:
        """The next game; none while all games of an iteration are running.

        The runner asks again after each game, and the last game of an iteration refills the queue.
        So before the end of the run, the queue is empty only while games are running.
        """
        if not self.waiting:
            raise StopIteration
        return self.waiting.popleft()

    def rows(self) -> Iterator[tuple[SpsaState, LogRow]]:
        """Play the remaining iterations; yields rows of the log, each with the state after it."""
        config, theta, k = self.config, self.state["theta"], self.state["iterations"]
        if k >= config.iterations:
            return
        trial = self._begin(theta, k)
        lead, played, lead_since = 0.0, 0, 0.0
        forfeits = Counter[str](self.state.get("forfeits", {}))
        with closing(run_tasks(self, self.workers, self.make_agent)) as games:
            for game in games:
                self.on_game(game)
                self.guard.add(game)
                if game.forfeit is not None:
                    forfeits[game.forfeit.value] += 1
                plus = 1 if game.task.label.endswith("+") else 2
                lead += 2 * game.record.points(plus) - 1
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
                names = (parameter.name for parameter in config.parameters)
                values = dict(zip(names, theta, strict=True))
                yield (
                    {"iterations": k, "theta": theta, "forfeits": dict(forfeits)},
                    {"iterations": k, **values, "lead": lead_since},
                )
                lead_since = 0.0

    def _begin(self, theta: list[float], k: int) -> Trial:
        """Queue the games of an iteration."""
        # Each iteration has its own generator, so that a continued run needs no saved random state.
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
                        opening,
                        label=f"{k}{sign}",
                        conditions=self.conditions,
                    )
                )
        return trial
