"""Workers on a Ray cluster: what tournaments and training have in common on many machines.

A `Crew` is a number of workers of one kind, each a process somewhere on the cluster that is given
orders and answers them. A worker that is lost, alone or with its machine, is replaced where there
is room, now or later; what becomes of its orders is up to who gave them.

Ray itself trusts its nodes: see docs/training.md. It is imported when a cluster is used and not
before, and nowhere else.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from plyground import __version__
from plyground.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Cluster:
    """Where workers are."""

    workers: int = 0
    """How many; 0 takes as many as there is room for."""
    address: str | None = None
    """Of a running Ray cluster; `auto` finds the one this machine is part of, None starts one."""


@dataclass(frozen=True, slots=True)
class Share:
    """What one worker takes of its machine."""

    cpus: int
    gpus: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """What a worker has answered to an order, or that it never will."""

    worker: int
    order: Any
    value: Any = None
    lost: str | None = None
    """Why there is no value."""


class Crew:
    """Workers, by number; a number is used once.

    `kind` is their class, and `arguments` gives what the one with a number is made from. Nothing in
    its `__init__` may fail: that would look like a lost worker. An error in a method that answers
    an order reaches whoever takes in the answer, as it is.
    """

    def __init__(
        self,
        ray: Any,
        size: int,
        share: Share,
        kind: type,
        arguments: Callable[[int], tuple[Any, ...]],
    ) -> None:
        self.ray = ray
        self.size = size
        self.workers: dict[int, Any] = {}
        self.started = 0
        self._kind = ray.remote(
            num_cpus=share.cpus, num_gpus=share.gpus, max_restarts=0, max_task_retries=0
        )(kind)
        self._arguments = arguments
        self._under_way: dict[Any, tuple[int, Any]] = {}
        """Workers' numbers and orders, by what Ray will answer them with."""

    def fill(self) -> list[int]:
        """Start the workers that are missing, where there is room or once there is."""
        new = list(range(self.started, self.started + self.size - len(self.workers)))
        for number in new:
            self.workers[number] = self._kind.remote(*self._arguments(number))
        self.started += len(new)
        return new

    def order(self, worker: int, order: Any, method: str, *arguments: Any) -> None:
        """Have a worker call a method, after all that it was ordered before."""
        answer = getattr(self.workers[worker], method).remote(*arguments)
        self._under_way[answer] = worker, order

    def answers(self, wait_s: float | None) -> list[Answer]:
        """The next answer, if one comes in time; of a lost worker, those to all its orders."""
        if not self._under_way:
            return []
        ready, _ = self.ray.wait(list(self._under_way), num_returns=1, timeout=wait_s)
        if not ready:
            return []
        worker, order = self._under_way[ready[0]]
        try:
            value = self.ray.get(ready[0])
        except self.ray.exceptions.RayTaskError as error:
            raise error.cause from error
        except self.ray.exceptions.RayError as error:
            return self._give_up(worker, _reason(error))
        del self._under_way[ready[0]]
        return [Answer(worker, order, value)]

    def _give_up(self, worker: int, reason: str) -> list[Answer]:
        """Forget a worker that was lost; `fill` will start another."""
        orders = [order for other, order in self._under_way.values() if other == worker]
        self._under_way = {
            answer: given for answer, given in self._under_way.items() if given[0] != worker
        }
        self._kill(self.workers.pop(worker))  # it may be there still, and only out of reach
        print(f"ray: lost worker {worker}, starting another: {reason}", file=sys.stderr, flush=True)
        return [Answer(worker, order, lost=reason) for order in orders]

    def close(self) -> None:
        """End all workers at once."""
        for worker in self.workers.values():
            self._kill(worker)
        self.workers, self._under_way = {}, {}

    def _kill(self, worker: Any) -> None:
        with suppress(self.ray.exceptions.RayError):  # one that is only being started, say
            self.ray.kill(worker)


def _reason(error: Exception) -> str:
    """The line of what Ray has to say that tells most."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[-1] if "creation task" in lines[0] else lines[0]


def load_ray() -> Any:
    """Ray, or one line that says what to install."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # it would report to its makers
    try:
        return import_module("ray")
    except ImportError as error:
        raise ConfigError("--backend ray needs Ray: pip install 'plyground[ray]'") from error


def connect(address: str | None) -> tuple[Any, bool]:
    """Ray, connected to a cluster, and whether that has to be undone."""
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
    """Raise a ConfigError if nobody listens there; Ray itself would try for minutes."""
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
    """Raise a ConfigError, on a worker, if the plyground that orders is another than this one."""
    if version != __version__:
        raise ConfigError(
            f"expected plyground {version} on every machine, as where it was started, "
            f"got {__version__} on {os.uname().nodename}"
        )


def machines_of(ray: Any) -> list[dict[str, float]]:
    """What each machine of a cluster has to share: CPU, GPU, memory."""
    return [node["Resources"] for node in ray.nodes() if node["Alive"]]


def room_for(share: Share, machines: Sequence[Mapping[str, float]]) -> int:
    """How many workers fit.

    >>> room_for(Share(cpus=2), [{"CPU": 5.0}, {"CPU": 2.0, "GPU": 1.0}])
    3
    """
    return sum(
        min(
            int(machine.get("CPU", 0) // share.cpus),
            int(machine.get("GPU", 0) // share.gpus) if share.gpus else sys.maxsize,
        )
        for machine in machines
    )


def announce(workers: int, share: Share, room: int) -> None:
    """Say what is about to be started."""
    print(
        f"ray: {workers} workers of {share.cpus} CPUs and {share.gpus} GPUs, "
        f"room for {room} now; waiting for the first",
        file=sys.stderr,
        flush=True,
    )
