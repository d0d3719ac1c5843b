"""Waiting for a file that another process has locked."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from plyground.database import retry_while_locked


class Statement:
    """A statement that counts how often it was tried."""

    def __init__(self, database: sqlite3.Connection, statement: str) -> None:
        self.database, self.statement = database, statement
        self.times = 0

    def __call__(self) -> None:
        self.times += 1
        self.database.execute(self.statement)


def test_waiting_for_a_lock_ends(tmp_path: Path) -> None:
    path = tmp_path / "file.sqlite"
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with closing(sqlite3.connect(path, timeout=0)) as database:
        begin = Statement(database, "BEGIN IMMEDIATE")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            retry_while_locked(begin, 0.05)
        assert begin.times > 1
        other.close()
        retry_while_locked(begin, 0.05)


def test_other_errors_are_raised_at_once() -> None:
    with closing(sqlite3.connect(":memory:")) as database:
        nonsense = Statement(database, "SELECT nothing")
        with pytest.raises(sqlite3.OperationalError, match="syntax error"):
            retry_while_locked(nonsense, 60)
        assert nonsense.times == 1
