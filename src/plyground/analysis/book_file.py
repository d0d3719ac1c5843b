"""An opening book in a file, which grows by games and can be read while it grows.

The file is an SQLite database with two tables. `moves` has a row for each move of each position:
the number of the position (the first 8 bytes of the BLAKE2b hash of the game's name and the
position's text), the action in the orientation of the book, and the counts of games, wins of
player 1, draws, and wins of player 2. `games` has the hash of each game that was counted, so that
adding the same games again changes nothing. A row takes about 25 bytes.

Games are added in transactions, so a program that is killed loses only the last few. The same
command then continues where it stopped.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path

from plyground.analysis.opening_book import PLIES, MemoryBook, MoveCounts
from plyground.database import READ_ERRORS, check_tables, harden, retry_while_locked
from plyground.errors import ConfigError
from plyground.folders import data_path
from plyground.hints import reason_of
from plyground.play.record import Record
from plyground.play.record_text import format_record

VERSION = 1
APPLICATION = 0x506C7942
"""SQLite's application id of a book: "PlyB"."""
TIMEOUT_S = 10.0
"""Seconds to wait for another program that writes to the book."""
COMMIT_S = 1.0
"""Seconds between two transactions."""

_TABLES = """
CREATE TABLE moves (
    position INTEGER NOT NULL,
    move INTEGER NOT NULL,
    games INTEGER NOT NULL,
    wins1 INTEGER NOT NULL,
    draws INTEGER NOT NULL,
    wins2 INTEGER NOT NULL,
    PRIMARY KEY (position, move)
) WITHOUT ROWID;
CREATE TABLE games (hash INTEGER PRIMARY KEY);
"""
_COLUMNS = {"moves": "position, move, games, wins1, draws, wins2", "games": "hash"}
_ADD = """
INSERT INTO moves VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
    games = games + excluded.games, wins1 = wins1 + excluded.wins1,
    draws = draws + excluded.draws, wins2 = wins2 + excluded.wins2
"""


def default_book() -> Path:
    """The book that screens read, and that `plyground book add` writes to by default."""
    return data_path("book.sqlite")


class BookFile:
    """A book in a file; a ConfigError if it cannot be used. For one thread at a time."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        if read_only and not path.is_file():
            raise ConfigError(f"there is no book {path}")
        with self._reporting("open"):
            self._db = retry_while_locked(lambda: self._connect(read_only), TIMEOUT_S)

    def add_games(
        self,
        records: Iterable[Record],
        plies: int = PLIES,
        on_progress: Callable[[int], object] = lambda done: None,  # noqa: ARG005
    ) -> int:
        """Count games that were not counted before; returns how many there were.

        Ctrl-C loses nothing that is committed: games are, about every second.
        """
        added, batch, hashes = 0, MemoryBook(), set[int]()
        due = time.monotonic() + COMMIT_S
        for done, record in enumerate(records, 1):
            on_progress(done)
            number = _hash(record)
            if number not in hashes and not self._has(number):
                batch.add_game(record, plies)
                hashes.add(number)
            if time.monotonic() >= due:
                added += self._commit(batch, hashes)
                batch, hashes = MemoryBook(), set[int]()
                due = time.monotonic() + COMMIT_S
        return added + self._commit(batch, hashes)

    def counts(self, position: int) -> dict[int, MoveCounts]:
        """The moves of a position."""
        query = "SELECT move, games, wins1, draws, wins2 FROM moves WHERE position = ?"
        with self._reporting("read"):
            rows = self._db.execute(query, [position]).fetchall()
        if not all(isinstance(value, int) for row in rows for value in row):
            raise ConfigError(f"cannot read the book {self.path}: it has other values than numbers")
        return {move: MoveCounts(*counts) for move, *counts in rows}

    def sizes(self) -> dict[str, int]:
        """The numbers of games, positions and moves, and the bytes of the file."""
        counts = "SELECT count(*) FROM games", "SELECT count(DISTINCT position) FROM moves"
        with self._reporting("read"):
            games, positions, moves = (
                int(self._db.execute(query).fetchone()[0])
                for query in (*counts, "SELECT count(*) FROM moves")
            )
        size = self.path.stat().st_size
        return {"games": games, "positions": positions, "moves": moves, "bytes": size}

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def __enter__(self) -> BookFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _has(self, number: int) -> bool:
        with self._reporting("read"):
            row = self._db.execute("SELECT 1 FROM games WHERE hash = ?", [number]).fetchone()
        return row is not None

    def _commit(self, batch: MemoryBook, hashes: set[int]) -> int:
        if not hashes:
            return 0
        rows = [
            (position, move, each.games, each.wins1, each.draws, each.wins2)
            for position, move, each in batch.rows()
        ]
        with self._reporting("write"), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("INSERT INTO games VALUES (?)", ([each] for each in hashes))
            self._db.executemany(_ADD, rows)
        return len(hashes)

    def _connect(self, read_only: bool) -> sqlite3.Connection:
        mode = "ro" if read_only else "rwc"
        uri = f"{self.path.absolute().as_uri()}?mode={mode}"
        database = sqlite3.connect(
            uri, uri=True, timeout=TIMEOUT_S, isolation_level=None, check_same_thread=False
        )
        try:
            harden(database)
            (kind,) = database.execute("PRAGMA application_id").fetchone()
            is_empty = not database.execute("SELECT 1 FROM sqlite_master").fetchone()
            if is_empty and not read_only:
                with database:
                    database.execute("BEGIN IMMEDIATE")
                    if not database.execute("SELECT 1 FROM sqlite_master").fetchone():
                        for statement in _TABLES.split(";")[:-1]:
                            database.execute(statement)
                        database.execute(f"PRAGMA application_id = {APPLICATION}")
                        database.execute(f"PRAGMA user_version = {VERSION}")
            elif kind != APPLICATION:
                raise sqlite3.DatabaseError("it is not an opening book")
            (version,) = database.execute("PRAGMA user_version").fetchone()
            if version != VERSION:
                raise sqlite3.DatabaseError(f"expected version {VERSION}, got {version}")
            check_tables(database, _COLUMNS)
        except BaseException:
            database.close()
            raise
        return database

    @contextmanager
    def _reporting(self, what: str) -> Iterator[None]:
        try:
            yield
        except READ_ERRORS as error:
            raise ConfigError(f"cannot {what} the book {self.path}: {reason_of(error)}") from error


def _hash(record: Record) -> int:
    digest = blake2b(format_record(record).encode(errors="surrogateescape"), digest_size=8)
    return int.from_bytes(digest.digest(), "big", signed=True)
