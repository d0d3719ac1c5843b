"""The games that a tournament is playing right now, for other programs to show.

They are in a file beside the store, `arena.sqlite.live`, which is rewritten a few times a second.
The tournament's process holds a lock on it until it ends; a file without a lock is out of date.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import IO, TypeAlias, TypedDict

from plyground.arena.task import Task
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.files import has_writer, try_lock
from plyground.games import registry
from plyground.play import MoveRecord, Record

EVERY_S = 0.25
"""Seconds between two updates of the file."""
TRIES, RETRY_S = 20, 0.01
"""Attempts to lock or read the file, and seconds between them: a reader holds it for a moment."""
GamesInFlight: TypeAlias = Iterable[tuple[Task, Sequence[MoveRecord]]]
"""Running games with their moves so far."""

_UNREADABLE = (
    OSError, ValueError, KeyError, TypeError, IllegalMoveError, NotationError, ConfigError,
)  # fmt: skip
"""Errors of reading a file that is missing, or that another program wrote."""


class _Row(TypedDict):
    """A running game in the file."""

    game: str
    settings: dict[str, str]
    start: str
    tags: dict[str, str]
    moves: list[str]


class LiveBoard:
    """Writes games in flight to the file; `live_board` opens one."""

    def __init__(self, file: IO[bytes], tournament: int) -> None:
        self._file = file
        self._tournament = tournament
        self._shown_at = 0.0

    def show(self, games: GamesInFlight) -> None:
        """Write the games, unless that was done a moment ago."""
        now = monotonic()
        if now - self._shown_at < EVERY_S:
            return
        self._shown_at = now
        rows: list[_Row] = [
            {
                "game": task.game,
                "settings": task.settings,
                "start": task.start,
                "tags": task.tags,
                "moves": [move.text for move in moves],
            }
            for task, moves in games
        ]
        content = json.dumps({"tournament": self._tournament, "games": rows}).encode()
        with suppress(OSError):  # a full disk must not end a tournament
            self._file.truncate(0)
            self._file.write(content)  # appends, and so begins at 0
            self._file.flush()


def live_path(store: str | Path) -> Path:
    """The file with the games in flight of a store."""
    return Path(f"{store}.live")


@contextmanager
def live_board(store: str, tournament: int) -> Iterator[LiveBoard | None]:
    """A board beside a store, removed at the end.

    None for a store in memory, and if another tournament of the store holds the lock.
    """
    path = live_path(store)
    file = None
    for _ in range(0 if store == ":memory:" else TRIES):
        with suppress(OSError):
            file = try_lock(path)
        if file is not None:
            break
        sleep(RETRY_S)
    if file is None:
        yield None
        return
    try:
        with file:
            yield LiveBoard(file, tournament)
    finally:
        path.unlink(missing_ok=True)


def games_in_flight(store: str | Path, tournament: int) -> list[Record]:
    """The running games of a tournament, as records without a result."""
    for _ in range(TRIES):
        try:
            with live_path(store).open("rb") as file:
                if not has_writer(file):
                    return []  # its writer was killed
                shown = json.loads(file.read())
            if shown["tournament"] != tournament:
                return []
            return [_record(row) for row in shown["games"]]
        except json.JSONDecodeError:
            sleep(RETRY_S)  # read while it was written
        except _UNREADABLE:
            break
    return []


def _record(row: _Row) -> Record:
    start = registry.get(row["game"]).start(row["settings"], row["start"])
    return Record.from_moves(row["moves"], start, row["tags"])
