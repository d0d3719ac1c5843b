"""Waiting for a file that another process is at work on."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from plyground.database import patiently


def test_whoever_does_not_let_go_is_not_waited_for_without_end(tmp_path: Path) -> None:
    path = tmp_path / "file.sqlite"
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    database = sqlite3.connect(path, timeout=0)
    asked = 0

    def begin() -> None:
        nonlocal asked
        asked += 1
        database.execute("BEGIN IMMEDIATE")

    with pytest.raises(sqlite3.OperationalError, match="locked"):
        patiently(begin, 0.05)
    assert asked > 1
    other.close()
    patiently(begin, 0.05)
    database.close()


def test_other_troubles_are_told_at_once() -> None:
    database = sqlite3.connect(":memory:")
    asked = 0

    def fail() -> None:
        nonlocal asked
        asked += 1
        database.execute("SELECT nothing")

    with pytest.raises(sqlite3.OperationalError, match="syntax error"):
        patiently(fail, 60)
    assert asked == 1
    database.close()
