"""Helpers for SQLite files that several processes share."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def retry_while_locked(action: Callable[[], T], timeout_s: float) -> T:
    """Run an action, and retry it while another process has the file locked.

    SQLite waits by itself, but not for everything: if two processes turn on the write-ahead log of
    a new file at the same time, one is told at once that the file is locked.
    """
    deadline = time.monotonic() + timeout_s
    while True:
        try:
            return action()
        except sqlite3.OperationalError as error:
            if error_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
        time.sleep(0.01)


def error_code(error: sqlite3.Error) -> int:
    """SQLite's primary error code; 0 for errors that Python raised itself."""
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF
