"""Helpers for SQLite files that several processes share, and that anyone may have written.

A file is data, not a program: `harden` turns off what a schema could run, `check_tables` refuses
views and triggers, which could run for ever, and readers check the type of every value.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

LONGEST_VALUE = 1 << 24
"""Bytes of a text or blob that is read."""
READ_ERRORS = (sqlite3.Error, UnicodeError, OverflowError, MemoryError)
"""What Python raises for a damaged file; its messages may quote bytes that are not UTF-8."""


def harden(database: sqlite3.Connection) -> None:
    """Prepare a connection for a file that may be damaged or hostile."""
    database.text_factory = lambda text: text.decode(errors="replace")
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
    database.execute("PRAGMA trusted_schema = OFF")
    database.execute("PRAGMA cell_size_check = ON")


def check_tables(database: sqlite3.Connection, tables: Mapping[str, str]) -> None:
    """Raise a DatabaseError unless the file has these tables with these columns (and maybe others).

    The columns of a table are separated by commas.
    """
    found = database.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
    if any(
        kind not in ("table", "index") or str(sql).upper().startswith("CREATE VIRTUAL")
        for kind, _, sql in found
    ):
        raise sqlite3.DatabaseError("the file has views, triggers or virtual tables")
    names = {name for kind, name, _ in found if kind == "table"}
    for table, columns in tables.items():
        if table not in names:
            raise sqlite3.DatabaseError(f"the table {table!r} is missing")
        rows = database.execute("SELECT name, hidden FROM pragma_table_xinfo(?)", [table])
        plain = {name for name, hidden in rows if hidden == 0}  # not computed by the file
        for column in columns.split(", "):
            if column not in plain:
                raise sqlite3.DatabaseError(f"the column {column!r} of {table!r} is missing")


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


def is_damage(error: Exception, path: Path) -> bool:
    """Whether a file is not a whole database of ours, rather than busy, full or out of reach."""
    if not isinstance(error, sqlite3.Error):
        return isinstance(error, UnicodeError)
    if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_READONLY:  # as its header says
        return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    others = (
        sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH,
    )  # fmt: skip
    return error_code(error) not in others
