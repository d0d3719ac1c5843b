"""What every SQLite file that processes share needs."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def patiently(action: Callable[[], T], patience_s: float) -> T:
    """Do something that another process may be in the way of, again until it is not.

    SQLite waits by itself, but not for everything: of two that turn on the write-ahead log of a new
    file at the same time, one is told at once that the file is locked.
    """
    deadline = time.monotonic() + patience_s
    while True:
        try:
            return action()
        except sqlite3.OperationalError as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # without what extended codes add
            if code != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
        time.sleep(0.01)
