"""Players on other GPUs and machines, through Ray: many workers that play, one learner that learns.

A worker is a process with `LocalPlayers` of its own. It plays in rounds: the learner orders one
with the newest weights and settings, and gets back the positions of finished games. Two rounds are
ordered ahead, so that a worker never waits for the learner's loop; a new one is ordered only when
the positions of an old one have been drained, so that workers wait for a learner that is behind.

A worker that is lost is replaced, and what it had not delivered is gone. Nothing is counted twice:
rounds are never repeated, every answer is taken in once, and it brings its own counts along.

Weights, settings and positions travel as arrays and plain values. Ray itself trusts its nodes: see
docs/training.md. It is imported when a cluster is used and not before.
"""

from __future__ import annotations

import os
import socket
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from plyground import __version__
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


@dataclass(frozen=True, slots=True)
class Cluster:
    """Where the workers of a run are."""

    workers: int = 0
    """How many; 0 takes as many as there is room for, and leaves the learner a core."""
    address: str | None = None
    """Of a running Ray cluster; `auto` finds the one this machine is part of, None starts one."""


@dataclass(frozen=True, slots=True)
class Share:
    """What one worker takes of its machine."""

    cpus: int
    gpus: int


class Worker:
    """Plays on one machine; Ray makes an actor of it."""

    def __init__(self, settings: Mapping[str, Any], version: str, on_gpu: bool, seed: int) -> None:
        # Nothing here may fail: that would look like a lost worker. An error in `play` reaches the
        # learner as it is.
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
        if self.version != __version__:
            raise ConfigError(
                f"expected plyground {self.version} on every machine, as the learner has, "
                f"got {__version__} on {os.uname().nodename}"
            )
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
        machines = [node["Resources"] for node in self.ray.nodes() if node["Alive"]]
        self.share = share_of(config, machines)
        room = room_for(self.share, machines)
        self.workers = cluster.workers or max(1, room if self.share.gpus else room - 1)
        print(
            f"ray: {self.workers} workers of {self.share.cpus} CPUs and {self.share.gpus} GPUs, "
            f"room for {room} now; waiting for the first",
            file=sys.stderr,
            flush=True,
        )
        self.config = replace(config, threads=self.share.cpus)
        self.positions_before = positions_before
        self.schedule: dict[str, float] = {}
        self.edition = -1
        self.load(weights)
        self.crew: dict[int, Any] = {}
        """The workers there are, by number; a number is used once."""
        self.started = 0
        self.under_way: dict[Any, int] = {}
        """Rounds ordered and not answered, with their workers' numbers."""
        self.arrived: list[tuple[int, Arrays]] = []
        """Positions to be drained, with the workers that wait for that."""
        self.counts = dict.fromkeys(COUNTS, 0.0)
        while not self.arrived:  # the time of a run begins when somebody can play
            self.step()

    def step(self) -> None:
        """Take in an answer, if one comes soon."""
        while len(self.crew) < self.workers:
            self._start_worker()
        if self.under_way:
            self._take_in(WAIT_S)

    def drain(self) -> Rows:
        """Positions that have arrived; their workers go on."""
        arrived, self.arrived = self.arrived, []
        for number, _ in arrived:
            if number in self.crew:
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
        while self.under_way and self._take_in(0):
            pass
        for worker in self.crew.values():
            self.ray.kill(worker)
        self.crew, self.under_way = {}, {}
        if self.is_ours:
            self.ray.shutdown()

    def _take_in(self, wait_s: float) -> bool:
        """Take in an answer, and say whether there was one."""
        answers, _ = self.ray.wait(list(self.under_way), num_returns=1, timeout=wait_s)
        for answer in answers:
            number = self.under_way.pop(answer)
            try:
                rows, counts = self.ray.get(answer)
            except self.ray.exceptions.RayTaskError as error:
                raise error.cause from error
            except self.ray.exceptions.RayError as error:
                self._give_up(number, error)
            else:
                self.arrived.append((number, rows))
                for name, count in counts.items():
                    self.counts[name] += count
        return bool(answers)

    def _start_worker(self) -> None:
        """Start a worker where there is room, or once there is."""
        actor = self.ray.remote(
            num_cpus=self.share.cpus, num_gpus=self.share.gpus, max_restarts=0, max_task_retries=0
        )(Worker)
        number = self.started
        seed = self.positions_before + SEED_STEP * number
        settings = self.config.as_dict()
        self.crew[number] = actor.remote(settings, __version__, self.share.gpus > 0, seed)
        self.started += 1
        for _ in range(ROUNDS_AHEAD):
            self._order(number, 0)  # it says so when it is ready, and is ordered to play then

    def _order(self, number: int, seconds: float = ROUND_S) -> None:
        """Have a worker play another round after those it has been given."""
        play = self.crew[number].play
        answer = play.remote(seconds, self.edition, self.weights, self.schedule)
        self.under_way[answer] = number

    def _give_up(self, number: int, error: Exception) -> None:
        """Forget a lost worker and what it was to deliver; the next step starts another."""
        self.under_way = {key: other for key, other in self.under_way.items() if other != number}
        self.ray.kill(self.crew.pop(number))  # it may be there still, and only out of reach
        reason = str(error).strip().partition("\n")[0]
        print(f"ray: lost worker {number}, starting another: {reason}", file=sys.stderr, flush=True)


def connect(address: str | None) -> tuple[Any, bool]:
    """Ray, connected to a cluster, and whether that has to be undone."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # it would report to its makers
    try:
        ray = import_module("ray")
    except ImportError as error:
        raise ConfigError("--backend ray needs Ray: pip install 'plyground[ray]'") from error
    if ray.is_initialized():
        return ray, False
    if address and address != "auto":
        check_reachable(address)
    options = {} if address else {"include_dashboard": False}
    try:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR", **options)
    except (ConnectionError, ValueError, RuntimeError) as error:
        what = f"reach a Ray cluster at {address!r}" if address else "start Ray here"
        raise ConfigError(f"cannot {what}: {error}") from error
    return ray, True


def check_reachable(address: str) -> None:
    """Raise a ConfigError if nobody listens there; Ray itself would try for minutes."""
    host, _, port = address.rpartition(":")
    if not (host and port.isascii() and port.isdecimal() and int(port) < 1 << 16):
        raise ConfigError(f"expected the address of a Ray cluster, HOST:PORT, got {address!r}")
    try:
        socket.create_connection((host, int(port)), timeout=10).close()
    except OSError as error:
        raise ConfigError(f"cannot reach a Ray cluster at {address}: {error}") from error


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


def room_for(share: Share, machines: Sequence[Mapping[str, float]]) -> int:
    """How many workers fit."""
    return sum(
        min(
            int(machine.get("CPU", 0) // share.cpus),
            int(machine.get("GPU", 0) // share.gpus) if share.gpus else sys.maxsize,
        )
        for machine in machines
    )


def as_tensors(weights: Arrays) -> dict[str, Tensor]:
    """Tensors of their own: the arrays that Ray hands out are shared and read-only."""
    return {name: torch.tensor(array) for name, array in weights.items()}
