"""Live games saved after every move, so that a crash or a closed window loses nothing.

Each game has its own file, which is replaced as a whole after each move. A lock file beside it
shows that the game is still being played; the system releases the lock when the process exits.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.files import remove_temporary_files, try_lock
from plyground.hints import reason_of
from plyground.play.events import (
    Event,
    GameEnded,
    MovePlayed,
    PositionChanged,
    SeatChanged,
    TreeChanged,
)
from plyground.play.game_file import read_game, write_games
from plyground.play.live_game import LiveGame
from plyground.play.record import Record

MAX_SAVED = 50
"""Saved games that are not being played; the oldest beyond this number are removed."""


class Autosave:
    """Saves one live game to a file until `close`."""

    def __init__(
        self,
        live: LiveGame,
        folder: Path,
        resumed: ResumedGame | None = None,
        on_failure: Callable[[str], object] = lambda reason: None,  # noqa: ARG005
    ) -> None:
        self._live = live
        self._on_failure = on_failure
        self._has_reported = False
        self.is_saved = False
        """Whether the file has the game as it stands."""
        if resumed is None:
            name = f"{live.game.name}-{datetime.now():%Y%m%d-%H%M%S-%f}-{os.getpid()}.pgn"
            self.path = folder / name
            self._lock = _lock(self.path)
            _remove_oldest(folder)
        else:
            self.path, self._lock = resumed.path, resumed.lock
        self._stop = live.listen(self._on_event)
        if live.main_end:
            self.save()

    def save(self) -> None:
        """Write the game now; the first failure to write is reported."""
        try:
            write_games([self._live.record()], self.path)
            self.is_saved = True
        except ConfigError as error:
            self.is_saved = False
            if not self._has_reported:
                self._on_failure(str(error))
            self._has_reported = True

    def close(self, keep: bool) -> bool:
        """Stop saving; whether the game is kept, and so can be resumed."""
        self._stop()
        if keep and not self.is_saved and self._live.main_end:
            self.save()  # the disk may have room by now
        if not keep:
            self.path.unlink(missing_ok=True)
        _release(self.path, self._lock)
        return keep and self.is_saved

    def _on_event(self, event: Event) -> None:
        if isinstance(event, MovePlayed | PositionChanged | SeatChanged | TreeChanged | GameEnded):
            self.save()


class ResumedGame:
    """A saved game, with the lock that reserves it for this process."""

    def __init__(self, path: Path, record: Record, lock: BinaryIO | None) -> None:
        self.path = path
        self.record = record
        self.lock = lock

    def release(self) -> None:
        """Unlock the game for other processes."""
        _release(self.path, self.lock)


def find_game(
    folder: Path,
    on_damaged: Callable[[str], object] = lambda reason: None,  # noqa: ARG005
) -> ResumedGame:
    """Lock the latest saved game that is neither over nor being played; else a ConfigError.

    A damaged file is left alone, and its error is passed to `on_damaged` if there is another game;
    otherwise a ConfigError has it.
    """
    damaged: list[ConfigError | IllegalMoveError | NotationError] = []
    for path in sorted(folder.glob("*.pgn"), key=_changed_at, reverse=True):
        lock = _lock(path)
        if lock is None:
            continue
        try:
            record, _ = read_game(path)
        except (ConfigError, IllegalMoveError, NotationError) as error:
            damaged.append(error)
            _release(path, lock)
            continue
        except BaseException:
            _release(path, lock)
            raise
        if record.result == "*" or "Current" in record.tags:  # an earlier position is played on
            for reason in damaged:
                on_damaged(str(reason))
            return ResumedGame(path, record, lock)
        _release(path, lock)
    if damaged:
        raise ConfigError(f"no game can be resumed: {damaged[0]}") from damaged[0]
    raise ConfigError(f"there is no game to resume in {folder}")


def _lock(path: Path) -> BinaryIO | None:
    """Lock a game; None if another process has locked it."""
    try:
        return try_lock(_lock_path(path))
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {reason_of(error)}") from error


def _release(path: Path, lock: BinaryIO | None) -> None:
    if lock is not None:
        _lock_path(path).unlink(missing_ok=True)
        lock.close()


def _lock_path(path: Path) -> Path:
    return path.with_suffix(".lock")


def _changed_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # removed by another process
        return 0.0


def _remove_oldest(folder: Path) -> None:
    """Remove the oldest saved games beyond MAX_SAVED, and temporary files of killed writers."""
    remove_temporary_files(folder)
    paths = sorted(folder.glob("*.pgn"), key=_changed_at, reverse=True)
    for path in paths[MAX_SAVED:]:
        if (lock := _lock(path)) is not None:
            path.unlink(missing_ok=True)
            _release(path, lock)
