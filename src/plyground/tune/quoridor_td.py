"""`plyground tune td`: the weights of a linear evaluation of Quoridor, learned from self-play.

Each seed is an independent run, and agreement between runs shows what to trust. A run's result is
the mean of its weights over the second half of its games (Polyak & Juditsky 1992), since single
games are noisy. The algorithm is in `td_lambda.py`, the games are in `quoridor_td_play.py`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import monotonic
from typing import TypedDict, cast

import numpy as np

from plyground.checks import check_range
from plyground.config import Settings, check_known
from plyground.errors import ConfigError
from plyground.games.quoridor_config import GameConfig
from plyground.games.quoridor_game import QUORIDOR
from plyground.search.quoridor_engine import default_weights
from plyground.tune.quoridor_td_play import MINIMAX, TdSelfPlay
from plyground.tune.run_folder import LogRow, OnProgress, RunFolder
from plyground.tune.settings import build, check_mapping, load_settings, names_of
from plyground.tune.td_lambda import Vector, learn

SAVE_S = 0.5
"""Seconds between two saves, at least."""


class TdState(TypedDict):
    """What a run continues from, by seed."""

    games: dict[str, int]
    weights: dict[str, list[float]]


@dataclass(frozen=True, slots=True)
class TdConfig:
    """The settings of a run."""

    preset: str | None = None
    """A preset of Quoridor."""
    board: int | None = None
    """Rows and columns, without a preset."""
    walls: int | None = None
    """Walls per player."""
    features: tuple[str, ...] = ("path", "progress", "walls")
    """The features: terms of the engine's evaluation, including `path`."""
    start: Mapping[str, float] = field(default_factory=dict)
    """Initial weights by feature, 0 for others, in units of half the log-odds."""
    games: int = 10_000
    """Games per seed; a finished run continues if there are more."""
    seeds: tuple[int, ...] = (1, 2, 3)
    """Seeds of the independent runs."""
    learning_rate: float = 0.002
    """Alpha in the first game."""
    decay_games: int | None = None
    """Games after which alpha is halved, and after twice as many a third; None for a constant."""
    trace: float = 0.7
    """Lambda: how far back an error reaches, from 0 (one step) to 1 (to the beginning)."""
    exploration: float = 0.05
    """Probability of a random legal move, across which nothing is learned."""
    opening_plies: tuple[int, int] = (0, 6)
    """Smallest and largest number of random plies at the beginning of a game."""
    depth: int = 1
    """Plies that players search; above 1 as `MinimaxAgent` does, with its three weights."""
    max_wall_moves: int = 8
    """Walls that they try in each position, at depths above 1."""
    log_games: int = 100
    """Games between two rows of the log."""

    def __post_init__(self) -> None:
        self.game_config()
        known = list(default_weights())
        for name in self.features:
            check_known("feature", name, known)
        if "path" not in self.features or len(set(self.features)) < len(self.features):
            raise ConfigError(f"expected different features with path, got {self.features!r}")
        for name, value in check_mapping("start", self.start).items():
            check_known("feature", name, self.features, " of start")
            check_range(f"start of {name}", value, -100, 100, float)
        check_range("games", self.games, 1, 10**8)
        if not self.seeds or len(set(self.seeds)) < len(self.seeds):
            raise ConfigError(f"expected different seeds, got {self.seeds!r}")
        for seed in self.seeds:
            check_range("a seed", seed, 0, 10**9)
        check_range("learning_rate", self.learning_rate, 1e-9, 100, float)
        if self.decay_games is not None:
            check_range("decay_games", self.decay_games, 1, 10**8)
        check_range("trace", self.trace, 0, 1, float)
        check_range("exploration", self.exploration, 0, 1, float)
        if len(self.opening_plies) != 2:
            raise ConfigError(f"expected two opening_plies, from and to, got {self.opening_plies}")
        low, high = self.opening_plies
        check_range("opening_plies", low, 0, 30)
        check_range("opening_plies", high, low, 30)
        check_range("depth", self.depth, 1, 6)
        check_range("max_wall_moves", self.max_wall_moves, 0, 128)
        others = [name for name in self.features if name not in (*MINIMAX, "tempo")]
        if self.depth > 1 and others:
            raise ConfigError(f"expected a depth of 1 for the feature {others[0]!r}")
        check_range("log_games", self.log_games, 1, 10**6)

    def game_config(self) -> GameConfig:
        """The rules that games are played by."""
        return QUORIDOR.start_from(self.preset, self.game_settings()).config

    def game_settings(self) -> Settings:
        """The board and the walls, as far as they are given."""
        found = {"board": self.board, "walls": self.walls}
        return {name: value for name, value in found.items() if value is not None}

    @classmethod
    def load(cls, path: str | Path, overrides: list[str]) -> TdConfig:
        """Read a YAML file, with overrides like `games=100`."""
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
    """The learned weights."""

    by_seed: dict[int, dict[str, float]]
    """Each run's weights by feature."""
    mean: dict[str, float]
    deviation: dict[str, float]
    """Standard deviation over the runs."""
    log: list[LogRow]
    """The weights and errors of all runs over time."""

    def minimax(self) -> dict[str, float]:
        """The weights for MinimaxAgent, scaled to a path weight of 12."""
        scale = 12 / self._path()
        return {
            name: round(scale * self.mean.get(feature, 0.0), 3) for feature, name in MINIMAX.items()
        }

    def engine(self) -> dict[str, int]:
        """The weights for the engine, in hundredths of a step; 0 for other features."""
        scale = 100 / self._path()
        return {name: round(scale * self.mean.get(name, 0.0)) for name in default_weights()}

    def _path(self) -> float:
        if self.mean["path"] <= 0:
            raise ConfigError(
                f"expected the weight of path to end above 0, got {self.mean['path']:.4g}: "
                "use more games or another learning rate"
            )
        return self.mean["path"]


def tune_td(config: TdConfig, folder: Path, progress: OnProgress = lambda _a, _b: None) -> TdResult:
    """Run or continue all seeds, with everything saved in the folder.

    The progress is the number of games, over all seeds.
    """
    with RunFolder(folder, asdict(config), may_change=("games",)) as run:
        state = cast(TdState, run.state or {"games": {}, "weights": {}})
        saved_at = monotonic()
        try:
            for seed in config.seeds:
                for after, row in learn_rows(config, seed, state):
                    state = after
                    run.add(state, row)
                    done = sum(state["games"].values())
                    progress(done, config.games * len(config.seeds))
                    if monotonic() - saved_at > SAVE_S:
                        run.save()
                        saved_at = monotonic()
        finally:
            run.save()
        return result_of(config, run.log)


def learn_rows(config: TdConfig, seed: int, state: TdState) -> Iterator[tuple[TdState, LogRow]]:
    """Play and learn; yields rows of the log, each with the state after it."""
    play = TdSelfPlay(
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
        # Each game has its own generator, so that a continued run needs no saved random state.
        seen, is_drawn = play.play(weights.tolist(), random.Random(f"{seed}/{game}"))
        update = learn(seen, weights, config.trace)
        decay = 1 if config.decay_games is None else 1 + game / config.decay_games
        weights = weights + config.learning_rate / decay * update.step
        td_errors.append(update.td_error)
        outcome_errors.append(update.outcome_error)
        plies += len(seen.features)
        draws += is_drawn
        if (game + 1) % config.log_games and game + 1 < config.games:
            continue
        state = {
            "games": {**state["games"], key: game + 1},
            "weights": {**state["weights"], key: weights.tolist()},
        }
        row: LogRow = {"seed": seed, "games": game + 1}
        row |= dict(zip(config.features, weights.tolist(), strict=True))
        row["td_error"] = float(np.mean(td_errors)) ** 0.5
        row["outcome_error"] = float(np.mean(outcome_errors)) ** 0.5
        row["plies"] = plies / len(td_errors)
        row["draws"] = draws / len(td_errors)
        yield state, row
        td_errors, outcome_errors, plies, draws = [], [], 0, 0


def result_of(config: TdConfig, log: list[LogRow]) -> TdResult:
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
