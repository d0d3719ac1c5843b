"""Results of searches, kept for later in an SQLite file that processes share.

A row holds a position as one searcher saw it: the best line, score and depth, and the scores of its
moves where they were ranked. A deeper result replaces a shallower one. Beside the results of long
searches, a part of the transposition table is kept, so that a deeper search can start from it. The
rows unused for longest are deleted first when the file grows too large.

Scores are plain numbers here; `Agent.cache_scale` says what they mean.

The cache is optional: if its file cannot be read or written, nothing is found and nothing is kept.
A damaged file is renamed and replaced by an empty one, and a damaged row is deleted. SQLite's
write-ahead log makes the file safe when several processes use it and when one is killed.
"""

from __future__ import annotations

import json
import math
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, TypeVar

from plyground.cache_file import CacheFile, CacheSchema
from plyground.database import READ_ERRORS
from plyground.errors import ConfigError
from plyground.folders import data_path, make_folder

T = TypeVar("T")

MOST_ROWS = 200_000
"""About 60 MB."""
MOST_TABLES = 4_000
"""Transposition tables kept; at most 16 kB each, about 60 MB."""
CHECK_EVERY = 500
"""Rows written between two checks of the size."""

MoveNumbers: TypeAlias = tuple[tuple[int, float], ...]
"""Moves with their scores as numbers, best first."""
_Row: TypeAlias = tuple[object, ...]
"""Values of any type: another program may have written them."""
LARGEST = 10**15
"""Largest number that a row may have."""
LONGEST_LINE = 1000
"""Most moves of a line."""
ENTRY_BYTES = 16
"""Bytes of an entry of a transposition table."""
MOST_TABLE_BYTES = 1 << 20

_TABLE = """
CREATE TABLE IF NOT EXISTS positions (
    searcher TEXT NOT NULL,
    position TEXT NOT NULL,
    depth INTEGER NOT NULL,
    score REAL NOT NULL,
    win_in INTEGER,
    line TEXT NOT NULL,
    nodes INTEGER NOT NULL,
    time_ms REAL NOT NULL,
    exact INTEGER NOT NULL,
    static REAL,
    children TEXT,
    used INTEGER NOT NULL,
    PRIMARY KEY (searcher, position)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS positions_used ON positions (used);
CREATE TABLE IF NOT EXISTS tables (
    searcher TEXT NOT NULL,
    position TEXT NOT NULL,
    kept BLOB NOT NULL,
    used INTEGER NOT NULL,
    PRIMARY KEY (searcher, position)
) WITHOUT ROWID;
"""
_SCHEMA = CacheSchema(
    version=1,
    script=_TABLE,
    columns={
        "positions": "searcher, position, depth, score, win_in, line, nodes, time_ms, exact, "
        "static, children, used",
        "tables": "searcher, position, kept, used",
    },
)


@dataclass(frozen=True, slots=True)
class CacheEntry:
    """What a search found in a position."""

    line: tuple[int, ...]
    """The best line, at least its first move."""
    score: float
    """For the player to move, on the searcher's scale."""
    depth: int
    nodes: int
    time_ms: float
    win_in: int | None = None
    """Plies to a proven win of the player to move; negative for a loss."""
    exact: bool = False
    """Whether the score is the result with best play."""
    children: MoveNumbers = ()
    """The moves with their scores for the player to move, where they were ranked."""


class AnalysisCache:
    """Cache entries by searcher and position; any thread may use it.

    >>> cache = AnalysisCache(Path(":memory:"))
    >>> cache.put("engine", "9 e1/e9 - 10/10 1 0 0", CacheEntry((13,), 50.0, 4, 99, 1.0))
    >>> cache.get("engine", "9 e1/e9 - 10/10 1 0 0").depth
    4
    """

    def __init__(self, path: Path | None = None, most_rows: int = MOST_ROWS) -> None:
        if path is None:
            path = default_path()
            with suppress(ConfigError):  # then nothing is kept
                make_folder(path.parent)
        self.path = path
        self._most_rows = most_rows
        self._writes = 0
        self._lock = threading.Lock()
        self._file = CacheFile(path, _SCHEMA)

    def get(self, searcher: str, position: str) -> CacheEntry | None:
        """The entry of a position, if there is one."""
        key = (searcher, position)

        def look(database: sqlite3.Connection) -> _Row | None:
            row: _Row | None = database.execute(
                "SELECT depth, score, win_in, line, nodes, time_ms, exact, children, used"
                " FROM positions WHERE searcher = ? AND position = ?",
                key,
            ).fetchone()
            # To the minute is enough, and saves most writes.
            used = None if row is None else row[-1]
            if isinstance(used, int) and used < int(time.time()) - 60:
                database.execute(
                    "UPDATE positions SET used = ? WHERE searcher = ? AND position = ?",
                    (int(time.time()), *key),
                )
            return row

        row = self._try(look)
        if row is None:
            return None
        try:
            return _entry(row)
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
            self._delete("positions", key)
            return None

    def _delete(self, table: str, key: tuple[str, str]) -> None:
        """Delete a damaged row."""
        self._try(
            lambda database: database.execute(
                f"DELETE FROM {table} WHERE searcher = ? AND position = ?", key
            )
        )

    def put(
        self, searcher: str, position: str, entry: CacheEntry, *, by_depth: bool = True
    ) -> None:
        """Keep an entry, unless the one that is there knows more.

        A proof counts more than any search; then the greater depth, or without `by_depth` the
        greater number of nodes.
        """
        deeper = "excluded.depth > depth OR (excluded.depth = depth AND excluded.nodes >= nodes)"
        more = deeper if by_depth else "excluded.nodes >= nodes"
        values = (
            searcher,
            position,
            entry.depth,
            entry.score,
            entry.win_in,
            json.dumps(entry.line),
            entry.nodes,
            entry.time_ms,
            entry.exact,
            None,  # a column that nothing uses any more
            json.dumps(entry.children) if entry.children else None,
            int(time.time()),
        )

        def write(database: sqlite3.Connection) -> None:
            database.execute(
                "INSERT INTO positions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (searcher, position) DO UPDATE SET"
                " depth = excluded.depth, score = excluded.score, win_in = excluded.win_in,"
                " line = excluded.line, nodes = excluded.nodes, time_ms = excluded.time_ms,"
                " exact = excluded.exact,"
                " children = coalesce(excluded.children, children), used = excluded.used"
                " WHERE CASE WHEN (win_in IS NULL) <> (excluded.win_in IS NULL)"
                f" THEN win_in IS NULL ELSE {more} END",
                values,
            )
            self._writes += 1
            if self._writes % CHECK_EVERY == 0:
                self._shrink(database)

        self._try(write)

    def put_children(
        self, searcher: str, position: str, children: Sequence[tuple[int, float]]
    ) -> None:
        """Replace the ranked moves of an entry, whatever its depth."""
        self._try(
            lambda database: database.execute(
                "UPDATE positions SET children = ? WHERE searcher = ? AND position = ?",
                (json.dumps(children), searcher, position),
            )
        )

    def get_table(self, searcher: str, position: str) -> bytes | None:
        """The transposition table that was kept with a position."""
        key = (searcher, position)
        row: _Row | None = self._try(
            lambda database: database.execute(
                "SELECT kept FROM tables WHERE searcher = ? AND position = ?", key
            ).fetchone()
        )
        if row is None:
            return None
        table = row[0]
        if (
            not isinstance(table, bytes)
            or len(table) % ENTRY_BYTES
            or len(table) > MOST_TABLE_BYTES
        ):
            self._delete("tables", key)
            return None
        return table

    def put_table(self, searcher: str, position: str, table: bytes) -> None:
        """Keep a transposition table with a position, in place of an earlier one."""

        def write(database: sqlite3.Connection) -> None:
            database.execute(
                "INSERT OR REPLACE INTO tables VALUES (?, ?, ?, ?)",
                (searcher, position, table, int(time.time())),
            )
            database.execute(
                "DELETE FROM tables WHERE (searcher, position) IN (SELECT searcher, position"
                " FROM tables ORDER BY used DESC LIMIT -1 OFFSET ?)",
                (MOST_TABLES,),
            )

        self._try(write)

    def __len__(self) -> int:
        """The number of positions."""
        return self._try(_count) or 0

    def size_bytes(self) -> int:
        """The size of the file, with its log."""
        return self._file.size_bytes()

    def clear(self) -> None:
        """Delete everything."""
        with self._lock:
            if self._file.database is None:
                raise ConfigError(f"cannot write {self.path}")
            try:
                self._file.database.execute("DELETE FROM positions")
                self._file.database.execute("DELETE FROM tables")
                self._file.database.execute("VACUUM")
                self._file.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            except READ_ERRORS as error:
                if not self._file.replace_if_damaged(error):
                    raise ConfigError(f"cannot clear {self.path}: {error}") from error

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._file.close()

    def __enter__(self) -> AnalysisCache:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _try(self, action: Callable[[sqlite3.Connection], T]) -> T | None:
        """Run an action, or return None if it fails; a damaged file is replaced."""
        with self._lock:
            return self._file.attempt(action)

    def _shrink(self, database: sqlite3.Connection) -> None:
        """Delete old rows: a tenth more than needed, so that this happens seldom."""
        too_many = _count(database) - self._most_rows
        if too_many > 0:
            database.execute(
                "DELETE FROM positions WHERE (searcher, position) IN"
                " (SELECT searcher, position FROM positions ORDER BY used LIMIT ?)",
                (too_many + self._most_rows // 10,),
            )


def default_path() -> Path:
    """The path of the user's own cache."""
    return data_path() / "analysis.sqlite"


def _count(database: sqlite3.Connection) -> int:
    (rows,) = database.execute("SELECT count(*) FROM positions").fetchone()
    return int(rows)


def _entry(row: _Row) -> CacheEntry:
    """The entry in a row; a ValueError or TypeError if it was not written by this module."""
    depth, score, win_in, line, nodes, time_ms, exact, children, used = row
    actions = tuple(_whole(action) for action in _json_list(line))
    moves = tuple(map(_move, _json_list(children or "[]")))
    _whole(used)
    if not 1 <= len(actions) <= LONGEST_LINE:
        raise ValueError("a line without moves, or too long")
    return CacheEntry(
        actions,
        _number(score),
        _whole(depth),
        _whole(nodes),
        _number(time_ms),
        None if win_in is None else _whole(win_in, -LARGEST),
        bool(_whole(exact)),
        moves,
    )


def _move(pair: object) -> tuple[int, float]:
    if not isinstance(pair, list) or len(pair) != 2:
        raise TypeError("not a move with its score")
    return _whole(pair[0]), _number(pair[1])


def _json_list(text: object) -> list[object]:
    if not isinstance(text, str):
        raise TypeError("not a text")
    found = json.loads(text)
    if not isinstance(found, list):
        raise TypeError("not a list")
    return found


def _whole(value: object, least: int = 0) -> int:
    if not isinstance(value, int) or not least <= value <= LARGEST:
        raise ValueError("not a whole number in range")
    return value


def _number(value: object) -> float:
    if not isinstance(value, int | float) or not math.isfinite(value) or abs(value) > LARGEST:
        raise ValueError("not a number in range")
    return value
