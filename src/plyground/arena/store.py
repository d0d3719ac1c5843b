"""Every game of every tournament, in one SQLite file. Nothing is ever deleted from it.

A game is written in a transaction of its own as soon as it ends: a program that is killed loses
only the games in flight. Games belong to a tournament, which is a set of conditions: the same
conditions find the same tournament again, whichever agents play, and no game is played twice.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import TypeAlias

from plyground.agents.base import ForfeitKind
from plyground.arena.forfeits import kind_of_reason
from plyground.arena.task import GameResult
from plyground.database import (
    READ_ERRORS,
    check_tables,
    error_code,
    harden,
    retry_while_locked,
)
from plyground.errors import ConfigError
from plyground.json_types import Json, JsonObject
from plyground.play import Record, format_record, parse_record, read_games

TournamentConditions: TypeAlias = Mapping[str, Json]
"""What the games of a tournament depend on, apart from the agents, as JSON."""

_VERSION = 2
"""Version of the tables below, kept in the file. In version 1 games had no `forfeit`."""

_TIMEOUT_S = 60
"""Seconds to wait for another program that writes to the same store."""

_TABLES = """
CREATE TABLE tournament (
    id INTEGER PRIMARY KEY,
    conditions TEXT NOT NULL,       -- what games depend on apart from the players, as JSON
    started TEXT NOT NULL
);
CREATE TABLE game (
    id INTEGER PRIMARY KEY,
    tournament INTEGER NOT NULL REFERENCES tournament (id),
    player1 TEXT NOT NULL,
    player2 TEXT NOT NULL,
    start TEXT NOT NULL,            -- the opening
    round INTEGER NOT NULL,         -- repetition of this opening with these colours, from 1
    result TEXT NOT NULL,           -- 1-0, 0-1 or 1/2-1/2
    termination TEXT NOT NULL,      -- the reason
    plies INTEGER NOT NULL,
    seconds1 REAL NOT NULL,         -- time spent on moves
    seconds2 REAL NOT NULL,
    nodes1 INTEGER NOT NULL,        -- positions searched, 0 if the agent does not report them
    nodes2 INTEGER NOT NULL,
    finished TEXT NOT NULL,
    record TEXT NOT NULL,           -- the game itself, with times and scores
    forfeit TEXT,                   -- how the loser forfeited it, such as crash, or NULL
    UNIQUE (tournament, player1, player2, start, round)
);
"""
_KINDS = frozenset(kind.value for kind in ForfeitKind)
_OPENINGS = """
CREATE TABLE IF NOT EXISTS openings (
    wanted TEXT PRIMARY KEY,        -- game, settings, seed and count, as JSON
    found TEXT NOT NULL             -- their positions, one a line
);
"""
"""Openings that took long to find. Older stores do not have this table."""
_GAME = (
    "id, tournament, player1, player2, start, round, result, termination, plies, seconds1, "
    "seconds2, nodes1, nodes2, finished, record"
)
"""The columns of a game, in the order of StoredGame."""
_INSERT = (
    "INSERT OR IGNORE INTO game (tournament, player1, player2, start, round, result, termination, "
    "plies, seconds1, seconds2, nodes1, nodes2, finished, record, forfeit) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_TOURNAMENT = "id, conditions, started"
_RESULTS = ("1-0", "0-1", "1/2-1/2")


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as the store has it."""

    id: int
    tournament: int
    player1: str
    player2: str
    start: str
    round: int
    result: str
    termination: str
    plies: int
    seconds1: float
    seconds2: float
    nodes1: int
    nodes2: int
    finished: str
    text: str
    forfeit: ForfeitKind | None = None
    """How the loser forfeited the game; None if it was decided on the board."""

    def __post_init__(self) -> None:
        """Check what was read, since anyone may have written the file."""
        numbers = (self.id, self.tournament, self.round, self.plies, self.nodes1, self.nodes2)
        texts = (self.player1, self.player2, self.start, self.termination, self.finished, self.text)
        if (
            not all(type(number) is int for number in numbers)
            or not all(type(text) is str for text in texts)
            or not all(type(s) in (int, float) and s >= 0 for s in (self.seconds1, self.seconds2))
            or self.result not in _RESULTS
        ):
            raise ConfigError(f"cannot read game {self.id!r} of the store: its row is damaged")

    @property
    def key(self) -> tuple[str, str, str, int]:
        """Identifies the game within its tournament; see `Task.key`."""
        return self.player1, self.player2, self.start, self.round

    def record(self) -> Record:
        """The game itself, with its date and number."""
        record = parse_record(self.text)
        tags = {"Event": f"tournament {self.tournament}, game {self.id}"}
        if self.finished:
            tags["Date"] = self.finished[:10].replace("-", ".")
        return replace(record, tags=tags | record.tags)


@dataclass(frozen=True, slots=True)
class Filter:
    """Selects games; None matches every game."""

    tournament: int | None = None
    player: str | None = None
    """The exact name of one player."""
    opponent: str | None = None
    """The exact name of the other player."""
    result: str | None = None
    reason: str | None = None
    """Part of the termination."""
    last: int | None = None
    """Number of games, the newest ones."""
    id: int | None = None
    """The id of a single game."""
    after: int | None = None
    """An id below those of the games."""
    opening: str | None = None
    """The first moves, such as "e2 e8", or the text of the start position."""
    min_plies: int | None = None
    max_plies: int | None = None
    """Bounds of the length, in moves of both players."""
    since: str | None = None
    until: str | None = None
    """The first and the last day on which the games ended, such as "2026-11-16"."""

    def __post_init__(self) -> None:
        for name, day in (("since", self.since), ("until", self.until)):
            if day is not None:
                check_day(name, day)

    def sql(self) -> tuple[str, list[int | str]]:
        """The end of a query, and its values."""
        parts: list[str] = []
        values: list[int | str] = []
        exact = {"tournament": self.tournament, "result": self.result, "id": self.id}
        for column, value in exact.items():
            if value is not None:
                parts.append(f"{column} = ?")
                values.append(value)
        if self.after is not None:
            parts.append("id > ?")
            values.append(self.after)
        for name in (self.player, self.opponent):
            if name is not None:
                parts.append("? IN (player1, player2)")
                values.append(name)
        if self.reason is not None:
            parts.append("instr(termination, ?)")
            values.append(self.reason)
        limits: dict[str, int | str | None] = {
            "plies >= ?": self.min_plies,
            "plies <= ?": self.max_plies,
            "substr(finished, 1, 10) >= ?": self.since,
            "finished != '' AND substr(finished, 1, 10) <= ?": self.until,
            "has_opening(record, ?)": self.opening,
        }
        for part, limit in limits.items():
            if limit is not None:
                parts.append(part)
                values.append(limit)
        where = " WHERE " + " AND ".join(parts) if parts else ""
        if self.last is None:
            return f" FROM game{where} ORDER BY id", values
        newest = f"SELECT id FROM game{where} ORDER BY id DESC LIMIT ?"
        return f" FROM game WHERE id IN ({newest}) ORDER BY id", [*values, self.last]

    def matches(self, record: Record) -> bool:
        """Whether a record is selected, `last` apart; `id`, `after`, `tournament` need a store."""
        for name in ("id", "after", "tournament"):
            if getattr(self, name) is not None:
                raise ConfigError(f"expected a store to filter by {name}, got records")
        names = [record.player_name(1), record.player_name(2)]
        plies, day = len(record.moves), day_of(record)
        return (
            all(name in (None, *names) for name in (self.player, self.opponent))
            and self.result in (None, record.result)
            and (self.reason is None or self.reason in record.termination)
            and (self.min_plies is None or plies >= self.min_plies)
            and (self.max_plies is None or plies <= self.max_plies)
            and (self.since is None or day >= self.since)
            and (self.until is None or "" < day <= self.until)
            and (self.opening is None or has_opening(record, self.opening))
        )


def check_day(name: str, day: str) -> None:
    """Raise a ConfigError unless a text is a day such as 2026-11-16."""
    try:
        if date.fromisoformat(day).isoformat() == day:
            return
    except ValueError:
        pass
    raise ConfigError(f"expected {name} to be a day such as 2026-11-16, got {day!r}")


def day_of(record: Record) -> str:
    """The day in a record's tag, such as 2026-11-16; empty if it has none."""
    return record.tags.get("Date", "").replace(".", "-")


def has_opening(record: Record, opening: str) -> bool:
    """Whether a game begins with these moves, or at this position."""
    state = record.start_state()
    if " ".join(opening.split()) in (record.start, state.text()):
        return True
    try:
        actions = state.game.parse_line(state, opening)
    except ValueError:  # a position, or moves that are illegal here
        return False
    if not 0 < len(actions) <= len(record.moves):
        return False
    for action, move in zip(actions, record.moves, strict=False):
        if state.format_move(action) != move.text:
            return False
        state = state.play(action)
    return True


def _row_has_opening(text: str, opening: str) -> bool:
    try:
        return has_opening(parse_record(text), opening)
    except ValueError:  # a damaged record
        return False


class Store:
    """A store file, or `:memory:`. Use it from one thread, and close it or use `with`.

    Opened for reading only, it may also be a file of records, whose finished games are read.

    >>> with Store(":memory:") as store:
    ...     number = store.tournament({"game": "reversi"})
    ...     (number, store.tournament({"game": "reversi"}), store.count())
    (1, 1, 0)
    """

    def __init__(self, path: str | Path, *, read_only: bool = False) -> None:
        self.path = str(path)
        self._files = ExitStack()
        self.skipped = 0
        """Unfinished games of a file of records, which are not part of its store."""
        if read_only and not Path(path).is_file():
            raise ConfigError(f"expected a store of games, got {self.path!r}, which is not a file")
        records = stored_records(Path(path)) if read_only else None
        try:
            if records is not None:
                self._db = sqlite3.connect(":memory:")
            elif read_only:
                self._db = self._open_for_reading(Path(path).absolute())
            else:
                self._db = sqlite3.connect(self.path, timeout=_TIMEOUT_S)
        except (OSError, *READ_ERRORS) as error:
            self._files.close()
            raise ConfigError(f"cannot open the store {self.path!r}: {error}") from None
        try:
            harden(self._db)
            self._db.create_function("has_opening", 2, _row_has_opening)
            if records is not None:
                self._prepare()
                self._import(records)
            elif read_only:
                self._db.execute("PRAGMA query_only = ON")
            else:
                # A commit then does not wait for the disk. It survives a killed program; a power
                # cut may lose the last few games, but never damages the file.
                retry_while_locked(
                    lambda: self._db.execute("PRAGMA journal_mode = WAL"), _TIMEOUT_S
                )
                self._db.execute("PRAGMA synchronous = NORMAL")
                self._prepare()
            self._check()
        except (ConfigError, *READ_ERRORS) as error:
            self.close()
            if isinstance(error, ConfigError):
                raise
            raise ConfigError(f"expected a store of games in {self.path!r}: {error}") from None

    def _open_for_reading(self, path: Path) -> sqlite3.Connection:
        """Open a file, also in a folder that cannot be written to."""
        # "rw" cleans up after itself, and opens a write-protected file as well.
        database = sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True, timeout=_TIMEOUT_S)
        try:
            database.execute("SELECT count(*) FROM sqlite_master")
            return database
        except READ_ERRORS as error:
            unwritable = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
            if not isinstance(error, sqlite3.Error) or error_code(error) not in unwritable:
                return database  # the caller finds out what is wrong with it
            database.close()
        # The write-ahead log needs a file beside the store, so a copy is read instead.
        folder = Path(self._files.enter_context(TemporaryDirectory(prefix="plyground-store-")))
        for end in ("", "-wal"):
            if (part := path.with_name(path.name + end)).is_file():
                copyfile(part, folder / (path.name + end))
        copy = folder / path.name
        return sqlite3.connect(f"{copy.as_uri()}?mode=rw", uri=True, timeout=_TIMEOUT_S)

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Turn the errors of a damaged file into a ConfigError."""
        try:
            yield
        except READ_ERRORS as error:
            raise ConfigError(f"cannot read the store {self.path!r}: {error}") from None

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """A transaction; a ConfigError if there is no space left, or the file is gone."""
        try:
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                yield
        except READ_ERRORS as error:
            raise ConfigError(f"cannot write to the store {self.path!r}: {error}") from None

    def _prepare(self) -> None:
        """Make the tables of a new store."""
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")  # two programs that create it take turns
            (things,) = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
            if not things and not version:
                for statement in _TABLES.split(";"):
                    self._db.execute(statement)
                self._db.execute(f"PRAGMA user_version = {_VERSION}")
                version = _VERSION
            if version == 1:
                self._add_forfeits()
                version = _VERSION
            if version == _VERSION:  # not the database of another program
                self._db.execute(_OPENINGS)

    def _import(self, records: list[Record]) -> None:
        """Take in the finished games of a file, a tournament for each game and its settings."""
        numbers: dict[str, int] = {}
        for count, record in enumerate(records, 1):
            if record.result not in _RESULTS:
                self.skipped += 1
                continue
            conditions: JsonObject = {"game": record.game, "settings": {**record.settings}}
            key = json.dumps(conditions, sort_keys=True)
            number = numbers.get(key) or self.tournament(conditions)
            numbers[key] = number
            first = record.start_state().current_player - 1
            seconds = [
                sum(move.time_s or 0.0 for move in record.moves[(player + first) % 2 :: 2])
                for player in (0, 1)
            ]
            names = [record.player_name(1), record.player_name(2)]
            kind = kind_of_reason(record.termination)
            values: list[object] = [number, *names, record.start or "", count, record.result]
            values += [record.termination, len(record.moves), *seconds, 0, 0, day_of(record)]
            values += [format_record(record), None if kind is None else kind.value]
            self._db.execute(_INSERT, values)
        self._db.commit()

    def _add_forfeits(self) -> None:
        """Bring the tables of version 1 up to date, with kinds of forfeits from their reasons."""
        self._db.execute("ALTER TABLE game ADD COLUMN forfeit TEXT")
        reasons = self._db.execute("SELECT DISTINCT termination FROM game").fetchall()
        for (reason,) in reasons:
            if (kind := kind_of_reason(str(reason))) is not None:
                values = [kind.value, reason]
                self._db.execute("UPDATE game SET forfeit = ? WHERE termination = ?", values)
        self._db.execute(f"PRAGMA user_version = {_VERSION}")

    def _check(self) -> None:
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if version == 0:
            raise ConfigError(f"expected a store of games, got another database in {self.path!r}")
        self._has_forfeits = version > 1
        if version not in (1, _VERSION):
            raise ConfigError(
                f"expected version {_VERSION} of a store in {self.path!r}, got {version}"
            )
        added = ", forfeit" if self._has_forfeits else ""
        check_tables(self._db, {"tournament": _TOURNAMENT, "game": _GAME + added})

    def tournament(self, conditions: TournamentConditions, *, fresh: bool = False) -> int:
        """The number of the tournament with these conditions, which is created if missing."""
        text = json.dumps(conditions, sort_keys=True)
        with self._writing():
            found = self._db.execute(
                "SELECT id FROM tournament WHERE conditions = ? ORDER BY id DESC", [text]
            ).fetchone()
            if found and not fresh:
                return int(found[0])
            row = self._db.execute(
                "INSERT INTO tournament (conditions, started) VALUES (?, ?)", [text, _now()]
            )
        return int(row.lastrowid or 0)

    def tournaments(self) -> dict[int, JsonObject]:
        """The conditions of each tournament."""
        with self._reading():
            rows = self._db.execute("SELECT id, conditions FROM tournament ORDER BY id").fetchall()
        return {number: self._conditions(number, text) for number, text in rows}

    def _conditions(self, number: int, text: str) -> JsonObject:
        try:
            conditions = json.loads(text)
        except (ValueError, TypeError, RecursionError):
            conditions = None
        if not isinstance(conditions, dict):
            raise ConfigError(
                f"cannot read tournament {number!r} of the store {self.path!r}: its row is damaged"
            )
        return conditions

    def check_tournament(self, number: int) -> None:
        """Raise a ConfigError unless the tournament exists."""
        with self._reading():
            found = self._db.execute("SELECT 1 FROM tournament WHERE id = ?", [number]).fetchone()
            (there,) = self._db.execute("SELECT count(*) FROM tournament").fetchone()
        if not found:
            raise ConfigError(f"no tournament {number} in {self.path!r}, which has {there}")

    def openings(self, wanted: TournamentConditions) -> list[str] | None:
        """The openings that were kept under this key, if any."""
        key = json.dumps(wanted, sort_keys=True)
        with self._reading():
            row = self._db.execute("SELECT found FROM openings WHERE wanted = ?", [key]).fetchone()
        return None if row is None or not row[0] else str(row[0]).splitlines()

    def keep_openings(self, wanted: TournamentConditions, found: Sequence[str]) -> None:
        """Keep openings that took long to find, as positions, under a key."""
        key = json.dumps(wanted, sort_keys=True)
        with self._writing():
            self._db.execute(
                "INSERT OR IGNORE INTO openings VALUES (?, ?)", [key, "\n".join(found)]
            )

    def add(self, tournament: int, game: GameResult) -> bool:
        """Keep a game; False if another program has added the same one meanwhile."""
        values = [tournament, *game.task.key, game.record.result, game.record.termination]
        values += [len(game.record.moves), *game.seconds, *game.nodes, _now()]
        values += [format_record(game.record), game.forfeit]
        with self._writing():
            row = self._db.execute(_INSERT, values)
        return row.rowcount == 1

    def games(self, which: Filter | None = None) -> Iterator[StoredGame]:
        """Games in the order they ended."""
        yield from self._read(*(which or Filter()).sql())

    def newest(self) -> Iterator[StoredGame]:
        """All games, the last one first; read lazily."""
        yield from self._read(" FROM game ORDER BY id DESC", [])

    def _read(self, query: str, values: Sequence[int | str]) -> Iterator[StoredGame]:
        """The games that the end of a query selects; read lazily."""
        columns = f"{_GAME}, forfeit" if self._has_forfeits else _GAME
        with self._reading():
            for row in self._db.execute(f"SELECT {columns}{query}", values):
                game = StoredGame(*(row[:-1] if self._has_forfeits else row))
                kind = row[-1] if self._has_forfeits else kind_of_reason(game.termination)
                yield replace(game, forfeit=ForfeitKind(kind)) if kind in _KINDS else game

    def count(self, which: Filter | None = None) -> int:
        """The number of games."""
        where, values = (which or Filter()).sql()
        with self._reading():
            (number,) = self._db.execute(f"SELECT count(*){where}", values).fetchone()
        return int(number)

    def close(self) -> None:
        """Close the file."""
        self._db.close()
        self._files.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def is_database(path: Path) -> bool:
    """Whether a file is a SQLite database, as stores are."""
    try:
        with path.open("rb") as file:
            return file.read(16) == b"SQLite format 3\0"
    except OSError:
        return False


def stored_records(path: Path) -> list[Record] | None:
    """The games of a file of records; None for a database.

    A file that holds neither is left to SQLite, which says what is wrong with it.
    """
    try:
        with path.open("rb") as file:
            start = file.read(4096)
    except OSError:
        return None
    is_text = b"\0" not in start and b"[" in start
    return read_games(path) if is_text else None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
