"""The process of another program that plays, with line-based pipes to and from it.

The program may be slow, silent, verbose or dead. No call waits beyond its deadline, and what is
kept of the output is bounded: stdout is read only when a line is wanted, and stderr along with it,
so that the program never blocks on a full pipe. The end of stderr becomes the reason of a forfeit.
"""

from __future__ import annotations

import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TypeAlias

from plyground.agents.base import Forfeit, ForfeitKind
from plyground.hints import reason_of
from plyground.search.limits import LONGEST_WAIT_S

CHUNK_BYTES = 1 << 16
MAX_LINE_BYTES = 1 << 16
"""The rest of a longer line is dropped."""
STDERR_TAIL_BYTES = 2000
GUARD = Path(__file__).with_name("engine_guard.py")
"""The program that ends what a program has started, even if this process is killed."""
KILL_S = 10.0
"""Seconds until the guard itself is killed, which should not happen."""
QUIT_S = 0.5
"""Seconds to exit after the quit command before the process is killed."""
OnLine: TypeAlias = Callable[[str, str], object]
_RUNNING: weakref.WeakSet[EngineProcess] = weakref.WeakSet()


def kill_all() -> None:
    """Kill every running program, for a process that exits without cleanup."""
    for process in list(_RUNNING):
        process.kill()


class EngineProcess:
    """A running program that reads and writes lines."""

    def __init__(self, command: Sequence[str], folder: Path | None = None) -> None:
        self._process, guard = _start(command, folder)
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._in, self._out, self._err = (pipe.fileno() for pipe in pipes if pipe is not None)
        os.set_blocking(self._in, False)
        self._write_lock = threading.Lock()
        self._unsent = b""
        self._partial_line = b""
        self._is_dropping = False  # the rest of a line that was too long
        self._lines: deque[str] = deque()
        self._last_line = ""
        self._stderr_tail = self._partial_error = b""
        self._is_err_open = True
        self.on_line: OnLine | None = None
        """Called with the direction and the text of each line, for a log."""
        self._finalizer = weakref.finalize(self, _kill, self._process, guard)
        _RUNNING.add(self)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def send(self, line: str) -> None:
        """Send a line; it goes out as soon as the program reads."""
        if self.on_line is not None:
            self.on_line(">", line)
        with self._write_lock:
            self._unsent += line.encode() + b"\n"
            self._write()

    def read(self, deadline: float | None) -> str | None:
        """The next line, or None at the deadline; a Forfeit once the program has exited."""
        while not self._lines:
            left = None if deadline is None else deadline - monotonic()
            if left is not None and left <= 0:
                return None
            self._exchange(left)
        return self._lines.popleft()

    def last_words(self) -> str:
        """The last line on stderr, or else the last one on stdout."""
        errors = self._stderr_tail.decode("utf-8", errors="replace").strip().splitlines()
        return errors[-1] if errors else self._last_line

    def close_input(self) -> None:
        """Close the program's standard input."""
        if self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()

    def close(self, quit_command: str | None = None) -> None:
        """Ask the program to exit, and kill it if it does not."""
        if not self._finalizer.alive:
            return
        if quit_command is not None and self._process.poll() is None:
            self.send(quit_command)
        self.close_input()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(QUIT_S)
        self._finalizer()

    def kill(self) -> None:
        """Kill the program at once."""
        self._finalizer()

    def _exchange(self, timeout_s: float | None) -> None:
        """Wait until a pipe is readable or writable, then read or write it."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._out, selectors.EVENT_READ)
            if self._is_err_open:
                selector.register(self._err, selectors.EVENT_READ)
            if self._unsent:
                selector.register(self._in, selectors.EVENT_WRITE)
            if timeout_s is not None:
                timeout_s = min(timeout_s, LONGEST_WAIT_S)
            ready = [key.fd for key, _ in selector.select(timeout_s)]
        if self._in in ready:
            with self._write_lock:
                self._write()
        if self._err in ready:
            chunk = os.read(self._err, CHUNK_BYTES)
            self._is_err_open = bool(chunk)
            self._note_errors(chunk)
            self._stderr_tail = (self._stderr_tail + chunk)[-STDERR_TAIL_BYTES:]
        if self._out in ready:
            chunk = os.read(self._out, CHUNK_BYTES)
            if not chunk:
                raise Forfeit(self._exit_reason())
            self._split_lines(chunk)

    def _write(self) -> None:
        if self._process.stdin is None or self._process.stdin.closed:
            self._unsent = b""
            return
        with suppress(BlockingIOError):
            try:
                sent = os.write(self._in, self._unsent)
                self._unsent = self._unsent[sent:]
            except BrokenPipeError:  # the next read raises a Forfeit with the reason
                self._unsent = b""

    def _split_lines(self, chunk: bytes) -> None:
        *lines, rest = (self._partial_line + chunk).split(b"\n")
        for line in lines:
            if not self._is_dropping:
                text = line[:MAX_LINE_BYTES].decode("utf-8", errors="replace")
                self._lines.append(text.strip())
                self._last_line = self._lines[-1] or self._last_line
                if self.on_line is not None:
                    self.on_line("<", self._lines[-1])
            self._is_dropping = False
        self._partial_line = rest
        if len(rest) > MAX_LINE_BYTES:
            self._partial_line, self._is_dropping = b"", True

    def _note_errors(self, chunk: bytes) -> None:
        """Pass whole lines of standard error on, and the rest of it at its end."""
        if self.on_line is None:
            return
        text = self._partial_error + chunk
        at = len(text) if not chunk or len(text) > MAX_LINE_BYTES else text.rfind(b"\n") + 1
        self._partial_error = text[at:]
        for line in text[:at].decode("utf-8", errors="replace").splitlines():
            self.on_line("!", line)

    def _exit_reason(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(QUIT_S)
        status = self._process.returncode
        reason = "the program closed its output"
        if status is not None:
            reason = f"the program {describe_exit(status)}"
        errors = self._stderr_tail.decode("utf-8", errors="replace").strip().splitlines()
        return f"{reason}: {errors[-1]}" if errors else reason


def describe_exit(status: int) -> str:
    """The exit status of a process in words.

    >>> describe_exit(1), describe_exit(-9)
    ('ended with status 1', 'was ended by SIGKILL')
    """
    if status >= 0:
        return f"ended with status {status}"
    try:
        return f"was ended by {signal.Signals(-status).name}"
    except ValueError:  # most real-time signals have no name
        return f"was ended by signal {-status}"


def _start(
    command: Sequence[str], folder: Path | None
) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """Start a program under its guard; returns the guard, and the socket that keeps it running."""
    if sys.platform == "win32":
        raise _not_started(command, "other programs can play on Linux and macOS only")
    ours, theirs = socket.socketpair()
    with theirs:
        try:
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(GUARD), str(theirs.fileno()), *command],
                cwd=folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C must reach this process alone
            )
        except (OSError, ValueError) as error:
            ours.close()
            raise _not_started(command, reason_of(error)) from None
    with ours.makefile("rb") as answers:
        reason = answers.readline().decode(errors="replace")
    if reason != "\n":
        _kill(process, ours)
        raise _not_started(command, reason.strip() or "its guard ended")
    return process, ours


def _not_started(command: Sequence[str], reason: str) -> Forfeit:
    reason = f"the program {command[0]!r} does not start: {reason}"
    return Forfeit(reason, ForfeitKind.NO_START)


def _kill(process: subprocess.Popen[bytes], guard: socket.socket) -> None:
    """Kill a program with everything that it has started."""
    guard.close()
    try:
        process.wait(KILL_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        with suppress(OSError):
            if pipe is not None:
                pipe.close()
