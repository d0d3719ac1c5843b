"""The finished games of a tournament in a text file, which grows as games end.

The games come from the store, so the file can always be completed: after a crash, the next run
removes a game that was written in part, and appends the games that are missing. What else is in
the file stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from plyground.arena.store import Filter, Store, StoredGame
from plyground.errors import ConfigError
from plyground.files import try_lock
from plyground.hints import reason_of
from plyground.play import format_record

_GAME_START = re.compile(rb"^(?=\[Game )", re.MULTILINE)


class PgnFile:
    """Appends games of the store to an open file; `pgn_file` opens one."""

    def __init__(self, file: BinaryIO, path: Path, store: Store, tournament: int) -> None:
        self._file = file
        self._path = path
        self._store = store
        self._tournament = tournament
        self._last = 0  # the id of the last game that was looked at
        self._complete()

    def _complete(self) -> None:
        """Append the games that are missing, after removing a part of the first of them."""
        with _reported(self._path):
            content = self._path.read_bytes() if self._path.is_file() else b""
        there = {part.strip() for part in _GAME_START.split(content)}
        missing = [text for game in self._new() if (text := _text(game)).strip() not in there]
        if missing and (part := _torn(content, missing[0])):
            content = content[:-part]
            with _reported(self._path):
                self._file.truncate(len(content))
        if content and not content.endswith(b"\n\n"):
            self._write(b"\n" if content.endswith(b"\n") else b"\n\n")
        for text in missing:
            self._write(text)

    def update(self) -> None:
        """Append the games that the store has got since the last call."""
        for game in self._new():
            self._write(_text(game))

    def _new(self) -> Iterator[StoredGame]:
        for game in self._store.games(Filter(tournament=self._tournament, after=self._last)):
            self._last = game.id
            yield game

    def _write(self, text: bytes) -> None:
        with _reported(self._path):
            self._file.write(text)
            self._file.flush()


@contextmanager
def pgn_file(path: Path, store: Store, tournament: int) -> Iterator[PgnFile]:
    """The file of a tournament, locked until the end."""
    with _reported(path):
        file = try_lock(path)
    if file is None:
        raise ConfigError(f"another tournament writes to {path}")
    with file:
        yield PgnFile(file, path, store, tournament)


@contextmanager
def _reported(path: Path) -> Iterator[None]:
    """Turn errors of the system into a ConfigError."""
    try:
        yield
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {reason_of(error)}") from error


def _text(game: StoredGame) -> bytes:
    """A game as it is written, with an empty line after it."""
    return f"{format_record(game.record())}\n".encode()


def _torn(content: bytes, text: bytes) -> int:
    """The number of bytes at the end of a file that are the first part of a text.

    >>> _torn(b"[Game 1]\\n\\n[Ga", b"[Game 2]"), _torn(b"[Game 1]\\n\\n", b"[Game 2]")
    (3, 0)
    """
    lengths = range(min(len(content), len(text)), 0, -1)
    return next((length for length in lengths if content.endswith(text[:length])), 0)
