"""Games on many machines, through Ray; the same as `runner.py` has on one.

A worker takes a CPU of a machine and plays one game at a time, in a process that it watches: an
agent that hangs or dies loses that game there, as it does anywhere. A game whose worker is lost,
alone or with its machine, was nobody's fault. It is played again by another worker, from the
beginning, and counts once: only what a worker has answered was ever played.

Tasks and finished games travel as plain values. Files that agents read, such as networks, have to
be on every machine.
"""

from __future__ import annotations

import os
import sys
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from plyground import __version__
from plyground.agents import make
from plyground.arena.game import Make
from plyground.arena.runner import GameProcess
from plyground.arena.task import Finished, Task
from plyground.cluster import (
    Cluster,
    Crew,
    Share,
    announce,
    check_address,
    check_version,
    connect,
    load_ray,
    machines_of,
    room_for,
)
from plyground.errors import ConfigError

SHARE = Share(cpus=1)
"""What a game takes of its machine, so that two agents at a time are never in each other's way."""
ATTEMPTS = 5
"""How often a game is begun whose worker is lost: something may be wrong with all of them."""


class Worker:
    """Plays on one machine; Ray makes an actor of it."""

    def __init__(self, version: str, folder: str, make_agent: Make) -> None:
        self.version = version
        self.folder = folder
        self.make_agent = make_agent
        self.made: set[str] = set()
        self.process: GameProcess | None = None

    def begin(self) -> None:
        """Say that it is there, and fit to play."""
        check_version(self.version)
        with suppress(OSError):  # where that folder is shared, agents may name files in it
            os.chdir(self.folder)
        # Processes load again what is their parent's main program; Ray's takes a second, and they
        # have no use for it.
        vars(sys.modules["__main__"]).pop("__file__", None)

    def play(self, task: Task) -> Finished:
        """Play a game through."""
        for spec in {task.player1, task.player2} - self.made:
            try:
                self.make_agent(spec, task.game)  # what is missing here shows, and loses no game
            except ConfigError as error:
                raise ConfigError(f"{error}, on {os.uname().nodename}") from error
            self.made.add(spec)
        if self.process is None:
            self.process = GameProcess(self.make_agent)
        return self.process.play(task)


class RayBackend:
    """Plays the tasks of a tournament on a cluster: `Tournament(config, store, backend=...)`."""

    def __init__(self, cluster: Cluster, make_agent: Make = make) -> None:
        load_ray()
        check_address(cluster.address)
        self.cluster = cluster
        self.make_agent = make_agent

    def __call__(self, tasks: Iterable[Task]) -> Generator[Finished, None, None]:
        """Games in the order they end; closing the iterator ends those in flight."""
        waiting = iter(tasks)
        if (first := next(waiting, None)) is None:
            return
        ray, is_ours = connect(self.cluster.address)
        try:
            room = room_for(SHARE, machines_of(ray))
            workers = self.cluster.workers or max(1, room)
            announce(workers, SHARE, room)
            arguments = __version__, str(Path.cwd()), self.make_agent
            crew = Crew(ray, workers, SHARE, Worker, lambda _: arguments)
            try:
                yield from _play(crew, first, waiting)
            finally:
                crew.close()
        finally:
            if is_ours:
                ray.shutdown()


def _play(crew: Crew, first: Task, waiting: Iterator[Task]) -> Generator[Finished, None, None]:
    again = deque([first])
    """Games to be played before those that wait."""
    lost = Counter[tuple[str, str, str, int] | None]()
    """How often a game, or a beginning, was lost with its worker."""
    idle: list[int] = []
    playing = 0
    while True:
        for number in crew.fill():
            crew.order(number, None, "begin")  # one for whom there is no room gets no game either
        while idle and (task := again.popleft() if again else next(waiting, None)) is not None:
            crew.order(idle.pop(), task, "play", task)
            playing += 1
        if idle and not playing:
            return
        for answer in crew.answers(None):
            task = answer.order
            playing -= task is not None
            key = None if task is None else task.key
            if answer.lost is None:
                idle.append(answer.worker)
                del lost[key]
                if task is not None:
                    yield answer.value
                continue
            lost[key] += 1
            if lost[key] == ATTEMPTS:
                what = "begin" if task is None else f"play {task.player1} - {task.player2}"
                raise ConfigError(
                    f"cannot {what} on the cluster: {ATTEMPTS} workers were lost with it, "
                    f"the last one since {answer.lost}"
                )
            if task is not None:
                again.append(task)
