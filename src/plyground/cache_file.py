"""An SQLite file whose content can be made again, so that no failure of it is an error.

Several processes may share it. A damaged file is set aside and replaced by a new one; a file that
cannot be used is done without.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from plyground.database import READ_ERRORS, check_tables, harden, is_damage, retry_while_locked

T = TypeVar("T")

BUSY_MS = 1000
"""Milliseconds to wait for another process before doing without the file."""
MOST_LOG_BYTES = 5_000_000
"""Size to which the write-ahead log is cut after use."""


@dataclass(frozen=True, slots=True)
class CacheSchema:
    """The tables of a cache."""

    version: int
    """Counts up when the tables or what they mean change; files of another version are emptied."""
    script: str
    """Creates the tables that do not exist."""
    columns: Mapping[str, str]
    """The columns of each table, separated by commas."""


class CacheFile:
    """A connection to a cache, if it can be opened. The caller holds a lock around each call."""

    def __init__(self, path: Path, schema: CacheSchema) -> None:
        self.path = path
        self._schema = schema
        self.database: sqlite3.Connection | None
        try:
            self.database = retry_while_locked(self._connect, BUSY_MS / 1000)
        except READ_ERRORS as error:  # damaged, no folder, no permission, or locked
            self.database = self._replace_file() if is_damage(error, path) else None

    def attempt(self, action: Callable[[sqlite3.Connection], T]) -> T | None:
        """Run an action, or return None if it fails; a damaged file is replaced."""
        if self.database is None:
            return None
        try:
            return action(self.database)
        except READ_ERRORS as error:
            self.replace_if_damaged(error)
            return None

    def replace_if_damaged(self, error: Exception) -> bool:
        """Replace a damaged file; opening it reads few pages, so damage may show only later."""
        if self.database is None or not is_damage(error, self.path):
            return False
        self.close()
        self.database = self._replace_file()
        return self.database is not None

    def size_bytes(self) -> int:
        """The size of the file, with its log."""
        files = [self.path, self.path.with_name(self.path.name + "-wal")]
        return sum(file.stat().st_size for file in files if file.exists())

    def close(self) -> None:
        """Close the file; it is done without from now on."""
        if self.database is not None:
            with suppress(*READ_ERRORS):
                self.database.close()
            self.database = None

    def _replace_file(self) -> sqlite3.Connection | None:
        try:
            self.path.replace(self.path.with_name(self.path.name + ".damaged"))
            for end in ("-wal", "-shm"):
                self.path.with_name(self.path.name + end).unlink(missing_ok=True)
            return self._connect()
        except (OSError, *READ_ERRORS):
            return None

    def _connect(self) -> sqlite3.Connection:
        schema = self._schema
        database = sqlite3.connect(
            self.path, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False
        )
        try:
            harden(database)
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = NORMAL")
            database.execute(f"PRAGMA journal_size_limit = {MOST_LOG_BYTES}")
            (found,) = database.execute("PRAGMA user_version").fetchone()
            if found != schema.version:  # else there is nothing to write, and no lock to wait for
                if found:
                    database.executescript(
                        "; ".join(f"DROP TABLE IF EXISTS {table}" for table in schema.columns)
                    )
                database.executescript(schema.script)
                database.execute(f"PRAGMA user_version = {schema.version}")
            check_tables(database, schema.columns)
        except BaseException:
            database.close()
            raise
        return database
