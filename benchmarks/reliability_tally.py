"""Trials, failures and processes of the checks in reliability.py."""

from __future__ import annotations

import multiprocessing
import random
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

from plyground.agents.base import Forfeit
from plyground.analysis.cache import CacheEntry
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.serve.move_request import InvalidJsonError

KNOWN = (ConfigError, IllegalMoveError, NotationError, Forfeit, InvalidJsonError)
"""What invalid input may raise."""
PROCESSES = multiprocessing.get_context("forkserver")
"""Processes that start with everything imported, so that a second has many kills."""
PROCESSES.set_forkserver_preload(["__main__", "plyground.train.loop", "plyground.ui.web.server"])
ENTRY = CacheEntry((13, 67), 25.0, 6, 1000, 20.0)
WAIT_S = 60.0
"""Longest wait for a process."""


@dataclass
class Tally:
    """Trials and failures of a check, which runs until its time is over."""

    seconds: float
    folder: Path
    seed: int
    trials: int = 0
    failures: list[str] = field(default_factory=list)
    measured: str = ""
    """Counts and times beside the trials."""

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.end = time.monotonic() + self.seconds

    def rounds(self) -> Iterator[int]:
        """Numbers of trials, at least one, until the time is over."""
        number = 0
        while number == 0 or time.monotonic() < self.end:
            yield number
            number += 1

    def fail(self, what: str) -> None:
        """Count a failure."""
        self.failures.append(what)
        print(f"failed: {what}", file=sys.stderr)

    def attempt(self, what: str, action: Callable[[], object], longest_s: float = 20.0) -> None:
        """Count a trial: the action may raise only what invalid input may, and in time."""
        self.trials += 1
        began = time.monotonic()
        try:
            action()
        except KNOWN:
            pass
        except Exception:  # noqa: BLE001  this is what is counted
            self.fail(f"{what}: {traceback.format_exc(limit=-1).splitlines()[-1]}")
        if (took_s := time.monotonic() - began) > longest_s:
            self.fail(f"{what} took {took_s:.0f} s")


class Victim:
    """A process to be killed. Its target gets a pipe as last argument and sends values by it."""

    def __init__(self, target: Callable[..., object], *arguments: object) -> None:
        self.pipe, sender = PROCESSES.Pipe(duplex=False)
        self.process = PROCESSES.Process(target=target, args=(*arguments, sender))
        self.process.start()
        sender.close()  # so that the pipe ends with the process

    def receive(self) -> object:
        """The next value; None if the process has ended or sends nothing."""
        try:
            return self.pipe.recv() if self.pipe.poll(WAIT_S) else None
        except (EOFError, OSError):
            return None

    def kill(self) -> list[object]:
        """Kill the process; returns what it had sent and was not received yet."""
        self.process.kill()
        self.process.join()
        values = list(iter(self.receive, None))
        self.pipe.close()
        self.process.close()
        return values


def warm_up() -> None:
    """Import everything in the process that the others are forked from."""
    victim = Victim(send_ready)
    victim.receive()
    victim.kill()


def send_ready(pipe: Connection) -> None:
    """Send a value."""
    pipe.send("ready")


def is_running(pid: int) -> bool:
    """Whether a process runs half a second from now."""
    for _ in range(50):
        try:
            status = Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            return False
        if status.rsplit(")", 1)[1].split()[0] == "Z":
            return False
        time.sleep(0.01)
    return True


@dataclass
class MemoryCurve:
    """Resident memory of a process by the number of games or sessions it has had."""

    pid: int | str = "self"
    samples: list[tuple[int, float]] = field(default_factory=list)

    def sample(self, number: int) -> float:
        """Note the memory after this number; returns it in MB."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        used_mb = int(status.split("VmRSS:")[1].split()[0]) / 1024
        self.samples.append((number, used_mb))
        return used_mb

    @property
    def growth(self) -> float:
        """MB per thousand, by least squares over the second half of the samples."""
        later = self.samples[len(self.samples) // 2 :]
        middle = sum(number for number, _ in later) / len(later)
        spread = sum((number - middle) ** 2 for number, _ in later)
        return 1000 * sum((number - middle) * mb for number, mb in later) / max(spread, 1)

    def __str__(self) -> str:
        (first, first_mb), (last, last_mb) = self.samples[0], self.samples[-1]
        return (
            f"{first_mb:.0f} MB after {first:,}, {last_mb:.0f} MB after {last:,}; "
            f"{self.growth:+.1f} MB per 1,000 in the second half"
        )
