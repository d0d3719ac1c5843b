"""The three caches of the minimax opponent, in memory and in an SQLite file.

They hold the best move of each position that was searched, and the static evaluation and the
children of each position that a search visited. Best moves are rows; evaluations and children are
used by the core, which makes thousands of them in a millisecond, so they are saved in blocks.

The file is optional: if it cannot be read or written, the caches are in memory only. A damaged file
is renamed and replaced by an empty one. SQLite's write-ahead log makes the file safe when several
processes use it and when one is killed. The oldest blocks and the best moves unused for longest are
deleted when the file grows too large.
"""

from __future__ import annotations

import atexit
import os
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import Literal, TypeAlias, TypeVar, get_args

from plyground import _core
from plyground.cache_file import CacheFile, CacheSchema
from plyground.errors import ConfigError
from plyground.folders import data_path, make_folder
from plyground.games.quoridor import State, action_space_size
from plyground.games.score import Score
from plyground.search.result import SearchResult

T = TypeVar("T")
Kind: TypeAlias = Literal["evaluations", "children"]
KINDS: tuple[Kind, ...] = get_args(Kind)

MOST_BEST_MOVES = 100_000
"""Rows in the file, about 15 MB."""
MOST_BYTES = 5_000_000
"""Bytes of all blocks of one kind in the file: 500,000 evaluations, or 35,000 children."""
MOST_IN_MEMORY = 50_000
"""Best moves in memory."""
SAVE_EVERY = 16
"""Searches between two saves."""
EVALUATION_BYTES = 10
"""The core's size of a saved evaluation."""

_TABLES = """
CREATE TABLE IF NOT EXISTS best_moves (
    position TEXT NOT NULL,
    depth INTEGER NOT NULL,
    score REAL NOT NULL,
    win_in INTEGER,
    line TEXT NOT NULL,
    nodes INTEGER NOT NULL,
    used INTEGER NOT NULL,
    PRIMARY KEY (position, depth)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS best_moves_used ON best_moves (used);
CREATE TABLE IF NOT EXISTS blocks (
    number INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    entries INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    content BLOB NOT NULL
);
"""

_SCHEMA = CacheSchema(
    version=1,  # counts up when the keys or the order of moves change, too
    script=_TABLES,
    columns={
        "best_moves": "position, depth, score, win_in, line, nodes, used",
        "blocks": "number, kind, entries, checksum, content",
    },
)

Key: TypeAlias = tuple[str, int]
"""A position, and the depth of a search."""


@dataclass(frozen=True, slots=True)
class BestMove:
    """The result of a search."""

    line: tuple[int, ...]
    """The principal variation, the best move first."""
    score: float
    """For the player to move, in steps."""
    nodes: int
    win_in: int | None = None
    """Plies to a proven win of the player to move; negative for a loss."""


@dataclass(frozen=True, slots=True)
class CacheSizes:
    """The number of entries in each cache, and the size of the file."""

    best_moves: int
    evaluations: int
    children: int
    bytes: int


class MinimaxCache:
    """The three caches; any thread may use them. Without a path they are in memory only.

    >>> cache = MinimaxCache(None)
    >>> cache.put(State(), 3, SearchResult(13, Score(0.0, State().game.unit, 1), 3, [13], 99))
    >>> cache.get(State(), 3).best_move
    13
    """

    def __init__(
        self,
        path: Path | None,
        most_best_moves: int = MOST_BEST_MOVES,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self.path = path
        self.native = _core.QuoridorTextbookCache()
        self.found: dict[Kind, int] = dict.fromkeys(KINDS, 0)
        """Entries that searches found in the core's caches."""
        self._most_best_moves = most_best_moves
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._best_moves: dict[Key, BestMove] = {}
        self._unsaved: dict[Key, BestMove] = {}
        self._used: set[Key] = set()
        self._blocks: dict[Kind, list[bytes]] = {kind: [] for kind in KINDS}
        self._block_entries: dict[Kind, int] = dict.fromkeys(KINDS, 0)
        self._searches = 0
        self._file = None if path is None else CacheFile(path, _SCHEMA)
        self._load()

    def get(self, state: State, depth: int) -> SearchResult | None:
        """The result of an earlier search of a position to this depth."""
        key = cache_key(state, depth)
        with self._lock:
            best = self._best_moves.get(key)
            if best is None:
                best = self._find(key)
                if best is None:
                    return None
                self._remember(key, best)
            self._used.add(key)
        # Another program may have written the file, so the line is checked.
        return _result(best, state, depth) if _is_legal_line(best.line, state) else None

    def put(self, state: State, depth: int, result: SearchResult) -> None:
        """Keep the result of a search, and what the core logged meanwhile."""
        if result.score is None:
            return
        win_in = result.win_in
        score = 0.0 if win_in is not None else result.score.value
        best = BestMove(tuple(result.pv), score, result.nodes_searched, win_in)
        key = cache_key(state, depth)
        with self._lock:
            self._remember(key, best)
            self._unsaved[key] = best
            self._take_log()
            self._searches += 1
            if self._searches % SAVE_EVERY == 0:
                self._save()

    def save(self) -> None:
        """Write everything new to the file."""
        with self._lock:
            self._take_log()
            self._save()

    def sizes(self) -> CacheSizes:
        """The entries of each cache in the file; in memory, only the best moves are counted."""
        with self._lock:
            counts = self._try(_count) or (len(self._best_moves), 0, 0)
            return CacheSizes(*counts, 0 if self._file is None else self._file.size_bytes())

    def clear(self) -> None:
        """Delete everything, in memory and in the file."""
        with self._lock:
            self.native = _core.QuoridorTextbookCache()
            self._forget()
            self._best_moves.clear()
            if self.path is None:
                return
            # The second attempt has a new file if the first found damage.
            if not (self._try(_delete_all) or self._try(_delete_all)):
                raise ConfigError(f"cannot clear {self.path}")

    def close(self) -> None:
        """Save, and close the file."""
        self.save()
        with self._lock:
            if self._file is not None:
                self._file.close()

    def __enter__(self) -> MinimaxCache:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # With the lock held.

    def _find(self, key: Key) -> BestMove | None:
        return self._try(lambda database: _read(database, key))

    def _remember(self, key: Key, best: BestMove) -> None:
        self._best_moves[key] = best
        if len(self._best_moves) > MOST_IN_MEMORY:  # forget the oldest half
            for old in list(islice(self._best_moves, MOST_IN_MEMORY // 2)):
                del self._best_moves[old]

    def _take_log(self) -> None:
        evaluations, children, count, *found = self.native.take_log()
        entries = {"evaluations": len(evaluations) // EVALUATION_BYTES, "children": count}
        for kind, block, hits in zip(KINDS, (evaluations, children), found, strict=True):
            self.found[kind] += hits
            if block:
                self._blocks[kind].append(block)
                self._block_entries[kind] += entries[kind]

    def _save(self) -> None:
        if self._unsaved or self._used or any(self._blocks.values()):
            self._try(self._write)
        self._forget()

    def _forget(self) -> None:
        """Drop what is not saved; after a failure too, so that it does not pile up."""
        self._unsaved.clear()
        self._used.clear()
        self._blocks = {kind: [] for kind in KINDS}
        self._block_entries = dict.fromkeys(KINDS, 0)

    def _write(self, database: sqlite3.Connection) -> None:
        now = int(time.time())
        database.execute("BEGIN IMMEDIATE")
        try:
            database.executemany(
                "UPDATE best_moves SET used = ? WHERE position = ? AND depth = ? AND used < ?",
                [(now, *key, now - 60) for key in self._used],
            )
            database.executemany(
                "INSERT OR REPLACE INTO best_moves VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    (*key, best.score, best.win_in, _format_line(best.line), best.nodes, now)
                    for key, best in self._unsaved.items()
                ],
            )
            for kind, blocks in self._blocks.items():
                if content := b"".join(blocks):
                    database.execute(
                        "INSERT INTO blocks (kind, entries, checksum, content) VALUES (?, ?, ?, ?)",
                        (kind, self._block_entries[kind], zlib.crc32(content), content),
                    )
            self._shrink(database)
            database.execute("COMMIT")
        except BaseException:
            if database.in_transaction:
                database.execute("ROLLBACK")
            raise

    def _shrink(self, database: sqlite3.Connection) -> None:
        """Delete old rows: a tenth more than needed, so that this happens seldom."""
        (rows,) = database.execute("SELECT count(*) FROM best_moves").fetchone()
        if rows > self._most_best_moves:
            database.execute(
                "DELETE FROM best_moves WHERE (position, depth) IN"
                " (SELECT position, depth FROM best_moves ORDER BY used LIMIT ?)",
                (rows - self._most_best_moves + self._most_best_moves // 10,),
            )
        for kind in KINDS:
            total = 0
            blocks = database.execute(
                "SELECT number, length(content) FROM blocks WHERE kind = ? ORDER BY number DESC",
                (kind,),
            ).fetchall()
            for number, size in blocks:
                total += size
                if total > self._most_bytes:
                    database.execute(
                        "DELETE FROM blocks WHERE kind = ? AND number <= ?", (kind, number)
                    )
                    break

    def _load(self) -> None:
        """Load the evaluations and children into the core, the newest last."""

        def load(database: sqlite3.Connection) -> None:
            rows = database.execute("SELECT kind, checksum, content FROM blocks ORDER BY number")
            for kind, checksum, content in rows:
                if not isinstance(content, bytes) or zlib.crc32(content) != checksum:
                    continue
                if kind == "evaluations":
                    self.native.load_evaluations(content)
                elif kind == "children":
                    self.native.load_children(content)

        self._try(load)

    # The file.

    def _try(self, action: Callable[[sqlite3.Connection], T]) -> T | None:
        """Run an action, or return None if it fails; a damaged file is replaced."""
        return None if self._file is None else self._file.attempt(action)


def cache_key(state: State, depth: int) -> Key:
    """A position and a depth, with the draw limits only if they are within that depth.

    >>> cache_key(State(), 3)
    ('9 e1/e9 - 10/10 1', 3)
    """
    config = state.config
    position = " ".join(state.text().split()[:5])
    left = (
        config.max_moves - state.move_count,
        config.no_progress_limit - state.moves_since_last_wall,
    )
    if min(left) > depth:
        return position, depth
    ends = [str(min(moves, depth + 1)) for moves in left]
    return " ".join([position, *ends, str(config.draw_penalty)]), depth


def default_path() -> Path:
    """The path of the user's own caches."""
    return data_path() / "minimax.sqlite"


_shared: dict[tuple[int, Path], MinimaxCache] = {}
_shared_lock = threading.Lock()


def shared_cache() -> MinimaxCache:
    """The caches that all agents of this process share, opened on first use."""
    path = default_path()
    with suppress(ConfigError):  # then the caches are in memory only
        make_folder(path.parent)
    with _shared_lock:
        key = (os.getpid(), path)  # a connection must not be used after a fork
        if key not in _shared:
            _shared[key] = MinimaxCache(path)
        return _shared[key]


@atexit.register
def _save_shared() -> None:
    for (process, _), cache in _shared.items():
        if process == os.getpid():
            cache.save()


def _read(database: sqlite3.Connection, key: Key) -> BestMove | None:
    row = database.execute(
        "SELECT score, win_in, line, nodes FROM best_moves WHERE position = ? AND depth = ?", key
    ).fetchone()
    if row is None:
        return None
    score, win_in, line, nodes = row
    try:
        moves = tuple(int(move) for move in line.split())
    except (AttributeError, ValueError):
        return None
    if not (isinstance(score, int | float) and isfinite(score) and isinstance(nodes, int)):
        return None
    if win_in is not None and not (isinstance(win_in, int) and 0 < abs(win_in) <= key[1]):
        return None
    return BestMove(moves, float(score), nodes, win_in)


def _format_line(line: tuple[int, ...]) -> str:
    return " ".join(map(str, line))


def _is_legal_line(line: tuple[int, ...], state: State) -> bool:
    actions = range(action_space_size(state.board_size))
    for action in line:
        if action not in actions or not state.is_legal(action):
            return False
        state = state.play(action)
    return bool(line)


def _result(best: BestMove, state: State, depth: int) -> SearchResult:
    player = state.current_player
    score = Score(best.score, state.game.unit, player)
    if best.win_in is not None:
        score = Score.proven(best.win_in, player)
    return SearchResult(best.line[0], score, depth, list(best.line), best.nodes)


def _count(database: sqlite3.Connection) -> tuple[int, int, int]:
    (moves,) = database.execute("SELECT count(*) FROM best_moves").fetchone()
    totals = dict(database.execute("SELECT kind, sum(entries) FROM blocks GROUP BY kind"))
    return moves, int(totals.get("evaluations", 0)), int(totals.get("children", 0))


def _delete_all(database: sqlite3.Connection) -> bool:
    database.execute("DELETE FROM best_moves")
    database.execute("DELETE FROM blocks")
    database.execute("VACUUM")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return True
