"""The client's end of an engine's pipe, for tests."""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
from types import TracebackType

PATIENCE_S = 60.0
"""Seconds to wait for a line; only a failing test waits that long."""


class EnginePipe:
    """Runs `plyground engine` in a process of its own."""

    def __init__(self, *options: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "plyground", "engine", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.decode().rstrip("\n"))
        self._lines.put(None)

    def send(self, *lines: str | bytes) -> None:
        assert self.process.stdin is not None
        for line in lines:
            self.process.stdin.write((line if isinstance(line, bytes) else line.encode()) + b"\n")
        self.process.stdin.flush()

    def line(self, patience_s: float = PATIENCE_S) -> str | None:
        return self._lines.get(timeout=patience_s)

    def until(self, start: str) -> list[str]:
        """The lines up to the first with this start."""
        lines: list[str] = []
        while not lines or not lines[-1].startswith(start):
            line = self.line()
            assert line is not None, f"the engine ended before {start!r}: {lines}"
            lines.append(line)
        return lines

    def ask(self, line: str, start: str) -> list[str]:
        self.send(line)
        return self.until(start)

    def answers(self, *lines: str | bytes) -> list[str]:
        """All answers to lines that start no search."""
        self.send(*lines, "isready")
        return self.until("readyok")[:-1]

    def __enter__(self) -> EnginePipe:
        return self

    def __exit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()
