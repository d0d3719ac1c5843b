"""What searches worked out, kept for the next game: an SQLite file that processes share.

One row is one position as one searcher saw it: its best line, score and depth, the static
evaluation, and its children where they were looked at. A deeper result replaces a shallower one.
Beside the results of long searches a part of their table is kept, where a deeper one can start.
Rows that were not used for longest go first when the file would grow too large.

The file is a convenience. Where it cannot be read or written, nothing is found and nothing kept; a
damaged one is set aside, and a new one begun. SQLite's write-ahead log makes it safe under several
processes and under a kill at any moment.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from plyground.database import patiently
from plyground.errors import ConfigError
from plyground.folders import data_folder
from plyground.search.result import SearchResult

T = TypeVar("T")

FORMAT = 1
"""Counts up when the table changes; files of another format are begun anew."""
MOST_ROWS = 200_000
"""About 60 MB."""
MOST_TABLES = 4_000
"""Of 16 kB at most, about 60 MB."""
CHECK_EVERY = 500
"""Rows written between two looks at the size."""
BUSY_MS = 1000
"""How long to wait for another process before doing without."""

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
class Known:
    """What is known of a position."""

    result: SearchResult
    static: float | None = None
    """Its evaluation without any search, for the side to move."""
    children: tuple[tuple[int, float], ...] = ()
    """Moves with their scores for the side to move, best first, where they were looked at."""


class AnalysisCache:
    """Positions by searcher; any thread may use it.

    >>> cache = AnalysisCache(Path(":memory:"))
    >>> cache.put("engine", "9 e1/e9 - 10/10 1 0 0", Known(SearchResult(13, 0.5, 4, [13], 99, 1.0)))
    >>> cache.get("engine", "9 e1/e9 - 10/10 1 0 0").result.depth
    4
    """

    def __init__(self, path: Path | None = None, most_rows: int = MOST_ROWS) -> None:
        self.path = path or default_path()
        self._most_rows = most_rows
        self._writes = 0
        self._lock = threading.Lock()
        self._database: sqlite3.Connection | None = self._open()

    def get(self, searcher: str, position: str) -> Known | None:
        """What is known of a position, if anything."""
        key = (searcher, position)

        def look(database: sqlite3.Connection) -> Any:
            row = database.execute(
                "SELECT depth, score, win_in, line, nodes, time_ms, exact, static, children,"
                " used FROM positions WHERE searcher = ? AND position = ?",
                key,
            ).fetchone()
            # To the minute is enough, and spares most of the writing.
            if row is not None and row[9] < int(time.time()) - 60:
                database.execute(
                    "UPDATE positions SET used = ? WHERE searcher = ? AND position = ?",
                    (int(time.time()), *key),
                )
            return row

        row = self._try(look)
        return None if row is None else _known(row)

    def put(self, searcher: str, position: str, known: Known, *, by_depth: bool = True) -> None:
        """Keep what is known of a position, unless more is known of it already.

        A proof is more than any search; else the greater depth is, or without that the more nodes.
        """
        deeper = "excluded.depth > depth OR (excluded.depth = depth AND excluded.nodes >= nodes)"
        more = deeper if by_depth else "excluded.nodes >= nodes"
        result = known.result
        values = (
            searcher,
            position,
            result.depth,
            result.score,
            result.win_in,
            json.dumps(result.pv or [result.best_move]),
            result.nodes_searched,
            result.time_ms,
            result.exact,
            known.static,
            json.dumps(known.children) if known.children else None,
            int(time.time()),
        )

        def write(database: sqlite3.Connection) -> None:
            database.execute(
                "INSERT INTO positions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (searcher, position) DO UPDATE SET"
                " depth = excluded.depth, score = excluded.score, win_in = excluded.win_in,"
                " line = excluded.line, nodes = excluded.nodes, time_ms = excluded.time_ms,"
                " exact = excluded.exact,"
                " static = coalesce(excluded.static, static),"
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
        """Keep the moves of a position that is known, however deep, in place of earlier ones."""
        self._try(
            lambda database: database.execute(
                "UPDATE positions SET children = ? WHERE searcher = ? AND position = ?",
                (json.dumps(children), searcher, position),
            )
        )

    def get_table(self, searcher: str, position: str) -> bytes | None:
        """The part of a search's table that was kept with a position."""
        row = self._try(
            lambda database: database.execute(
                "SELECT kept FROM tables WHERE searcher = ? AND position = ?",
                (searcher, position),
            ).fetchone()
        )
        return None if row is None else bytes(row[0])

    def put_table(self, searcher: str, position: str, kept: bytes) -> None:
        """Keep a part of a search's table, in place of what was kept before."""

        def write(database: sqlite3.Connection) -> None:
            database.execute(
                "INSERT OR REPLACE INTO tables VALUES (?, ?, ?, ?)",
                (searcher, position, kept, int(time.time())),
            )
            database.execute(
                "DELETE FROM tables WHERE (searcher, position) IN (SELECT searcher, position"
                " FROM tables ORDER BY used DESC LIMIT -1 OFFSET ?)",
                (MOST_TABLES,),
            )

        self._try(write)

    def __len__(self) -> int:
        """How many positions are kept."""
        return self._try(_count) or 0

    def size_bytes(self) -> int:
        """How large the file is, with its log."""
        files = [self.path, self.path.with_name(self.path.name + "-wal")]
        return sum(file.stat().st_size for file in files if file.exists())

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            if self._database is None:
                raise ConfigError(f"cannot write {self.path}")
            try:
                self._database.execute("DELETE FROM positions")
                self._database.execute("DELETE FROM tables")
                self._database.execute("VACUUM")
                self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            except sqlite3.Error as error:
                if not self._begin_anew(error):
                    raise ConfigError(f"cannot clear {self.path}: {error}") from error

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            if self._database is not None:
                self._database.close()
                self._database = None

    def __enter__(self) -> AnalysisCache:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _try(self, action: Callable[[sqlite3.Connection], T]) -> T | None:
        """Do it if it can be done; a file that turns out to be damaged is begun anew."""
        with self._lock:
            if self._database is None:
                return None
            try:
                return action(self._database)
            except sqlite3.Error as error:
                self._begin_anew(error)
                return None

    def _open(self) -> sqlite3.Connection | None:
        try:
            return patiently(lambda: _connect(self.path), BUSY_MS / 1000)
        except sqlite3.OperationalError:  # no folder, no right to write, or somebody has it
            return None
        except sqlite3.DatabaseError:
            return self._set_aside()

    def _begin_anew(self, error: sqlite3.Error) -> bool:
        """After damage, which may lie pages behind what opening the file reads."""
        if self._database is None or not _is_damage(error):
            return False
        self._database.close()
        self._database = self._set_aside()
        return self._database is not None

    def _set_aside(self) -> sqlite3.Connection | None:
        try:
            self.path.replace(self.path.with_name(self.path.name + ".damaged"))
            for end in ("-wal", "-shm"):
                self.path.with_name(self.path.name + end).unlink(missing_ok=True)
            return _connect(self.path)
        except (OSError, sqlite3.Error):
            return None

    def _shrink(self, database: sqlite3.Connection) -> None:
        """Make room again: a tenth more than needed, so that this happens seldom."""
        too_many = _count(database) - self._most_rows
        if too_many > 0:
            database.execute(
                "DELETE FROM positions WHERE (searcher, position) IN"
                " (SELECT searcher, position FROM positions ORDER BY used LIMIT ?)",
                (too_many + self._most_rows // 10,),
            )


def default_path() -> Path:
    """The user's own cache."""
    return data_folder() / "analysis.sqlite"


def _connect(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(
        path, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False
    )
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        (found,) = database.execute("PRAGMA user_version").fetchone()
        if found != FORMAT:  # else there is nothing to write, and nobody to wait for
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
    """Whether the file is no whole database, and not merely busy, full or out of reach."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # without what extended codes add
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _known(row: tuple[Any, ...]) -> Known:
    depth, score, win_in, line, nodes, time_ms, exact, static, children, _ = row
    pv = [int(action) for action in json.loads(line)]
    result = SearchResult(pv[0], score, depth, pv, nodes, time_ms, win_in, bool(exact))
    pairs = tuple((int(action), float(worth)) for action, worth in json.loads(children or "[]"))
    return Known(result, static, pairs)
