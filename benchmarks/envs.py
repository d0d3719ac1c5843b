"""Measure the environments: `python benchmarks/envs.py`; `--help` lists the options.

Every step is a random legal move of Quoridor's standard game or, with `--game reversi`, of Reversi.
For the vector, the core draws the moves beforehand, outside the timed section. The measurements are
interleaved and repeated, and the table shows medians. It has wall-clock and CPU time: on a busy
machine, steps per CPU second times the number of cores is the better estimate of the speed on an
idle one.
"""

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from statistics import median
from time import perf_counter, process_time
from typing import Any

import numpy as np

from plyground.envs import (
    QuoridorEnv,
    QuoridorVectorEnv,
    ReversiEnv,
    ReversiVectorEnv,
    quoridor_v0,
    reversi_v0,
)
from plyground.envs.turns import CheckedEnv
from plyground.machine import available_cores

VectorEnv = QuoridorVectorEnv | ReversiVectorEnv
SingleEnv = QuoridorEnv | ReversiEnv

VECTORS: dict[str, dict[str, Any]] = {
    "rewards, scalars": {"planes": None, "mask": False},
    "+ mask": {"planes": None},
    "+ mask, planes as bits": {"planes": "bits"},
    "+ mask, planes as uint8": {"planes": "uint8"},
    "+ mask, planes as float32": {"planes": "float32"},
}


@dataclass(frozen=True)
class Environments:
    """The environments of one game."""

    vector: Callable[..., VectorEnv]
    single: Callable[..., SingleEnv]
    pettingzoo: Callable[[], CheckedEnv]


GAMES = {
    "quoridor": Environments(QuoridorVectorEnv, QuoridorEnv, quoridor_v0.env),
    "reversi": Environments(ReversiVectorEnv, ReversiEnv, reversi_v0.env),
}


@dataclass
class Measurement:
    """Steps per second, one value per repeat."""

    name: str
    take: Callable[[float], tuple[int, float, float]]
    steps_per_s: list[float] = field(default_factory=list)
    steps_per_cpu_s: list[float] = field(default_factory=list)

    def repeat(self, seconds: float) -> None:
        """Add one more measurement."""
        steps, wall_s, cpu_s = self.take(seconds)
        self.steps_per_s.append(steps / wall_s)
        self.steps_per_cpu_s.append(steps / cpu_s)


def step_vector(envs: VectorEnv, seconds: float) -> tuple[int, float, float]:
    """Step all games for that long; return steps, wall-clock and CPU seconds spent stepping."""
    steps, wall_s, cpu_s = 0, 0.0, 0.0
    while wall_s < seconds:
        actions = envs.random_actions()
        wall, cpu = perf_counter(), process_time()
        envs.step(actions)
        wall_s += perf_counter() - wall
        cpu_s += process_time() - cpu
        steps += envs.num_envs
    return steps, wall_s, cpu_s


def warmed_up(envs: VectorEnv) -> Callable[[float], tuple[int, float, float]]:
    """A measurement of one vector whose games are at all stages."""
    envs.reset(seed=1)
    for _ in range(150):  # until games have ended and restarted
        envs.step(envs.random_actions())
    return lambda seconds: step_vector(envs, seconds)


def step_single(env: SingleEnv, seconds: float) -> tuple[int, float, float]:
    """Play random moves in the Gymnasium environment; the time includes choosing them."""
    rng, steps = np.random.default_rng(1), 0
    wall, cpu = perf_counter(), process_time()
    while perf_counter() - wall < seconds:
        _, info = env.reset()
        over = False
        while not over:
            action = rng.choice(np.flatnonzero(info["action_mask"]))
            _, _, over, _, info = env.step(action)
            steps += 1
    return steps, perf_counter() - wall, process_time() - cpu


def step_pettingzoo(env: CheckedEnv, seconds: float) -> tuple[int, float, float]:
    """Do the same in the PettingZoo environment."""
    rng, steps = np.random.default_rng(1), 0
    wall, cpu = perf_counter(), process_time()
    while perf_counter() - wall < seconds:
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, _, _ = env.last()
            assert observation is not None
            legal = np.flatnonzero(observation["action_mask"])
            env.step(None if terminated else rng.choice(legal))
            steps += not terminated
    return steps, perf_counter() - wall, process_time() - cpu


def measurements_of(game: Environments, games: int, threads: int) -> list[Measurement]:
    """All measurements of a game."""
    found = [
        Measurement(
            f"vector: {name}", warmed_up(game.vector(games, threads=threads, copy=False, **what))
        )
        for name, what in VECTORS.items()
    ]
    new_arrays = game.vector(games, threads=threads, planes="float32")
    single, turns = game.single(opponent="self"), game.pettingzoo()
    return [
        *found,
        Measurement("the last, new arrays in each step", warmed_up(new_arrays)),
        Measurement("Gymnasium, one game of self-play", partial(step_single, single)),
        Measurement("PettingZoo, one game", partial(step_pettingzoo, turns)),
    ]


def main() -> int:
    """Run all measurements and print a table, or JSON."""
    cores = available_cores()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=GAMES, default="quoridor", help="game (%(default)s)")
    parser.add_argument("--games", type=int, default=4096, help="games in the vector (%(default)s)")
    parser.add_argument(
        "--threads", type=int, default=cores, help="threads of the vector (%(default)s)"
    )
    parser.add_argument(
        "--seconds", type=float, default=0.5, help="seconds per measurement (%(default)s)"
    )
    parser.add_argument(
        "--repeats", type=int, default=5, help="repeats of each measurement (%(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()

    measurements = measurements_of(GAMES[options.game], options.games, options.threads)
    for repeat in range(options.repeats):
        for measurement in measurements:
            print(f"{repeat + 1}/{options.repeats} {measurement.name}", file=sys.stderr)
            measurement.repeat(options.seconds)

    if options.json:
        rows = [
            {"name": m.name, "steps_per_s": m.steps_per_s, "steps_per_cpu_s": m.steps_per_cpu_s}
            for m in measurements
        ]
        settings = {"game": options.game, "games": options.games, "threads": options.threads}
        print(json.dumps({**settings, "rows": rows}))
        return 0
    what = f"{options.games} games of {options.game}, {options.threads} threads"
    print(f"{what}, median of {options.repeats}")
    print(f"{'':36}{'steps/s':>14}{'steps/cpu s':>14}")
    for m in measurements:
        print(f"{m.name:36}{median(m.steps_per_s):14,.0f}{median(m.steps_per_cpu_s):14,.0f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
