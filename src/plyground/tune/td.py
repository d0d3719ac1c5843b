"""`plyground tune td`: the weights of a linear evaluation of Quoridor, learned from self-play.

Each seed is a run of its own; what they agree in can be trusted. A run's result is the mean of its
weights over the second half of its games (Polyak & Juditsky 1992), since single games push them to
and fro. The algorithm is in `td_lambda.py`, the games in `td_play.py`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from plyground.arena.config import quoridor_start
from plyground.errors import ConfigError
from plyground.games.quoridor_config import GameConfig
from plyground.search.engine import default_weights
from plyground.tune.run_folder import Row, RunFolder
from plyground.tune.settings import (
    build,
    check_mapping,
    check_number,
    check_whole,
    load_settings,
    names_of,
)
from plyground.tune.td_lambda import Vector, learn
from plyground.tune.td_play import MINIMAX, SelfPlay

SAVE_S = 0.5
"""Between two saves, at least."""
Progress = Callable[[int, int], object]
"""Called with the games that were played and those there are to play, over all seeds."""


@dataclass(frozen=True, slots=True)
class TdConfig:
    """Settings of a run."""

    preset: str | None = None
    """Quoridor's preset, ..."""
    board: int | None = None
    """... or its rows and columns ..."""
    walls: int | None = None
    """... and the walls each player starts with."""
    features: tuple[str, ...] = ("path", "progress", "walls")
    """What is weighed: any terms of the engine's evaluation, `path` among them."""
    start: Mapping[str, float] = field(default_factory=dict)
    """Weights to begin with, by feature; 0 for others. 0.5 * ln(odds) is the unit."""
    games: int = 10_000
    """Games of each seed; more continue a run that is done."""
    seeds: tuple[int, ...] = (1, 2, 3)
    """A run for each."""
    learning_rate: float = 0.002
    """Alpha, in the first game ..."""
    decay_games: int | None = None
    """... and half of it after so many games, a third after twice as many; None: it stays."""
    trace: float = 0.7
    """Lambda: how far back an error reaches, from 0 (one step) to 1 (to the beginning)."""
    exploration: float = 0.05
    """How likely a move is any legal one instead of the best; nothing is learned across it."""
    opening_plies: tuple[int, int] = (0, 6)
    """Plies at random at the beginning of each game, from and to."""
    depth: int = 1
    """Plies that players look ahead; above 1 as `MinimaxAgent` does, by its three weights."""
    max_wall_moves: int = 8
    """Walls that they try in each position then."""
    log_games: int = 100
    """Games between two rows of the log."""

    def __post_init__(self) -> None:
        self.game_config()
        known = list(default_weights())
        for name in self.features:
            if name not in known:
                raise ConfigError(f"unknown feature {name!r}; known are {', '.join(known)}")
        if "path" not in self.features or len(set(self.features)) < len(self.features):
            raise ConfigError(f"expected path among different features, got {self.features!r}")
        for name, value in check_mapping("start", self.start).items():
            if name not in self.features:
                raise ConfigError(f"start has {name!r}, which is none of the features")
            check_number(f"start of {name}", value, -100, 100)
        check_whole("games", self.games, 1, 10**8)
        if not self.seeds or len(set(self.seeds)) < len(self.seeds):
            raise ConfigError(f"expected different seeds, got {self.seeds!r}")
        for seed in self.seeds:
            check_whole("a seed", seed, 0, 10**9)
        check_number("learning_rate", self.learning_rate, 1e-9, 100)
        if self.decay_games is not None:
            check_whole("decay_games", self.decay_games, 1, 10**8)
        check_number("trace", self.trace, 0, 1)
        check_number("exploration", self.exploration, 0, 1)
        if len(self.opening_plies) != 2:
            raise ConfigError(f"expected two opening_plies, from and to, got {self.opening_plies}")
        low, high = self.opening_plies
        check_whole("opening_plies", low, 0, 30)
        check_whole("opening_plies", high, low, 30)
        check_whole("depth", self.depth, 1, 6)
        check_whole("max_wall_moves", self.max_wall_moves, 0, 128)
        others = [name for name in self.features if name not in (*MINIMAX, "tempo")]
        if self.depth > 1 and others:
            raise ConfigError(f"expected a depth of 1 for the feature {others[0]!r}")
        check_whole("log_games", self.log_games, 1, 10**6)

    def game_config(self) -> GameConfig:
        """The game it is about."""
        return quoridor_start(self.preset, self.board, self.walls).config

    @classmethod
    def load(cls, path: str | Path, overrides: list[str]) -> TdConfig:
        """Read a YAML file, and words like `games=100` over it."""
        settings = load_settings(path, names_of(cls), overrides)
        for name in ("features", "seeds", "opening_plies"):
            if name in settings:
                if not isinstance(settings[name], list):
                    what = f"expected a list for {name}, got {settings[name]!r}"
                    raise ConfigError(f"{what} in {path}")
                settings[name] = tuple(settings[name])
        return build(cls, settings, path)


@dataclass(frozen=True)
class TdResult:
    """What was learned."""

    by_seed: dict[int, dict[str, float]]
    """Each run's weights, by feature."""
    mean: dict[str, float]
    deviation: dict[str, float]
    """How much the runs differ, as a standard deviation."""
    log: list[Row]
    """The weights and errors of all runs as they went."""

    def minimax(self) -> dict[str, float]:
        """The weights for MinimaxAgent: a step counts 12, as in its own."""
        scale = 12 / self._path()
        return {
            name: round(scale * self.mean.get(feature, 0.0), 3) for feature, name in MINIMAX.items()
        }

    def engine(self) -> dict[str, int]:
        """The weights for the engine, in hundredths of a step; 0 for what was not weighed."""
        scale = 100 / self._path()
        return {name: round(scale * self.mean.get(name, 0.0)) for name in default_weights()}

    def _path(self) -> float:
        if self.mean["path"] <= 0:
            raise ConfigError(
                f"expected the weight of path to end above 0, got {self.mean['path']:.4g}: "
                "take more games or another learning rate"
            )
        return self.mean["path"]


def tune_td(config: TdConfig, folder: Path, progress: Progress = lambda _a, _b: None) -> TdResult:
    """Run all seeds, or go on with them, and keep everything in the folder."""
    settings = asdict(config) | {"game": asdict(config.game_config())}
    with RunFolder(folder, settings, may_change=("games",)) as run:
        state: dict[str, Any] = run.state or {"games": {}, "weights": {}}
        saved_at = monotonic()
        try:
            for seed in config.seeds:
                for row in learn_rows(config, seed, state):
                    run.log.append(row)
                    done = sum(state["games"].values())
                    progress(done, config.games * len(config.seeds))
                    if monotonic() - saved_at > SAVE_S:
                        run.save(state)
                        saved_at = monotonic()
        finally:
            run.save(state)
        return result_of(config, run.log)


def learn_rows(config: TdConfig, seed: int, state: dict[str, Any]) -> Iterator[Row]:
    """Play and learn; the state is brought up to date before each row is handed out."""
    play = SelfPlay(
        config.game_config(),
        config.features,
        config.exploration,
        config.opening_plies,
        config.depth,
        config.max_wall_moves,
    )
    key = str(seed)
    first = state["games"].get(key, 0)
    begin = [config.start.get(name, 0.0) for name in config.features]
    weights: Vector = np.array(state["weights"].get(key, begin))
    td_errors, outcome_errors, plies, draws = [], [], 0, 0
    for game in range(first, config.games):
        # A generator of its own for each game: a run that goes on needs no other memory.
        seen, is_drawn = play.play(weights.tolist(), random.Random(f"{seed}/{game}"))
        lesson = learn(seen, weights, config.trace)
        decay = 1 if config.decay_games is None else 1 + game / config.decay_games
        weights = weights + config.learning_rate / decay * lesson.step
        td_errors.append(lesson.td_error)
        outcome_errors.append(lesson.outcome_error)
        plies += len(seen.features)
        draws += is_drawn
        if (game + 1) % config.log_games and game + 1 < config.games:
            continue
        state["games"][key], state["weights"][key] = game + 1, weights.tolist()
        row: Row = {"seed": seed, "games": game + 1}
        row |= dict(zip(config.features, weights.tolist(), strict=True))
        row["td_error"] = float(np.mean(td_errors)) ** 0.5
        row["outcome_error"] = float(np.mean(outcome_errors)) ** 0.5
        row["plies"] = plies / len(td_errors)
        row["draws"] = draws / len(td_errors)
        yield row
        td_errors, outcome_errors, plies, draws = [], [], 0, 0


def result_of(config: TdConfig, log: list[Row]) -> TdResult:
    """The mean over the second half of each run, and over the runs."""
    by_seed = {}
    for seed in config.seeds:
        rows = [row for row in log if row["seed"] == seed and config.games < 2 * row["games"]]
        by_seed[seed] = {
            name: float(np.mean([row[name] for row in rows])) for name in config.features
        }
    values = {name: [found[name] for found in by_seed.values()] for name in config.features}
    return TdResult(
        by_seed,
        {name: float(np.mean(found)) for name, found in values.items()},
        {name: float(np.std(found)) for name, found in values.items()},
        log,
    )
