"""Games at the same time, each in a process of its own that may hang or die.

A worker plays one game after the other and tells of every move. The parent knows at any time whom
a worker is waiting for, and for how long: when the process ends or the time is over, that player
has lost the game, a new process takes the place of the old one, and nobody else notices.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from time import monotonic

from plyground.agents import make
from plyground.agents.line_process import ended_how
from plyground.arena.game import Asked, Event, Make, Played, Spent, lost_record, play_task
from plyground.arena.live_board import InFlight
from plyground.arena.task import Finished, Task
from plyground.play import Move
from plyground.play.worker import anybody_thinks

_SPAWN = multiprocessing.get_context("spawn")  # forking goes badly with threads, such as onnx's
_START_S = 120.0
"""How long a new process may take to load what it needs, on a busy machine."""
_ATTEMPTS = 5
"""How often a game is begun whose process ends before it has."""


def run_tasks(
    tasks: Iterable[Task],
    workers: int = 1,
    make_agent: Make = make,
    on_move: Callable[[InFlight], object] = lambda games: None,  # noqa: ARG005
) -> Generator[Finished, None, None]:
    """Play games, so many at a time; they come back in the order they end.

    Tasks are taken when there is somebody to play them, so the iterable may end early. With no
    workers the games are played here, one by one, and nothing guards against agents that hang.
    Closing the iterator ends the games in flight at once. `on_move` hears of them now and then.
    """
    waiting = iter(tasks)
    if workers == 0:
        yield from (play_task(task, make_agent) for task in waiting)
        return
    pool: list[GameProcess] = []
    try:
        while True:
            for worker in pool:
                if worker.task is None and (task := next(waiting, None)) is not None:
                    worker.begin(task)
            while len(pool) < workers and (task := next(waiting, None)) is not None:
                pool.append(GameProcess(make_agent))
                pool[-1].begin(task)
            busy = [worker for worker in pool if worker.task is not None]
            if not busy:
                return
            soonest = min(worker.deadline for worker in busy)
            wait([worker.connection for worker in busy], max(0.0, soonest - monotonic()))
            for worker in busy:
                if (finished := worker.look()) is not None:
                    yield finished
            on_move((worker.task, worker.moves) for worker in busy if worker.task is not None)
    finally:
        for worker in pool:
            worker.kill()


class GameProcess:
    """A process, and the game it is playing."""

    def __init__(self, make_agent: Make) -> None:
        self.make_agent = make_agent
        self.task: Task | None = None
        self.deadline = 0.0
        self._start()

    def _start(self) -> None:
        self.connection, theirs = _SPAWN.Pipe()
        self.process = _SPAWN.Process(target=_serve, args=(theirs, self.make_agent), daemon=True)
        # Ctrl-C is for the parent, which then ends its workers. They inherit what is blocked here;
        # starting the tracker, which comes with the first one, would unblock it.
        resource_tracker.ensure_running()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self.process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()  # so that the end of the process ends the connection

    def begin(self, task: Task, attempt: int = 1) -> None:
        """Hand it a game."""
        if not self.process.is_alive():
            self.connection.close()
            self._start()
        self.task, self._attempt = task, attempt
        self._asked: Asked | None = None
        self.moves: list[Move] = []
        self._spent = Spent()
        self.deadline = monotonic() + _START_S
        with suppress(OSError):  # if it has died this moment, `look` will see
            self.connection.send(task)

    def play(self, task: Task) -> Finished:
        """Play a game through."""
        self.begin(task)
        while True:
            wait([self.connection], max(0.0, self.deadline - monotonic()))
            if (finished := self.look()) is not None:
                return finished

    def look(self) -> Finished | None:
        """Hear what it has to say; the game if that is over, one way or another."""
        assert self.task is not None
        try:
            while self.connection.poll():
                message = self.connection.recv()
                if isinstance(message, Finished):
                    self.task = None
                    return message
                self._hear(message)
        except (EOFError, OSError):
            self.process.join(1)
            self.kill()  # if it has only closed the connection
            return self._lost(f"crash: the process {ended_how(self.process.exitcode or 0)}")
        if monotonic() < self.deadline:
            return None
        self.kill()
        return self._lost("silence" if self._asked is None else self._asked.too_late)

    def _hear(self, message: Asked | Played) -> None:
        if isinstance(message, Asked):
            self._asked = message
            self.deadline = monotonic() + message.within_s
        else:
            self.moves.append(message.move)
            self._spent.add(message)

    def _lost(self, reason: str) -> Finished | None:
        """The game as lost by whoever it was waiting for; begun again where that was nobody."""
        task, asked = self.task, self._asked
        assert task is not None
        if asked is None:
            if self._attempt == _ATTEMPTS:
                raise RuntimeError(f"a process that was to play a game did not start: {reason}")
            self.begin(task, self._attempt + 1)
            return None
        self.task = None
        record = lost_record(task, self.moves, asked.player, reason)
        return self._spent.finished(task, record)

    def kill(self) -> None:
        """End it at once, with the programs it has started; `begin` would start another."""
        if self.process.pid is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.join()


def _serve(connection: Connection, make_agent: Make) -> None:
    """What a worker does: play what it is handed, until there is nobody to hand it anything."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.setpgrp()  # a group for it and the programs that it starts, which end together
    threading.Thread(target=_end_with_parent, daemon=True).start()

    def tell(event: Event) -> None:
        try:
            connection.send(event)
        except OSError:  # nobody is there to hear it
            os.killpg(0, signal.SIGKILL)

    try:
        while True:
            connection.send(play_task(connection.recv(), make_agent, tell))
            if anybody_thinks():  # and may never stop; a new process has the next game for itself
                os._exit(0)
    except (EOFError, OSError):
        return


def _end_with_parent() -> None:
    """Do not outlive a parent that was killed, not even in the middle of a long thought."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.killpg(0, signal.SIGKILL)
