"""Lines of text over a pair of pipes."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import BinaryIO

LONGEST = 1 << 20
"""Bytes of a line; the moves of the longest possible game take a third of this."""


class OverlongLine(str):
    """The beginning of a line that was too long to read whole."""

    __slots__ = ()


def read_lines(pipe: BinaryIO, longest: int = LONGEST) -> Iterator[str]:
    """The lines until the other end closes; bytes that are not UTF-8 become replacement characters.

    >>> from io import BytesIO
    >>> [(line, type(line).__name__) for line in read_lines(BytesIO(b"one\\ntwenty\\n2"), 4)]
    [('one', 'str'), ('twen', 'OverlongLine'), ('2', 'str')]
    """
    while line := pipe.readline(longest + 1):
        text = line[:longest].decode("utf-8", errors="replace").strip()
        if len(line) > longest and not line.endswith(b"\n"):
            while (rest := pipe.readline(longest)) and not rest.endswith(b"\n"):
                pass
            yield OverlongLine(text)
        else:
            yield text


class LineWriter:
    """Writes whole lines from any thread, without mixing and without delay."""

    def __init__(self, pipe: BinaryIO) -> None:
        self._pipe = pipe
        self._lock = threading.Lock()
        self.is_closed = False
        """Whether the other end has closed the pipe."""

    def __call__(self, *lines: str) -> None:
        """Send lines together."""
        text = "".join(f"{line}\n" for line in lines)
        with self._lock:
            try:
                self._pipe.write(text.encode("utf-8", errors="replace"))
                self._pipe.flush()
            except (OSError, ValueError):  # the reader has closed it
                self.is_closed = True
