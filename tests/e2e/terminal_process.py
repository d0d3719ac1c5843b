"""A command on a pseudo-terminal, as a person would use it."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import Protocol

COMMAND = str(Path(sys.executable).parent / "plyground")
TIMEOUT_S = 60


class TerminalProcess:
    """`expect` waits for output, `send` types a line."""

    def __init__(self, folder: Path, *arguments: str, columns: int = 80, rows: int = 24) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        environment = {
            name: value
            for name, value in os.environ.items()
            if name not in ("NO_COLOR", "COLUMNS", "LINES")
        }
        environment |= {
            "XDG_DATA_HOME": str(folder),
            "TERM": "xterm-256color",
            "PYTHONIOENCODING": "utf-8",
        }
        self.process = subprocess.Popen(
            [COMMAND, *arguments], stdin=slave, stdout=slave, stderr=slave, env=environment
        )
        os.close(slave)
        self.seen = ""

    def expect(self, text: str) -> str:
        """All output up to and including the text."""
        deadline = time.monotonic() + TIMEOUT_S
        while text not in self.seen:
            assert self.read(deadline - time.monotonic()), f"no {text!r} in {self.seen!r}"
        before, self.seen = self.seen.split(text, 1)
        return before + text

    def read(self, seconds: float) -> bool:
        """Read some more output; False after the timeout or at the end of the output."""
        if not select.select([self.master], [], [], max(0, seconds))[0]:
            return False
        try:
            piece = os.read(self.master, 65536).decode(errors="replace")
        except OSError:  # Linux reports a closed terminal like this
            return False
        self.seen += piece.replace("\r\n", "\n")
        return piece != ""

    def send(self, line: str) -> None:
        """Type a line."""
        os.write(self.master, f"{line}\n".encode())

    def type(self, text: str) -> None:
        """Type without Enter."""
        os.write(self.master, text.encode())

    def interrupt(self, until: str) -> str:
        """Press Ctrl-C, again if need be: Python misses one between its prompt and its read."""
        time.sleep(0.3)
        for _ in range(6):
            self.process.send_signal(signal.SIGINT)
            deadline = time.monotonic() + 5
            while until not in self.seen and self.read(deadline - time.monotonic()):
                pass
            if until in self.seen:
                break
        return self.expect(until)

    @staticmethod
    def without_colours(text: str) -> str:
        """Text without the sequences that colour or clear."""
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)

    def end(self) -> tuple[int, str]:
        """The exit status and the rest of the output."""
        while self.read(TIMEOUT_S):
            pass
        return self.process.wait(timeout=TIMEOUT_S), self.seen

    def close(self) -> None:
        """Kill the command."""
        self.process.kill()
        self.process.wait()
        os.close(self.master)


class StartTerminal(Protocol):
    """The fixture `terminal`."""

    def __call__(self, *options: str, columns: int = 80, rows: int = 24) -> TerminalProcess: ...
