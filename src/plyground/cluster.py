"""Workers on a Ray cluster: what tournaments and training have in common.

A `WorkerPool` is a number of workers of one kind, each a process somewhere on the cluster that
takes orders and answers them. A worker that is lost, alone or with its machine, is replaced when
there is room. The caller decides what becomes of its orders.

Ray nodes trust each other: see docs/training.md. Ray is imported here only, when a cluster is used.
"""

from __future__ import annotations

import os
import platform
import socket
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Generic, TypeVar, cast

from plyground import __version__
from plyground.errors import ConfigError
from plyground.extras import needs_extra

Order = TypeVar("Order")
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Cluster:
    """Where workers run."""

    workers: int = 0
    """Number of workers; 0 for as many as there is room for."""
    address: str | None = None
    """Address of a running Ray cluster, `auto` for the one this machine is part of, or None to
    start one."""


@dataclass(frozen=True, slots=True)
class WorkerResources:
    """What one worker reserves on its machine."""

    cpus: int
    gpus: int = 0


@dataclass(frozen=True, slots=True)
class WorkerAnswer(Generic[Order, Value]):
    """A worker's answer to an order, or the reason why it never answers."""

    worker: int
    order: Order
    value: Value | None = None
    lost: str | None = None
    """Why there is no value."""


class WorkerPool(Generic[Order, Value]):
    """Workers by number; a number is never reused.

    `kind` is their class, and `arguments` returns the constructor's arguments for a number. The
    constructor must not fail: that would look like a lost worker. An exception in a method that
    answers an order is raised by `answers`, unchanged.
    """

    def __init__(
        self,
        ray: ModuleType,
        size: int,
        resources: WorkerResources,
        kind: type,
        arguments: Callable[[int], tuple[object, ...]],
    ) -> None:
        self.ray = ray
        self.size = size
        self.workers: dict[int, object] = {}
        self.started = 0
        self._kind = ray.remote(
            num_cpus=resources.cpus, num_gpus=resources.gpus, max_restarts=0, max_task_retries=0
        )(kind)
        self._arguments = arguments
        self._pending: dict[object, tuple[int, Order]] = {}
        """Workers' numbers and orders, by the object reference of the answer."""

    def fill(self) -> list[int]:
        """Start the missing workers, now or as soon as there is room; returns their numbers."""
        new = list(range(self.started, self.started + self.size - len(self.workers)))
        for number in new:
            self.workers[number] = self._kind.remote(*self._arguments(number))
        self.started += len(new)
        return new

    def submit(self, worker: int, order: Order, method: str, *arguments: object) -> None:
        """Queue a method call for a worker."""
        answer = getattr(self.workers[worker], method).remote(*arguments)
        self._pending[answer] = worker, order

    def answers(self, wait_s: float | None) -> list[WorkerAnswer[Order, Value]]:
        """The next answer, if one comes in time; for a lost worker, those to all its orders."""
        if not self._pending:
            return []
        ready, _ = self.ray.wait(list(self._pending), num_returns=1, timeout=wait_s)
        if not ready:
            return []
        worker, order = self._pending[ready[0]]
        try:
            value = cast(Value, self.ray.get(ready[0]))
        except self.ray.exceptions.RayTaskError as error:
            raise error.cause from error
        except self.ray.exceptions.RayError as error:
            return self._drop(worker, _reason(error))
        del self._pending[ready[0]]
        return [WorkerAnswer(worker, order, value)]

    def _drop(self, worker: int, reason: str) -> list[WorkerAnswer[Order, Value]]:
        """Remove a lost worker; `fill` starts another."""
        orders = [order for other, order in self._pending.values() if other == worker]
        self._pending = {
            answer: given for answer, given in self._pending.items() if given[0] != worker
        }
        self._kill(self.workers.pop(worker))  # it may still run, out of reach
        print(f"ray: lost worker {worker}, starting another: {reason}", file=sys.stderr, flush=True)
        return [WorkerAnswer(worker, order, lost=reason) for order in orders]

    def close(self) -> None:
        """End all workers at once."""
        for worker in self.workers.values():
            self._kill(worker)
        self.workers, self._pending = {}, {}

    def _kill(self, worker: object) -> None:
        with suppress(self.ray.exceptions.RayError):  # a worker that is still starting, say
            self.ray.kill(worker)


def _reason(error: Exception) -> str:
    """The most informative line of a Ray error."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[-1] if "creation task" in lines[0] else lines[0]


def load_ray() -> ModuleType:
    """Ray, or one line that says what to install."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # send no usage statistics
    with needs_extra("--backend ray needs Ray"):
        return import_module("ray")


def connect(address: str | None) -> tuple[ModuleType, bool]:
    """Ray, connected to a cluster, and whether the caller has to shut it down."""
    ray = load_ray()
    if ray.is_initialized():
        return ray, False
    check_address(address)
    options = {} if address else {"include_dashboard": False}
    try:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR", **options)
    except (ConnectionError, ValueError, RuntimeError) as error:
        what = f"reach a Ray cluster at {address!r}" if address else "start Ray here"
        raise ConfigError(f"cannot {what}: {error}") from error
    return ray, True


def check_address(address: str | None) -> None:
    """Raise a ConfigError if nothing listens there; Ray itself would retry for minutes."""
    if address is None or address == "auto":
        return
    host, _, port = address.rpartition(":")
    if not (host and port.isascii() and port.isdecimal() and int(port) < 1 << 16):
        raise ConfigError(f"expected the address of a Ray cluster, HOST:PORT, got {address!r}")
    try:
        socket.create_connection((host, int(port)), timeout=10).close()
    except OSError as error:
        raise ConfigError(f"cannot reach a Ray cluster at {address}: {error}") from error


def check_version(version: str) -> None:
    """Raise a ConfigError if this worker has another version of plyground than the caller."""
    if version != __version__:
        raise ConfigError(
            f"expected plyground {version} on every machine, as on the one that started the run, "
            f"got {__version__} on {platform.node()}"
        )


def node_resources(ray: ModuleType) -> list[dict[str, float]]:
    """The resources of each machine of a cluster: CPU, GPU, memory."""
    return [node["Resources"] for node in ray.nodes() if node["Alive"]]


def capacity(resources: WorkerResources, machines: Sequence[Mapping[str, float]]) -> int:
    """The number of workers that fit.

    >>> capacity(WorkerResources(cpus=2), [{"CPU": 5.0}, {"CPU": 2.0, "GPU": 1.0}])
    3
    """
    return sum(
        min(
            int(machine.get("CPU", 0) // resources.cpus),
            int(machine.get("GPU", 0) // resources.gpus) if resources.gpus else sys.maxsize,
        )
        for machine in machines
    )


def announce(workers: int, resources: WorkerResources, room: int) -> None:
    """Print what is about to be started."""
    print(
        f"ray: {workers} workers of {resources.cpus} CPUs and {resources.gpus} GPUs, "
        f"room for {room} now; waiting for the first",
        file=sys.stderr,
        flush=True,
    )
