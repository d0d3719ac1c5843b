"""Players on other GPUs and machines, through Ray: many workers that play, one learner that learns.

A worker is a process with `LocalPlayers` of its own. It plays in rounds: the learner orders one
with the newest weights and settings, and gets back the positions of finished games. Two rounds are
ordered ahead, so that a worker never waits for the learner's loop; a new one is ordered only when
the positions of an old one have been drained, so that workers wait for a learner that is behind.

A worker that is lost is replaced, and what it had not delivered is gone. Nothing is counted twice:
rounds are never repeated, every answer is taken in once, and it brings its own counts along.

Weights, settings and positions travel as arrays and plain values.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from plyground import __version__
from plyground.cluster import (
    Cluster,
    Crew,
    Share,
    announce,
    check_version,
    connect,
    machines_of,
    room_for,
)
from plyground.errors import ConfigError
from plyground.train.config import TrainConfig
from plyground.train.players import LocalPlayers
from plyground.train.replay import TARGETS, Rows
from plyground.train.shards import row_type

ROUND_S = 0.5
"""Seconds a worker plays before it answers: how old its weights get, at least."""
ROUNDS_AHEAD = 2
WAIT_S = 0.005
"""Seconds the learner waits for an answer before it looks after other things."""
SEED_STEP = 1 << 40
"""Between the seeds of two workers: more than the positions of any run, which are added too."""

COUNTS = (
    *("games", "draws", "first_player_wins", "plies", "evaluations", "simulations"),
    *("growing_s", "waiting_s"),
)
COLUMNS = ("features", "policy", *TARGETS)
"""What the learner needs of a position."""

Arrays = dict[str, NDArray[Any]]
Counts = dict[str, float]


class Worker:
    """Plays on one machine; Ray makes an actor of it."""

    def __init__(self, settings: Mapping[str, Any], version: str, on_gpu: bool, seed: int) -> None:
        self.settings = settings
        self.version = version
        self.on_gpu = on_gpu
        self.seed = seed
        self.players: LocalPlayers | None = None
        self.edition = -1
        self.told = Counter[str]()

    def play(
        self, seconds: float, edition: int, weights: Arrays, schedule: Mapping[str, float]
    ) -> tuple[Arrays, Counts]:
        """One round: the positions finished in it, and what was counted in it."""
        if self.players is None:
            self.players = self._begin(weights)
        elif edition != self.edition:
            self.players.load(as_tensors(weights))
        self.edition = edition
        for name, value in schedule.items():
            self.players.set(name, value)
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            self.players.step()
        rows, stats = self.players.drain(), self.players.stats()
        counts = {name: stats[name] - self.told[name] for name in COUNTS}
        self.told.update(counts)
        return {name: rows[name] for name in COLUMNS}, counts

    def _begin(self, weights: Arrays) -> LocalPlayers:
        check_version(self.version)
        torch.set_num_threads(1)  # as in `train`
        torch.backends.cudnn.benchmark = self.on_gpu
        config = TrainConfig.of(self.settings)
        return LocalPlayers(config, as_tensors(weights), self.on_gpu, self.seed)


class RayPlayers:
    """The workers, as the training loop sees them."""

    def __init__(
        self,
        config: TrainConfig,
        weights: Mapping[str, Tensor],
        cluster: Cluster,
        positions_before: int = 0,
    ) -> None:
        self.ray, self.is_ours = connect(cluster.address)
        machines = machines_of(self.ray)
        self.share = share_of(config, machines)
        room = room_for(self.share, machines)
        self.workers = cluster.workers or max(1, room if self.share.gpus else room - 1)
        announce(self.workers, self.share, room)
        self.config = replace(config, threads=self.share.cpus)
        self.positions_before = positions_before
        self.schedule: dict[str, float] = {}
        self.edition = -1
        self.load(weights)
        self.crew = Crew(self.ray, self.workers, self.share, Worker, self._arguments)
        self.arrived: list[tuple[int, Arrays]] = []
        """Positions to be drained, with the workers that wait for that."""
        self.counts = dict.fromkeys(COUNTS, 0.0)
        while not self.arrived:  # the time of a run begins when somebody can play
            self.step()

    def step(self) -> None:
        """Take in an answer, if one comes soon."""
        for number in self.crew.fill():
            for _ in range(ROUNDS_AHEAD):
                self._order(number, 0)  # it says so when it is ready, and is ordered to play then
        self._take_in(WAIT_S)

    def drain(self) -> Rows:
        """Positions that have arrived; their workers go on."""
        arrived, self.arrived = self.arrived, []
        for number, _ in arrived:
            if number in self.crew.workers:
                self._order(number)
        nothing = np.zeros(0, row_type(self.config.encoding))
        return {
            name: np.concatenate([nothing[name], *(rows[name] for _, rows in arrived)])
            for name in COLUMNS
        }

    def stats(self) -> dict[str, float]:
        """Counts of all workers together, and the times of one of them on average."""
        times = {name: self.counts[name] / self.workers for name in ("growing_s", "waiting_s")}
        return self.counts | times

    def set(self, name: str, value: float) -> None:
        """Change a setting from the next round on."""
        self.schedule[name] = value

    def load(self, weights: Mapping[str, Tensor]) -> None:
        """Give new weights to the rounds ordered from now on; each machine fetches them once."""
        arrays = {name: weight.detach().cpu().numpy() for name, weight in weights.items()}
        self.weights = self.ray.put(arrays)
        self.edition += 1

    def close(self) -> None:
        """Take in what is there, and end the workers."""
        while self._take_in(0):
            pass
        self.crew.close()
        if self.is_ours:
            self.ray.shutdown()

    def _take_in(self, wait_s: float) -> bool:
        """Take in an answer, and say whether there was one; what lost workers owe is gone."""
        answers = self.crew.answers(wait_s)
        for answer in answers:
            if answer.lost is None:
                rows, counts = answer.value
                self.arrived.append((answer.worker, rows))
                for name, count in counts.items():
                    self.counts[name] += count
        return bool(answers)

    def _arguments(self, number: int) -> tuple[Any, ...]:
        """What the worker with this number is made from."""
        seed = self.positions_before + SEED_STEP * number
        return self.config.as_dict(), __version__, self.share.gpus > 0, seed

    def _order(self, number: int, seconds: float = ROUND_S) -> None:
        """Have a worker play another round after those it has been given."""
        given = seconds, self.edition, self.weights, self.schedule
        self.crew.order(number, None, "play", *given)


def share_of(config: TrainConfig, machines: Sequence[Mapping[str, float]]) -> Share:
    """What a worker takes: a GPU with its part of the cores, or a core, unless `threads` says.

    >>> share_of(TrainConfig(threads=0), [{"CPU": 32, "GPU": 4}, {"CPU": 8}])
    Share(cpus=8, gpus=1)
    """
    with_gpu = [machine for machine in machines if machine.get("GPU", 0) >= 1]
    if config.device == "cuda" and not with_gpu:
        raise ConfigError("expected a cluster with GPUs for device cuda, found none")
    on_gpu = config.device != "cpu" and bool(with_gpu)
    cpus = config.threads
    if not cpus:
        cpus = min(int(m["CPU"] // m["GPU"]) for m in with_gpu) if on_gpu else 1
    share = Share(max(1, cpus), int(on_gpu))
    if not room_for(share, machines):
        raise ConfigError(
            f"expected a machine with {share.cpus} CPUs and {share.gpus} GPUs for a worker, found "
            f"none; set threads to {max(int(m.get('CPU', 0)) for m in machines)} or less"
        )
    return share


def as_tensors(weights: Arrays) -> dict[str, Tensor]:
    """Tensors of their own: the arrays that Ray hands out are shared and read-only."""
    return {name: torch.tensor(array) for name, array in weights.items()}
