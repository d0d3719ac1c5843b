"""Waiting for a file that another process is at work on."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from plyground.database import patiently


class Asked:
    """A statement, and how often it was tried."""

    def __init__(self, database: sqlite3.Connection, statement: str) -> None:
        self.database, self.statement = database, statement
        self.times = 0

    def __call__(self) -> None:
        self.times += 1
        self.database.execute(self.statement)


def test_whoever_does_not_let_go_is_not_waited_for_without_end(tmp_path: Path) -> None:
    path = tmp_path / "file.sqlite"
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with closing(sqlite3.connect(path, timeout=0)) as database:
        begin = Asked(database, "BEGIN IMMEDIATE")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            patiently(begin, 0.05)
        assert begin.times > 1
        other.close()
        patiently(begin, 0.05)


def test_other_troubles_are_told_at_once() -> None:
    with closing(sqlite3.connect(":memory:")) as database:
        nonsense = Asked(database, "SELECT nothing")
        with pytest.raises(sqlite3.OperationalError, match="syntax error"):
            patiently(nonsense, 60)
        assert nonsense.times == 1
