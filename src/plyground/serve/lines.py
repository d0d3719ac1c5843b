"""Lines in, lines out: the two ends of a pipe, whatever comes through it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import BinaryIO

LONGEST = 1 << 20
"""Bytes of a line; the moves of the longest game there can be take a third of this."""


class TooLong(str):
    """What is left of a line that was too long to be taken in."""

    __slots__ = ()


def read_lines(pipe: BinaryIO, longest: int = LONGEST) -> Iterator[str]:
    """Every line until the other end closes; bytes that are no text become question marks.

    >>> from io import BytesIO
    >>> [(line, type(line).__name__) for line in read_lines(BytesIO(b"one\\ntwenty\\n2"), 4)]
    [('one', 'str'), ('twen', 'TooLong'), ('2', 'str')]
    """
    while line := pipe.readline(longest + 1):
        text = line[:longest].decode("utf-8", errors="replace").strip()
        if len(line) > longest and not line.endswith(b"\n"):
            while (rest := pipe.readline(longest)) and not rest.endswith(b"\n"):
                pass
            yield TooLong(text)
        else:
            yield text


class LineWriter:
    """Writes whole lines, from any thread, each of them at once."""

    def __init__(self, pipe: BinaryIO) -> None:
        self._pipe = pipe
        self._lock = threading.Lock()
        self.is_closed = False
        """Whether nobody reads any more."""

    def __call__(self, *lines: str) -> None:
        """Send lines, together."""
        text = "".join(f"{line}\n" for line in lines)
        with self._lock:
            try:
                self._pipe.write(text.encode("utf-8", errors="replace"))
                self._pipe.flush()
            except (OSError, ValueError):  # whoever read it has gone
                self.is_closed = True
