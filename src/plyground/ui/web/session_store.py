"""Sessions on disk, so that a restart loses no game.

Each session has a file that is replaced as a whole whenever its game changes, and another one with
the games it played before. A writer thread keeps the event loop from waiting for the disk; a
session that changes twice before it is written is written once.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.files import atomic_write
from plyground.folders import make_folder
from plyground.play.game_file import read_games
from plyground.play.live_game import LiveGame
from plyground.play.record import Record
from plyground.play.record_text import format_record, format_records, parse_record

SESSION_ID = re.compile(r"[A-Za-z0-9_-]{22}")
PAST = 50
"""Past games kept per session."""


@dataclass(frozen=True, slots=True)
class StoredSession:
    """What is stored of a session: its game, and the agents by name, None for a person."""

    record: Record
    agents: tuple[str | None, str | None]

    @classmethod
    def of(cls, live: LiveGame) -> StoredSession:
        """A live game as it stands."""
        seats = live.seats
        first, second = (None if seats[n].is_person else seats[n].name for n in (1, 2))
        return cls(live.record(), (first, second))


class SessionStore:
    """The folder of all sessions. Only ids that `SESSION_ID` matches ever become file names."""

    def __init__(self, folder: Path, most: int) -> None:
        self._folder = folder
        self._most = most
        make_folder(folder)
        # Keyed by the session and which of its files or games is due.
        self._due: dict[tuple[str, int], Callable[[], object]] = {}
        self._changed = threading.Condition()
        self._closing = False
        self._writing: tuple[str, int] | None = None
        self._thread = threading.Thread(target=self._write, name="web-files", daemon=True)
        self._thread.start()

    def load(self, session: str) -> StoredSession | None:
        """A stored session; None if there is none or its file cannot be read."""
        self._flush(session)
        try:
            stored = json.loads(self._path(session, ".json").read_text(encoding="utf-8"))
            first, second = stored["agents"]
            return StoredSession(parse_record(stored["record"]), (first, second))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def save_soon(self, session: str, snapshot: Callable[[], StoredSession]) -> None:
        """Write a session soon, as `snapshot` returns it then."""
        self._soon((session, 0), lambda: self._save(session, snapshot()))

    def append_past(self, session: str, record: Record) -> None:
        """Add a game to those that a session has played."""
        self._soon((session, id(record)), lambda: self._add_past(session, record))

    def past(self, session: str) -> list[Record]:
        """The past games of a session, oldest first."""
        self._flush(session)
        with suppress(ConfigError, NotationError, IllegalMoveError):
            return read_games(self._path(session, ".pgn"))
        return []

    def close(self) -> None:
        """Write what is due and stop."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join()

    def remove_oldest(self) -> None:
        """Remove the oldest sessions beyond the limit."""
        files = sorted(self._folder.glob("*.json"), key=_changed_at, reverse=True)
        for path in files[self._most :]:
            path.unlink(missing_ok=True)
            path.with_suffix(".pgn").unlink(missing_ok=True)

    def _flush(self, session: str) -> None:
        """Wait until everything about a session is on disk."""

        def is_done() -> bool:
            is_writing = self._writing is not None and self._writing[0] == session
            return not is_writing and all(name != session for name, _ in self._due)

        with self._changed:
            self._changed.wait_for(is_done)

    def _soon(self, key: tuple[str, int], write: Callable[[], object]) -> None:
        with self._changed:
            self._due[key] = write
            self._changed.notify_all()

    def _write(self) -> None:
        while True:
            with self._changed:
                self._writing = None
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._due or self._closing)
                if not self._due:
                    return
                self._writing = next(iter(self._due))
                write = self._due.pop(self._writing)
            with suppress(OSError):  # a full disk: the next change is tried again
                write()

    def _save(self, session: str, stored: StoredSession) -> None:
        text = json.dumps({"record": format_record(stored.record), "agents": stored.agents})
        with atomic_write(self._path(session, ".json")) as file:
            file.write(text.encode())

    def _add_past(self, session: str, record: Record) -> None:
        path = self._path(session, ".pgn")
        games: list[Record] = []
        with suppress(ConfigError, NotationError, IllegalMoveError):
            games = read_games(path)
        with atomic_write(path) as file:
            file.write(format_records([*games, record][-PAST:]).encode())

    def _path(self, session: str, suffix: str) -> Path:
        if not SESSION_ID.fullmatch(session):
            raise NotationError(f"expected a session, got {session[:40]!r}")
        return self._folder / f"{session}{suffix}"


def _changed_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
