"""Sessions on disk, so that a restart loses no game.

Each session has a file that is replaced as a whole whenever its game changes, and another one with
the games it played before. A thread writes them, so that the event loop does not wait for the
system, and another one waits until the disk has them. What is written outlives this process at
once, and a crash of the system soon after.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from plyground.errors import NotationError
from plyground.files import (
    remove_temporary_files,
    replace_private_file,
    sync_file,
    sync_folder,
)
from plyground.folders import make_folder
from plyground.hints import counted, reason_of
from plyground.json_types import JsonObject
from plyground.play.live_game import LiveGame
from plyground.play.record import Record
from plyground.play.record_text import format_record, parse_record

SESSION_ID = re.compile(r"[A-Za-z0-9_-]{22}")
PAST = 50
PAST_BYTES = 1_000_000
"""Past games kept per session, and their most bytes."""
PARSED = 1000
"""Past games kept in memory after they were parsed."""
CLOSE_S = 10.0
"""Seconds to write what is due at the end."""
_BETWEEN_GAMES = re.compile(rb"\n\n(?=\[Game \")")


@dataclass(frozen=True, slots=True)
class StoredSession:
    """What is stored of a session: its game, and the agents by name, None for a person."""

    record: Record
    agents: tuple[str | None, str | None]
    invitation: JsonObject | None = None
    """Who may play, in a game between two people who were invited."""

    @classmethod
    def of(cls, live: LiveGame) -> StoredSession:
        """A live game as it stands."""
        seats = live.seats
        first, second = (None if seats[n].is_person else seats[n].name for n in (1, 2))
        return cls(live.record(), (first, second))


@dataclass(slots=True)
class _Due:
    """What is to be written of a session."""

    snapshot: Callable[[], StoredSession] | None = None
    """The game that is played, if it has changed."""
    past: list[Record] = field(default_factory=list)
    """Games to add to those played before."""
    deleted: list[str] = field(default_factory=list)
    """Digests of past games to delete."""
    on_written: list[Callable[[], object]] = field(default_factory=list)


class SessionStore:
    """The folder of all sessions. Only ids that `SESSION_ID` matches ever become file names.

    A session's id is all that a page needs to open it, so that only the owner of the folder may
    read it.
    """

    def __init__(
        self,
        folder: Path,
        most: int,
        most_bytes: int | None = None,
        past_bytes: int = PAST_BYTES,
    ) -> None:
        self._folder = folder
        self._most = most
        self._most_bytes = most_bytes
        self._past_bytes = past_bytes
        make_folder(folder, private=True)
        remove_temporary_files(folder)
        self._due: dict[str, _Due] = {}
        self._changed = threading.Condition()
        self._closing = self._has_ended = False
        self._writing: str | None = None
        self._unsynced: set[Path] = set()
        self._has_failed = False
        self._parse = lru_cache(PARSED)(_parse_game)
        self._thread = threading.Thread(target=self._write_all, name="web-files", daemon=True)
        self._thread.start()
        self._syncing = threading.Thread(target=self._sync_all, name="web-disk", daemon=True)
        self._syncing.start()

    def load(self, session: str) -> StoredSession | None:
        """A stored session; None if there is none or its file cannot be read."""
        self._flush(session)
        try:
            stored = json.loads(self._path(session, ".json").read_text(encoding="utf-8"))
            first, second = stored["agents"]
            record = parse_record(stored["record"])
            return StoredSession(record, (first, second), stored.get("invitation"))
        except OSError:
            return None
        except (ValueError, KeyError, TypeError) as error:
            _say(f"cannot read the game in {self._path(session, '.json')}: {reason_of(error)}")
            return None

    def save_soon(
        self,
        session: str,
        snapshot: Callable[[], StoredSession],
        on_written: Callable[[], object] = lambda: None,
    ) -> None:
        """Write a session soon, as `snapshot` returns it then.

        `on_written` is called on the writer's thread when it is done, even if writing failed. The
        disk may have it a moment later.
        """
        with self._changed:
            due = self._due.setdefault(session, _Due())
            due.snapshot = snapshot
            due.on_written.append(on_written)
            self._changed.notify_all()

    def append_past(self, session: str, record: Record) -> None:
        """Add a game to those that a session has played."""
        with self._changed:
            self._due.setdefault(session, _Due()).past.append(record)
            self._changed.notify_all()

    def delete_past(self, session: str, digest: str) -> bool:
        """Delete a past game by the digest of its text; returns whether there was one."""
        if digest not in (name for name, _ in self.past(session)):
            return False
        with self._changed:
            self._due.setdefault(session, _Due()).deleted.append(digest)
            self._changed.notify_all()
        return True

    def past(self, session: str) -> list[tuple[str, Record]]:
        """The past games of a session with digests of their texts, oldest first.

        Games that cannot be read are left out.
        """
        self._flush(session)
        games = _split(self._read_past(session))
        parsed = ((_digest(game), self._parse(game)) for game in games)
        return [(digest, record) for digest, record in parsed if record is not None]

    def close(self, timeout_s: float = CLOSE_S) -> None:
        """Write what is due and stop; says so if the disk is too slow for that."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        end = time.monotonic() + timeout_s
        self._thread.join(timeout_s)
        self._syncing.join(max(0.0, end - time.monotonic()))
        if self._thread.is_alive():
            print(
                f"plyground: the last changes of {counted(len(self._due), 'game')} are not kept: "
                f"{self._folder} was not written within {timeout_s:g} seconds",
                file=sys.stderr,
            )

    def remove_oldest(self) -> None:
        """Remove the oldest sessions beyond the limits of their number and of the disk."""
        used = 0
        for place, path in enumerate(sorted(self._files(), key=_changed_at, reverse=True)):
            used += _size(path) + _size(path.with_suffix(".pgn"))
            if place >= self._most or (self._most_bytes is not None and used > self._most_bytes):
                self._remove(path)

    def remove_expired(self, lifetime_s: Callable[[StoredSession | None], float]) -> int:
        """Remove sessions that have not changed for their lifetime; returns how many are left.

        The lifetime gets None for a file that cannot be read.
        """
        now = time.time()
        for path in self._files():
            if now - _changed_at(path) > lifetime_s(self.load(path.stem)):
                self._remove(path)
        return self.count()

    def count(self) -> int:
        """The number of stored sessions."""
        return len(self._files())

    def _files(self) -> list[Path]:
        """The files of all sessions."""
        return [path for path in self._folder.glob("*.json") if SESSION_ID.fullmatch(path.stem)]

    @staticmethod
    def _remove(path: Path) -> None:
        path.unlink(missing_ok=True)
        path.with_suffix(".pgn").unlink(missing_ok=True)

    def _flush(self, session: str) -> None:
        """Wait until everything about a session is on disk."""
        with self._changed:
            self._changed.wait_for(lambda: session not in self._due and session != self._writing)

    def _write_all(self) -> None:
        while True:
            with self._changed:
                self._writing = None
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._due or self._closing)
                if not self._due:
                    self._has_ended = True
                    self._changed.notify_all()
                    return
                self._writing = next(iter(self._due))
                due = self._due.pop(self._writing)
            try:
                self._write(self._writing, due)
            except Exception as error:  # noqa: BLE001  the thread must go on
                self._report(error)
            for call in due.on_written:
                with suppress(RuntimeError):  # the loop has ended
                    call()

    def _write(self, session: str, due: _Due) -> None:
        contents: dict[Path, bytes] = {}
        if due.past or due.deleted:  # before the game that follows them
            contents[self._path(session, ".pgn")] = self._changed_past(session, due)
        if due.snapshot is not None:
            contents[self._path(session, ".json")] = _format_session(due.snapshot())
        for path, content in contents.items():
            replace_private_file(path, content)
        with self._changed:
            self._unsynced.update(contents)
            self._changed.notify_all()

    def _sync_all(self) -> None:
        """Wait for the disk until the writer has ended."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._unsynced or self._has_ended)
                paths, self._unsynced = self._unsynced, set()
                if not paths:
                    return
            for path in paths:
                try:
                    sync_file(path)
                except FileNotFoundError:
                    continue  # removed meanwhile
                except OSError as error:
                    self._report(error)
            with suppress(OSError):
                sync_folder(self._folder)

    def _changed_past(self, session: str, due: _Due) -> bytes:
        """The file of past games after additions and deletions; earlier games are not parsed."""
        games = _split(self._read_past(session))
        for digest in due.deleted:
            found = next((game for game in games if _digest(game) == digest), None)
            if found is not None:
                games.remove(found)
        games = [*games, *(format_record(record).encode() for record in due.past)][-PAST:]
        while len(games) > 1 and sum(map(len, games)) > self._past_bytes:
            del games[0]
        return b"\n".join(games)

    def _read_past(self, session: str) -> bytes:
        try:
            return self._path(session, ".pgn").read_bytes()
        except OSError:
            return b""

    def _report(self, error: Exception) -> None:
        """Say once that games cannot be kept; each later change is tried again."""
        if not self._has_failed:
            self._has_failed = True
            _say(f"cannot keep games in {self._folder}: {reason_of(error)}")

    def _path(self, session: str, suffix: str) -> Path:
        if not SESSION_ID.fullmatch(session):
            raise NotationError(f"expected a session, got {session[:40]!r}")
        return self._folder / f"{session}{suffix}"


def _format_session(stored: StoredSession) -> bytes:
    fields: JsonObject = {"record": format_record(stored.record), "agents": [*stored.agents]}
    if stored.invitation is not None:
        fields["invitation"] = stored.invitation
    return json.dumps(fields).encode()


def _split(text: bytes) -> list[bytes]:
    """The games of a file of past games as text; each begins with its tag `Game`."""
    return [game.strip() + b"\n" for game in _BETWEEN_GAMES.split(text) if game.strip()]


def _digest(game: bytes) -> str:
    return hashlib.sha256(game).hexdigest()[:16]


def _parse_game(text: bytes) -> Record | None:
    with suppress(ValueError):  # also a UnicodeDecodeError
        return parse_record(text.decode())
    return None


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _changed_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _say(text: str) -> None:
    print(f"plyground: {text}", file=sys.stderr, flush=True)
