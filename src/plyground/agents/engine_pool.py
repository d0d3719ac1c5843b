"""External programs that stay between games, for a process that plays many games in turn."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from plyground.agents.engine_option import DeclaredOption
from plyground.agents.engine_process import EngineProcess

MOST_IDLE = 2
"""Programs that wait for the next game: those of the last one."""


@dataclass(frozen=True, slots=True)
class RunningProgram:
    """A program that has started, and what it said about itself."""

    process: EngineProcess
    title: str
    """The name from its `id name` line; empty if it sent none."""
    declared: Mapping[str, DeclaredOption]
    """The options that it declared, by name in lower case."""


class ProgramPool:
    """Idle programs by what they were started with; the oldest are ended first."""

    def __init__(self) -> None:
        self._idle: OrderedDict[str, list[RunningProgram]] = OrderedDict()

    def put(self, key: str, program: RunningProgram, quit_command: str | None) -> None:
        """Keep a program for the next game."""
        self._idle.setdefault(key, []).append(program)
        self._idle.move_to_end(key)
        while sum(map(len, self._idle.values())) > MOST_IDLE:
            oldest, programs = next(iter(self._idle.items()))
            programs.pop(0).process.close(quit_command)
            if not programs:
                del self._idle[oldest]

    def take(self, key: str) -> RunningProgram | None:
        """An idle program that was started with the same settings."""
        programs = self._idle.get(key)
        if not programs:
            return None
        program = programs.pop()
        if not programs:
            del self._idle[key]
        return program

    def close(self) -> None:
        """End all programs."""
        for programs in self._idle.values():
            for program in programs:
                program.process.kill()
        self._idle.clear()


_pools: list[ProgramPool] = []


@contextmanager
def kept_programs() -> Iterator[None]:
    """Keep programs between the games of this process until the end of the block."""
    pool = ProgramPool()
    _pools.append(pool)
    try:
        yield
    finally:
        _pools.remove(pool)
        pool.close()


def current_pool() -> ProgramPool | None:
    """The pool of this process, inside `kept_programs`."""
    return _pools[-1] if _pools else None
