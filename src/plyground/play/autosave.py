"""Games kept while they are played, so that a crash or a closed window loses nothing.

Every game has a file of its own, written anew after each move and replaced as a whole. A lock
beside it tells whether somebody still plays it: locks go with their process, however that ends.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from plyground.errors import ConfigError
from plyground.files import try_lock
from plyground.play.events import Event, GameEnded, MovePlayed, PositionChanged, SeatChanged
from plyground.play.game_file import read_game, save_game
from plyground.play.live_game import LiveGame
from plyground.play.record import Record

KEPT = 50
"""Games that nobody plays any more; beyond these the oldest are removed."""


class Autosave:
    """Keeps one live game in a file, until it is over and left, or dropped."""

    def __init__(
        self,
        live: LiveGame,
        folder: Path,
        resumed: ResumedGame | None = None,
        on_failure: Callable[[str], object] = lambda reason: None,  # noqa: ARG005
    ) -> None:
        self._live = live
        self._on_failure = on_failure
        self._failed = False
        if resumed is None:
            name = f"{live.rules.name}-{datetime.now():%Y%m%d-%H%M%S-%f}-{os.getpid()}.pgn"
            self.path = folder / name
            self._lock = _lock(self.path)
            _remove_oldest(folder)
        else:
            self.path, self._lock = resumed.path, resumed.lock
        self._stop = live.listen(self._hear)
        if live.moves:
            self.save()

    def save(self) -> None:
        """Write the game now; a file that cannot be written is told of once."""
        try:
            save_game(self._live.record(), self.path, 1)
        except ConfigError as error:
            if not self._failed:
                self._on_failure(str(error))
            self._failed = True

    def close(self, keep: bool) -> None:
        """Play no more; a game that is kept can be resumed."""
        self._stop()
        if not keep:
            self.path.unlink(missing_ok=True)
        _release(self.path, self._lock)

    def _hear(self, event: Event) -> None:
        if isinstance(event, MovePlayed | PositionChanged | SeatChanged | GameEnded):
            self.save()


class ResumedGame:
    """A game that was left, with the lock that makes it ours."""

    def __init__(self, path: Path, record: Record, lock: BinaryIO | None) -> None:
        self.path = path
        self.record = record
        self.lock = lock

    def release(self) -> None:
        """Leave it to others."""
        _release(self.path, self.lock)


def find_game(folder: Path) -> ResumedGame:
    """The game left last that is not over and that nobody plays; a ConfigError without one."""
    for path in sorted(folder.glob("*.pgn"), key=_changed_at, reverse=True):
        lock = _lock(path)
        if lock is None:
            continue
        try:
            record, _ = read_game(path)
        except BaseException:
            _release(path, lock)
            raise
        if record.result == "*":
            return ResumedGame(path, record, lock)
        _release(path, lock)
    raise ConfigError(f"there is no game to resume in {folder}")


def _lock(path: Path) -> BinaryIO | None:
    """The lock of a game, or None if somebody has it."""
    try:
        return try_lock(_lock_path(path))
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror}") from error


def _release(path: Path, lock: BinaryIO | None) -> None:
    if lock is not None:
        _lock_path(path).unlink(missing_ok=True)
        lock.close()


def _lock_path(path: Path) -> Path:
    return path.with_suffix(".lock")


def _changed_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # gone meanwhile
        return 0.0


def _remove_oldest(folder: Path) -> None:
    """Forget games left long ago."""
    paths = sorted(folder.glob("*.pgn"), key=_changed_at, reverse=True)
    for path in paths[KEPT:]:
        if (lock := _lock(path)) is not None:
            path.unlink(missing_ok=True)
            _release(path, lock)
