"""Games on many machines, through Ray; `runner.py` does the same on one.

A worker reserves a CPU and plays one game at a time in a process that it watches, so an agent that
hangs or dies loses its game there as it does anywhere. If a worker is lost, alone or with its
machine, neither agent forfeits: another worker plays the game again from the beginning. It counts
once, since only a game that a worker has returned counts.

Tasks and results travel as plain values. Files that agents read, such as networks, have to be on
every machine.
"""

from __future__ import annotations

import os
import platform
import sys
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from plyground import __version__
from plyground.agents import make
from plyground.arena.crosstable import GameKey
from plyground.arena.game import MakeAgent
from plyground.arena.runner import GameProcess
from plyground.arena.task import GameResult, Task
from plyground.cluster import (
    Cluster,
    WorkerPool,
    WorkerResources,
    announce,
    capacity,
    check_address,
    check_version,
    connect,
    load_ray,
    node_resources,
)
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.games.base import AnyGame

RESOURCES = WorkerResources(cpus=1)
"""What a game reserves on its machine, so that games do not slow each other down."""
ATTEMPTS = 5
"""Attempts to play a game whose worker is lost; after that, all workers would be lost with it."""

GamePool: TypeAlias = WorkerPool[Task | None, GameResult | None]
"""Workers that play tasks; the order None asks a worker to begin."""


class GameWorker:
    """Plays games on one machine, as a Ray actor."""

    def __init__(self, version: str, folder: str, make_agent: MakeAgent) -> None:
        self.version = version
        self.folder = folder
        self.make_agent = make_agent
        self.made: set[str] = set()
        self.process: GameProcess | None = None

    def begin(self) -> None:
        """Check that this machine can play."""
        check_version(self.version)
        with suppress(OSError):  # if the folder is shared, agents may name files in it
            os.chdir(self.folder)
        # Child processes import their parent's main program again. Ray's takes a second, and they
        # do not need it.
        vars(sys.modules["__main__"]).pop("__file__", None)

    def play(self, task: Task, game: AnyGame) -> GameResult:
        """Play a game to its end; the game comes along so that this process knows it."""
        for spec in {task.player1, task.player2} - self.made:
            try:
                self.make_agent(spec, game.name)  # a missing file fails here, and loses no game
            except ConfigError as error:
                raise ConfigError(f"{error}, on {platform.node()}") from error
            self.made.add(spec)
        if self.process is None:
            self.process = GameProcess(self.make_agent)
        return self.process.play(task)


class RayBackend:
    """Plays the tasks of a tournament on a cluster: `Tournament(config, store, backend=...)`."""

    def __init__(self, cluster: Cluster, make_agent: MakeAgent = make) -> None:
        load_ray()
        check_address(cluster.address)
        self.cluster = cluster
        self.make_agent = make_agent

    def __call__(self, tasks: Iterable[Task]) -> Generator[GameResult, None, None]:
        """Results in the order games end; closing the iterator ends running games."""
        waiting = iter(tasks)
        if (first := next(waiting, None)) is None:
            return
        ray, is_ours = connect(self.cluster.address)
        try:
            room = capacity(RESOURCES, node_resources(ray))
            workers = self.cluster.workers or max(1, room)
            announce(workers, RESOURCES, room)
            arguments = __version__, str(Path.cwd()), self.make_agent
            pool: GamePool = WorkerPool(ray, workers, RESOURCES, GameWorker, lambda _: arguments)
            try:
                yield from _play(pool, first, waiting)
            finally:
                pool.close()
        finally:
            if is_ours:
                ray.shutdown()


def _play(
    pool: GamePool, first: Task, waiting: Iterator[Task]
) -> Generator[GameResult, None, None]:
    urgent = deque([first])
    """Tasks to be played before those that wait."""
    losses = Counter[GameKey | None]()
    """Workers lost with each game, and with the order to begin."""
    idle: list[int] = []
    playing = 0
    while True:
        for number in pool.fill():
            pool.submit(number, None, "begin")  # a worker without room gets no game either
        while idle and (task := urgent.popleft() if urgent else next(waiting, None)) is not None:
            pool.submit(idle.pop(), task, "play", task, registry.get(task.game))
            playing += 1
        if idle and not playing:
            return
        for answer in pool.answers(None):
            task = answer.order
            playing -= task is not None
            key = None if task is None else task.key
            if answer.lost is None:
                idle.append(answer.worker)
                del losses[key]
                if answer.value is not None:
                    yield answer.value
                continue
            losses[key] += 1
            if losses[key] == ATTEMPTS:
                what = "begin" if task is None else f"play {task.player1} - {task.player2}"
                raise ConfigError(
                    f"cannot {what} on the cluster: {ATTEMPTS} workers were lost with it, "
                    f"the last because {answer.lost}"
                )
            if task is not None:
                urgent.append(task)
