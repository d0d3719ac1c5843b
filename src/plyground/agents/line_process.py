"""Another program at the end of a pipe, which may be slow, silent, talkative, mad or dead.

Lines go to it and come from it. Nothing it does makes us wait beyond a deadline or keep more than a
little of what it says: its output is read when somebody wants a line, and its error output along
with it, so that it cannot choke on either. The last words of that become the reason of a loss.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import weakref
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic

from plyground.agents.base import Forfeit

CHUNK = 1 << 16
LONGEST = 1 << 16
"""Bytes of a line; the rest of a longer one is dropped."""
LAST_WORDS = 2000
"""Bytes of error output that are kept."""
QUIT_S = 0.5
"""How long a program may take to leave when it is asked to."""
_RUNNING: weakref.WeakSet[LineProcess] = weakref.WeakSet()


def kill_all() -> None:
    """End every program at once, for a process that leaves without tidying up."""
    for process in list(_RUNNING):
        process.kill()


class LineProcess:
    """A program, and lines to and from it."""

    def __init__(self, command: Sequence[str], folder: Path | None = None) -> None:
        # Ctrl-C is for whoever started us. What is blocked here is blocked there.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._process = subprocess.Popen(
                list(command),
                cwd=folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise Forfeit(f"the program {command[0]!r} does not start: {reason}") from None
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._in, self._out, self._err = (pipe.fileno() for pipe in pipes if pipe is not None)
        os.set_blocking(self._in, False)
        self._unsent = b""
        self._part = b""
        self._is_skipping = False
        self._lines: deque[str] = deque()
        self._last_words = b""
        self._is_err_open = True
        self._end = weakref.finalize(self, _kill, self._process)
        _RUNNING.add(self)

    def send(self, line: str) -> None:
        """Say a line; it goes out as soon as the program reads."""
        self._unsent += line.encode() + b"\n"
        self._write()

    def read(self, deadline: float | None) -> str | None:
        """The next line, or None if none came in time; a Forfeit when the program has ended."""
        while not self._lines:
            left = None if deadline is None else deadline - monotonic()
            if left is not None and left <= 0:
                return None
            self._exchange(left)
        return self._lines.popleft()

    def close(self, farewell: str | None = None) -> None:
        """Ask it to leave, and see to it that it does."""
        if not self._end.alive:
            return
        if farewell is not None and self._process.poll() is None:
            self.send(farewell)
        with suppress(OSError, AttributeError):
            self._process.stdin.close()  # type: ignore[union-attr]
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(QUIT_S)
        self._end()

    def kill(self) -> None:
        """End it, whatever it is doing."""
        self._end()

    def _exchange(self, timeout_s: float | None) -> None:
        """Wait until something can be read or written, and do that."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._out, selectors.EVENT_READ)
            if self._is_err_open:
                selector.register(self._err, selectors.EVENT_READ)
            if self._unsent:
                selector.register(self._in, selectors.EVENT_WRITE)
            ready = [key.fd for key, _ in selector.select(timeout_s)]
        if self._in in ready:
            self._write()
        if self._err in ready:
            words = os.read(self._err, CHUNK)
            self._is_err_open = bool(words)
            self._last_words = (self._last_words + words)[-LAST_WORDS:]
        if self._out in ready:
            chunk = os.read(self._out, CHUNK)
            if not chunk:
                raise Forfeit(self._how_it_ended())
            self._take(chunk)

    def _write(self) -> None:
        with suppress(BlockingIOError):
            try:
                sent = os.write(self._in, self._unsent)
                self._unsent = self._unsent[sent:]
            except BrokenPipeError:  # the end of its output will say more
                self._unsent = b""

    def _take(self, chunk: bytes) -> None:
        *whole, rest = (self._part + chunk).split(b"\n")
        for line in whole:
            if not self._is_skipping:
                self._lines.append(line[:LONGEST].decode("utf-8", errors="replace").strip())
            self._is_skipping = False
        self._part = rest
        if len(rest) > LONGEST:
            self._part, self._is_skipping = b"", True

    def _how_it_ended(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(QUIT_S)
        status = self._process.returncode
        ending = "the program closed its output"
        if status is not None:
            ending = f"the program {ended_how(status)}"
        last = self._last_words.decode("utf-8", errors="replace").strip().splitlines()
        return f"{ending}: {last[-1]}" if last else ending


def ended_how(status: int) -> str:
    """What the status of a process says.

    >>> ended_how(1), ended_how(-9)
    ('ended with status 1', 'was ended by SIGKILL')
    """
    if status >= 0:
        return f"ended with status {status}"
    try:
        return f"was ended by {signal.Signals(-status).name}"
    except ValueError:  # most real-time signals have no name
        return f"was ended by signal {-status}"


def _kill(process: subprocess.Popen[bytes]) -> None:
    # A script that only starts the engine would leave it behind, thinking for ever. It has no group
    # of its own to end: it belongs to that of whoever plays the game, and ends with it.
    helpers = _started_by(process.pid) if process.poll() is None else []
    process.kill()
    for pid in helpers:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        with suppress(OSError):
            if pipe is not None:
                pipe.close()


def _started_by(pid: int) -> list[int]:
    """The processes that one has started, and those have; none where the system does not tell."""
    found: list[int] = []
    for listed in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            for child in map(int, listed.read_text().split()):
                found += [child, *_started_by(child)]
    return found
