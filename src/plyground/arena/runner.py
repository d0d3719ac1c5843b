"""Games in parallel, in worker processes that may hang or die.

A worker process plays one game after the other and reports every move. The parent knows which
player each worker waits for, and until when. If the process ends or the deadline passes, that
player forfeits the game and a new process replaces the old one; other games are not affected.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from time import monotonic
from typing import NoReturn

from plyground.agents import Agent, make
from plyground.agents.base import Forfeit, ForfeitKind
from plyground.agents.engine_guard import become_subreaper, descendants, kill_tree
from plyground.agents.engine_pool import kept_programs
from plyground.agents.engine_process import describe_exit
from plyground.arena.game import (
    Deadline,
    GameMessage,
    MakeAgent,
    PlayerTotals,
    forfeited_game,
    play_task,
)
from plyground.arena.live_board import GamesInFlight
from plyground.arena.task import GameResult, Task
from plyground.games import registry
from plyground.play import MoveRecord
from plyground.play.worker import is_any_search_running
from plyground.search.limits import LONGEST_WAIT_S

_SPAWN = multiprocessing.get_context("spawn")  # forking is unsafe with threads, such as onnx's
_START_S = 120.0
"""Time limit for a new process to import what it needs, on a busy machine."""
_ATTEMPTS = 5
"""Attempts to start a game whose process ends before the game begins."""
_LAST_WORDS_S = 0.5
"""Seconds to wait for the last words of a program that forfeits by silence."""


def run_tasks(
    tasks: Iterable[Task],
    workers: int = 1,
    make_agent: MakeAgent = make,
    on_move: Callable[[GamesInFlight], object] = lambda games: None,  # noqa: ARG005
) -> Generator[GameResult, None, None]:
    """Play games in parallel, one per worker; results come in the order the games end.

    A task is taken from the iterable only when a worker is free. Without workers the games are
    played in this process, one by one, with no protection against agents that hang. Closing the
    iterator ends running games at once. `on_move` receives the games in flight from time to time.
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
            wait([worker.connection for worker in busy], _until(soonest))
            for worker in busy:
                if (result := worker.poll()) is not None:
                    yield result
            on_move((worker.task, worker.moves) for worker in busy if worker.task is not None)
    finally:
        for worker in pool:
            worker.kill()


def _until(deadline: float) -> float:
    """Seconds to wait for a message at once, until a time at most."""
    return min(max(0.0, deadline - monotonic()), LONGEST_WAIT_S)


class GameProcess:
    """A worker process and the game it is playing."""

    def __init__(self, make_agent: MakeAgent) -> None:
        self.make_agent = make_agent
        self.task: Task | None = None
        self.deadline = 0.0
        self._start()

    def _start(self) -> None:
        self.connection, theirs = _SPAWN.Pipe()
        self._questions, answers = _SPAWN.Pipe()
        arguments = theirs, answers, self.make_agent
        self.process = _SPAWN.Process(target=_serve, args=arguments, daemon=True)
        # Ctrl-C is for the parent, which then ends its workers. They inherit the signals that are
        # blocked here; starting the tracker, which comes with the first one, would unblock them.
        if sys.platform != "win32":
            resource_tracker.ensure_running()
        with _blocked_interrupts():
            self.process.start()
        for end in (theirs, answers):
            end.close()  # so that the end of the process ends the connection

    def begin(self, task: Task, attempt: int = 1) -> None:
        """Send it a game to play."""
        if not self.process.is_alive():
            self.connection.close()
            self._questions.close()
            self._start()
        self.task, self._attempt = task, attempt
        self._awaited: Deadline | None = None
        self.moves: list[MoveRecord] = []
        self._totals = PlayerTotals()
        self.deadline = monotonic() + _START_S
        with suppress(OSError):  # if the process has just died, `poll` notices
            # The game travels with its task, so that one registered in this process is known there.
            self.connection.send((registry.get(task.game), task))

    def play(self, task: Task) -> GameResult:
        """Play a game to its end."""
        self.begin(task)
        while True:
            wait([self.connection], _until(self.deadline))
            if (result := self.poll()) is not None:
                return result

    def poll(self) -> GameResult | None:
        """Read its messages; returns the game's result if it is over, one way or another."""
        assert self.task is not None
        try:
            while self.connection.poll():
                message = self.connection.recv()
                if isinstance(message, GameResult):
                    self.task = None
                    return message
                self._handle(message)
        except (EOFError, OSError):
            self.process.join(1)
            self.kill()  # if it has only closed the connection
            return self._forfeit(f"the process {describe_exit(self.process.exitcode or 0)}")
        if monotonic() < self.deadline:
            return None
        words = self._last_words()
        self.kill()
        return self._forfeit(None, words)

    def _handle(self, message: GameMessage) -> None:
        if isinstance(message, Deadline):
            self._awaited = message
            self.deadline = monotonic() + message.within_s
        else:
            self.moves.append(message.move)
            self._totals.add(message)

    def _last_words(self) -> str:
        """The last line of the program of the player it waits for, if the process answers."""
        if self._awaited is None:
            return ""
        try:
            self._questions.send(self._awaited.player)
            return str(self._questions.recv()) if self._questions.poll(_LAST_WORDS_S) else ""
        except (EOFError, OSError):  # the process has just ended
            return ""

    def _forfeit(self, crash: str | None, last_words: str = "") -> GameResult | None:
        """Forfeit the game for the player it waits for; restart it if it waits for neither.

        `crash` is how the process ended; None if the deadline has passed.
        """
        task, awaited = self.task, self._awaited
        assert task is not None
        if awaited is None:
            if self._attempt == _ATTEMPTS:
                reason = crash or f"not ready after {_START_S:g} s"
                raise RuntimeError(f"a worker process of the arena did not start: {reason}")
            self.begin(task, self._attempt + 1)
            return None
        self.task = None
        failure = Forfeit(awaited.reason, awaited.kind)
        if crash is not None:
            is_starting = awaited.kind is ForfeitKind.NO_START
            failure = Forfeit(crash, awaited.kind if is_starting else ForfeitKind.CRASH)
        return forfeited_game(task, self.moves, self._totals, awaited.player, failure, last_words)

    def kill(self) -> None:
        """End it at once, with the programs it has started; `begin` would start another."""
        if self.process.pid is not None and self.process.exitcode is None:
            kill_tree(self.process.pid)
        self.process.join()


@contextmanager
def _blocked_interrupts() -> Iterator[None]:
    """Block Ctrl-C for the processes started within, on systems with signal masks."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(connection: Connection, questions: Connection, make_agent: MakeAgent) -> None:
    """Play the games that the parent sends, until it closes the connection."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        os.setpgrp()  # Ctrl-C reaches neither this process nor the programs that agents start
    become_subreaper()  # those programs end with this process
    threading.Thread(target=_end_with_parent, daemon=True).start()
    agents: dict[int, Agent] = {}
    threading.Thread(target=_tell_last_words, args=(questions, agents), daemon=True).start()

    def notify(message: GameMessage) -> None:
        try:
            connection.send(message)
        except OSError:  # the parent is gone
            _end_process()

    with suppress(EOFError, OSError), kept_programs():
        while True:
            _, task = connection.recv()  # the game is registered while it is unpickled
            connection.send(play_task(task, make_agent, notify, agents))
            if is_any_search_running():  # and may never stop: the next game gets a new process
                _end_process()


def _tell_last_words(questions: Connection, agents: Mapping[int, Agent]) -> None:
    """Answer the parent's questions for the last words of a player's program."""
    with suppress(EOFError, OSError):  # the parent is gone
        while True:
            agent = agents.get(questions.recv())
            questions.send("" if agent is None else agent.last_words())


def _end_process() -> NoReturn:
    """End this process at once, with the programs that agents have started."""
    for pid in descendants(os.getpid()):
        with suppress(OSError):
            os.kill(pid, signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
    os._exit(0)


def _end_with_parent() -> None:
    """End this process with its parent, even during a long search."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        _end_process()
