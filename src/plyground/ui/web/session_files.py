"""Sessions on the disk, so that a restart loses no game.

A session has a file of its own that is replaced as a whole whenever its game changes, and beside it
the games it has played before. A thread of its own writes, so that nobody waits for the disk; what
changes twice meanwhile is written once.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.files import replacing
from plyground.play.game_file import read_games
from plyground.play.record import Record
from plyground.play.record_text import format_record, format_records, parse_record

SESSION_ID = re.compile(r"[A-Za-z0-9_-]{22}")
PAST = 50
"""Earlier games kept for a session."""


@dataclass(frozen=True, slots=True)
class KeptSession:
    """What is kept of a session: its game, and which seats are agents'."""

    record: Record
    agents: tuple[str | None, str | None]


class SessionFiles:
    """The folder of all sessions. Only names that `SESSION_ID` matches ever become files."""

    def __init__(self, folder: Path, most: int) -> None:
        self._folder = folder
        self._most = most
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(f"cannot make the folder {folder}: {error.strerror}") from error
        # By session, and which of its files or games.
        self._due: dict[tuple[str, int], Callable[[], object]] = {}
        self._changed = threading.Condition()
        self._closing = False
        self._writing: tuple[str, int] | None = None
        self._thread = threading.Thread(target=self._write, name="web-files", daemon=True)
        self._thread.start()

    def load(self, session: str) -> KeptSession | None:
        """A session as it was left; None if there is none, or its file makes no sense."""
        self._flush(session)
        try:
            kept = json.loads(self._path(session, ".json").read_text(encoding="utf-8"))
            first, second = kept["agents"]
            return KeptSession(parse_record(kept["record"]), (first, second))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def save_soon(self, session: str, look: Callable[[], KeptSession]) -> None:
        """Write a session in a moment, as it looks then."""
        self._soon((session, 0), lambda: self._save(session, look()))

    def keep_past(self, session: str, record: Record) -> None:
        """Put a game among those that a session has played."""
        self._soon((session, id(record)), lambda: self._add_past(session, record))

    def past(self, session: str) -> list[Record]:
        """The games a session has played before, the oldest first."""
        self._flush(session)
        with suppress(ConfigError, NotationError, IllegalMoveError):
            return read_games(self._path(session, ".pgn"))
        return []

    def close(self) -> None:
        """Write what is due, and no more."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join()

    def remove_oldest(self) -> None:
        """Forget the sessions left longest ago, where there are too many."""
        files = sorted(self._folder.glob("*.json"), key=_changed_at, reverse=True)
        for path in files[self._most :]:
            path.unlink(missing_ok=True)
            path.with_suffix(".pgn").unlink(missing_ok=True)

    def _flush(self, session: str) -> None:
        """Wait until all that is known of a session is on the disk."""

        def is_done() -> bool:
            at_work = self._writing is not None and self._writing[0] == session
            return not at_work and all(name != session for name, _ in self._due)

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
            with suppress(OSError):  # a full disk: the game goes on, and is tried again
                write()

    def _save(self, session: str, kept: KeptSession) -> None:
        words = json.dumps(asdict(kept) | {"record": format_record(kept.record)})
        with replacing(self._path(session, ".json")) as file:
            file.write(words.encode())

    def _add_past(self, session: str, record: Record) -> None:
        path = self._path(session, ".pgn")
        games: list[Record] = []
        with suppress(ConfigError, NotationError, IllegalMoveError):
            games = read_games(path)
        with replacing(path) as file:
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
