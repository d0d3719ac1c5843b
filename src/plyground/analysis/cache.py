"""Results of searches, kept for later in an SQLite file that processes share.

A row holds a position as one searcher saw it: the best line, score and depth, and the scores of its
moves where they were ranked. A deeper result replaces a shallower one. Beside the results of long
searches, a part of the transposition table is kept, so that a deeper search can start from it. The
rows unused for longest are deleted first when the file grows too large.

Scores are plain numbers here; `Agent.cache_scale` says what they mean.

The cache is optional: if its file cannot be read or written, nothing is found and nothing is kept.
A damaged file is renamed and replaced by an empty one. SQLite's write-ahead log makes the file safe
when several processes use it and when one is killed.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, TypeVar

from plyground.database import error_code, retry_while_locked
from plyground.errors import ConfigError
from plyground.folders import data_folder

T = TypeVar("T")

FORMAT = 1
"""Counts up when the tables change; files of another format are emptied."""
MOST_ROWS = 200_000
"""About 60 MB."""
MOST_TABLES = 4_000
"""Transposition tables kept; at most 16 kB each, about 60 MB."""
CHECK_EVERY = 500
"""Rows written between two checks of the size."""
BUSY_MS = 1000
"""Milliseconds to wait for another process before doing without the cache."""

MoveNumbers: TypeAlias = tuple[tuple[int, float], ...]
"""Moves with their scores as numbers, best first."""
_Row: TypeAlias = tuple[int, float, int | None, str, int, float, int, str | None, int]

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
        self.path = path or default_path()
        self._most_rows = most_rows
        self._writes = 0
        self._lock = threading.Lock()
        self._database: sqlite3.Connection | None = self._open()

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
            if row is not None and row[-1] < int(time.time()) - 60:
                database.execute(
                    "UPDATE positions SET used = ? WHERE searcher = ? AND position = ?",
                    (int(time.time()), *key),
                )
            return row

        row = self._try(look)
        return None if row is None else _entry(row)

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
        row = self._try(
            lambda database: database.execute(
                "SELECT kept FROM tables WHERE searcher = ? AND position = ?",
                (searcher, position),
            ).fetchone()
        )
        return None if row is None else bytes(row[0])

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
        files = [self.path, self.path.with_name(self.path.name + "-wal")]
        return sum(file.stat().st_size for file in files if file.exists())

    def clear(self) -> None:
        """Delete everything."""
        with self._lock:
            if self._database is None:
                raise ConfigError(f"cannot write {self.path}")
            try:
                self._database.execute("DELETE FROM positions")
                self._database.execute("DELETE FROM tables")
                self._database.execute("VACUUM")
                self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            except sqlite3.Error as error:
                if not self._replace_if_damaged(error):
                    raise ConfigError(f"cannot clear {self.path}: {error}") from error

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._database is not None:
                self._database.close()
                self._database = None

    def __enter__(self) -> AnalysisCache:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _try(self, action: Callable[[sqlite3.Connection], T]) -> T | None:
        """Run an action, or return None if it fails; a damaged file is replaced."""
        with self._lock:
            if self._database is None:
                return None
            try:
                return action(self._database)
            except sqlite3.Error as error:
                self._replace_if_damaged(error)
                return None

    def _open(self) -> sqlite3.Connection | None:
        try:
            return retry_while_locked(lambda: _connect(self.path), BUSY_MS / 1000)
        except sqlite3.OperationalError:  # no folder, no permission, or locked
            return None
        except sqlite3.DatabaseError:
            return self._replace_file()

    def _replace_if_damaged(self, error: sqlite3.Error) -> bool:
        """Replace a damaged file; opening it reads few pages, so damage may show only later."""
        if self._database is None or not _is_damage(error):
            return False
        self._database.close()
        self._database = self._replace_file()
        return self._database is not None

    def _replace_file(self) -> sqlite3.Connection | None:
        try:
            self.path.replace(self.path.with_name(self.path.name + ".damaged"))
            for end in ("-wal", "-shm"):
                self.path.with_name(self.path.name + end).unlink(missing_ok=True)
            return _connect(self.path)
        except (OSError, sqlite3.Error):
            return None

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
    return data_folder() / "analysis.sqlite"


def _connect(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(
        path, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False
    )
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        (found,) = database.execute("PRAGMA user_version").fetchone()
        if found != FORMAT:  # else there is nothing to write, and no lock to wait for
            if found:
                database.executescript(
                    "DROP TABLE IF EXISTS positions; DROP TABLE IF EXISTS tables"
                )
            database.executescript(_TABLE)
            database.execute(f"PRAGMA user_version = {FORMAT}")
    except BaseException:
        database.close()
        raise
    return database


def _count(database: sqlite3.Connection) -> int:
    (rows,) = database.execute("SELECT count(*) FROM positions").fetchone()
    return int(rows)


def _is_damage(error: sqlite3.Error) -> bool:
    """Whether the file is not a whole database, rather than busy, full or out of reach."""
    return error_code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _entry(row: _Row) -> CacheEntry:
    depth, score, win_in, line, nodes, time_ms, exact, children, _ = row
    actions = tuple(int(action) for action in json.loads(line))
    moves = tuple((int(action), float(number)) for action, number in json.loads(children or "[]"))
    return CacheEntry(actions, score, depth, nodes, time_ms, win_in, bool(exact), moves)
