"""Self-play on other GPUs and machines, through Ray: many workers and one learner.

A worker is a process with a `LocalSelfPlay` of its own. It plays in rounds: the learner orders one
with the newest weights and settings, and receives the positions of finished games. Two rounds are
ordered ahead, so that a worker never waits for the learner's loop. A new one is ordered only when
the positions of an old one have been drained, so that workers wait for a learner that is behind.

A lost worker is replaced; positions that it had not delivered are lost. Nothing is counted twice:
rounds are never repeated, and every answer is used once and carries its own counts.

Weights, settings and positions are sent as arrays and plain values.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from plyground import __version__
from plyground.cluster import (
    Cluster,
    WorkerPool,
    WorkerResources,
    announce,
    capacity,
    check_version,
    connect,
    node_resources,
)
from plyground.errors import ConfigError
from plyground.json_types import JsonObject
from plyground.train.config import TrainConfig
from plyground.train.players import LocalSelfPlay
from plyground.train.replay import TARGETS, Rows
from plyground.train.shards import row_type

ROUND_S = 0.5
"""Seconds of a round, which is also the minimum age of a worker's weights."""
ROUNDS_AHEAD = 2
WAIT_S = 0.005
"""Seconds the learner waits for an answer before it does other work."""
SEED_STEP = 1 << 40
"""Difference between the seeds of two workers: more than the positions of any run, which are
added to the seed."""

COUNTS = (
    *("games", "draws", "first_player_wins", "plies", "evaluations", "simulations"),
    *("growing_s", "waiting_s"),
)
COLUMNS = ("features", "policy", *TARGETS)
"""The columns of a position that the learner needs."""

Arrays = dict[str, NDArray[np.generic]]
Counts = dict[str, float]


class SelfPlayWorker:
    """Plays games on one machine, as a Ray actor."""

    def __init__(self, settings: JsonObject, version: str, on_gpu: bool, seed: int) -> None:
        self.settings = settings
        self.version = version
        self.on_gpu = on_gpu
        self.seed = seed
        self.players: LocalSelfPlay | None = None
        self.edition = -1
        self.reported = Counter[str]()

    def play(
        self, seconds: float, edition: int, weights: Arrays, schedule: Mapping[str, float]
    ) -> tuple[Arrays, Counts]:
        """Play one round; returns the positions finished in it, and its counts."""
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
        counts = {name: stats[name] - self.reported[name] for name in COUNTS}
        self.reported.update(counts)
        return {name: rows[name] for name in COLUMNS}, counts

    def _begin(self, weights: Arrays) -> LocalSelfPlay:
        check_version(self.version)
        torch.set_num_threads(1)  # as in `train`
        torch.backends.cudnn.benchmark = self.on_gpu
        config = TrainConfig.of(self.settings)
        return LocalSelfPlay(config, as_tensors(weights), self.on_gpu, self.seed)


class RaySelfPlay:
    """Self-play by the workers of a cluster."""

    def __init__(
        self,
        config: TrainConfig,
        weights: Mapping[str, Tensor],
        cluster: Cluster,
        positions_before: int = 0,
    ) -> None:
        self.ray, self.is_ours = connect(cluster.address)
        machines = node_resources(self.ray)
        self.share = share_of(config, machines)
        room = capacity(self.share, machines)
        self.workers = cluster.workers or max(1, room if self.share.gpus else room - 1)
        announce(self.workers, self.share, room)
        self.config = replace(config, threads=self.share.cpus)
        self.positions_before = positions_before
        self.schedule: dict[str, float] = {}
        self.edition = -1
        self.load(weights)
        self.pool: WorkerPool[None, tuple[Arrays, Counts]] = WorkerPool(
            self.ray, self.workers, self.share, SelfPlayWorker, self._arguments
        )
        self.arrived: list[tuple[int, Arrays]] = []
        """Positions to be drained, with the numbers of the workers that wait for that."""
        self.counts = dict.fromkeys(COUNTS, 0.0)
        while not self.arrived:  # the time of a run begins when the first worker can play
            self.step()

    def step(self) -> None:
        """Receive an answer, if one comes soon."""
        for number in self.pool.fill():
            for _ in range(ROUNDS_AHEAD):
                self._order(number, 0)  # it answers when it is ready, and is then ordered to play
        self._receive(WAIT_S)

    def drain(self) -> Rows:
        """Return the positions that have arrived, and order new rounds from their workers."""
        arrived, self.arrived = self.arrived, []
        for number, _ in arrived:
            if number in self.pool.workers:
                self._order(number)
        nothing = np.zeros(0, row_type(self.config.encoding))
        return {
            name: np.concatenate([nothing[name], *(rows[name] for _, rows in arrived)])
            for name in COLUMNS
        }

    def stats(self) -> dict[str, float]:
        """Counts of all workers together, and the mean times of one worker."""
        times = {name: self.counts[name] / self.workers for name in ("growing_s", "waiting_s")}
        return self.counts | times

    def set(self, name: str, value: float) -> None:
        """Change a setting from the next round on."""
        self.schedule[name] = value

    def load(self, weights: Mapping[str, Tensor]) -> None:
        """Use new weights in the rounds ordered from now on; each machine fetches them once."""
        arrays = {name: weight.detach().cpu().numpy() for name, weight in weights.items()}
        self.weights = self.ray.put(arrays)
        self.edition += 1

    def close(self) -> None:
        """Receive the answers that are there, and end the workers."""
        while self._receive(0):
            pass
        self.pool.close()
        if self.is_ours:
            self.ray.shutdown()

    def _receive(self, wait_s: float) -> bool:
        """Receive an answer; returns whether there was one."""
        answers = self.pool.answers(wait_s)
        for answer in answers:
            if answer.value is not None:
                rows, counts = answer.value
                self.arrived.append((answer.worker, rows))
                for name, count in counts.items():
                    self.counts[name] += count
        return bool(answers)

    def _arguments(self, number: int) -> tuple[JsonObject, str, bool, int]:
        """The constructor arguments of the worker with this number."""
        seed = self.positions_before + SEED_STEP * number
        return self.config.as_dict(), __version__, self.share.gpus > 0, seed

    def _order(self, number: int, seconds: float = ROUND_S) -> None:
        """Order another round from a worker, after those ordered before."""
        given = seconds, self.edition, self.weights, self.schedule
        self.pool.submit(number, None, "play", *given)


def share_of(config: TrainConfig, machines: Sequence[Mapping[str, float]]) -> WorkerResources:
    """What a worker reserves: a GPU with its part of the cores, or `threads` cores, by default one.

    >>> share_of(TrainConfig(threads=0), [{"CPU": 32, "GPU": 4}, {"CPU": 8}])
    WorkerResources(cpus=8, gpus=1)
    """
    with_gpu = [machine for machine in machines if machine.get("GPU", 0) >= 1]
    if config.device == "cuda" and not with_gpu:
        raise ConfigError("expected a cluster with GPUs for device cuda, found none")
    on_gpu = config.device != "cpu" and bool(with_gpu)
    cpus = config.threads
    if not cpus:
        cpus = min(int(m["CPU"] // m["GPU"]) for m in with_gpu) if on_gpu else 1
    share = WorkerResources(max(1, cpus), int(on_gpu))
    if not capacity(share, machines):
        raise ConfigError(
            f"expected a machine with {share.cpus} CPUs and {share.gpus} GPUs for a worker, found "
            f"none; set threads to {max(int(m.get('CPU', 0)) for m in machines)} or less"
        )
    return share


def as_tensors(weights: Arrays) -> dict[str, Tensor]:
    """Tensors of their own: the arrays that Ray hands out are shared and read-only."""
    return {name: torch.tensor(array) for name, array in weights.items()}
