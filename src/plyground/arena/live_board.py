"""The games that a tournament is playing at the moment, for whoever wants to watch them.

They are in a file beside the store, `arena.sqlite.live`, written anew a few times a second. Whoever
plays holds a lock on it, which goes with the process: a file that nobody has locked is an old one.
"""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import IO, Any

from plyground.arena.task import Task
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.files import try_lock
from plyground.games import registry
from plyground.play import Move, Record

EVERY_S = 0.25
TRIES, AGAIN_S = 20, 0.01
"""How often to ask again where somebody who looks is in the way for a moment."""
InFlight = Iterable[tuple[Task, Sequence[Move]]]
"""Games that are being played, with their moves so far."""


_NO_GAMES = (OSError, ValueError, KeyError, TypeError, IllegalMoveError, NotationError, ConfigError)
"""What reading comes to where no file is there, or none that we wrote."""


class LiveBoard:
    """Shows games in flight; `live_board` opens one."""

    def __init__(self, file: IO[bytes], tournament: int) -> None:
        self._file = file
        self._tournament = tournament
        self._shown_at = 0.0

    def show(self, games: InFlight) -> None:
        """Show how the games stand, unless that was done a moment ago."""
        now = monotonic()
        if now - self._shown_at < EVERY_S:
            return
        self._shown_at = now
        rows = [
            {
                "game": task.game,
                "settings": task.settings,
                "start": task.start,
                "tags": task.tags,
                "moves": [move.text for move in moves],
            }
            for task, moves in games
        ]
        words = json.dumps({"tournament": self._tournament, "games": rows}).encode()
        with suppress(OSError):  # a full disk is no reason to end a tournament
            self._file.truncate(0)
            self._file.write(words)  # at the end, which is the beginning now
            self._file.flush()


def live_path(store: str | Path) -> Path:
    """Where the games in flight of a store are shown."""
    return Path(f"{store}.live")


@contextmanager
def live_board(store: str, tournament: int) -> Iterator[LiveBoard | None]:
    """A board beside a store, gone at the end; None for a store in memory or if another has it."""
    path = live_path(store)
    file = None
    for _ in range(0 if store == ":memory:" else TRIES):
        with suppress(OSError):
            file = try_lock(path)
        if file is not None:
            break
        sleep(AGAIN_S)
    if file is None:
        yield None
        return
    try:
        with file:
            yield LiveBoard(file, tournament)
    finally:
        path.unlink(missing_ok=True)


def games_in_flight(store: str | Path, tournament: int) -> list[Record]:
    """What a tournament is playing at the moment, as records without a result."""
    for _ in range(TRIES):
        try:
            with live_path(store).open("rb") as file:
                with suppress(BlockingIOError):
                    fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                    return []  # nobody holds it: whoever wrote it was killed
                shown = json.loads(file.read())
            if shown["tournament"] != tournament:
                return []
            return [_record(row) for row in shown["games"]]
        except json.JSONDecodeError:
            sleep(AGAIN_S)  # read while it was written
        except _NO_GAMES:
            break
    return []


def _record(row: dict[str, Any]) -> Record:
    start = registry.get(row["game"]).start(row["settings"], row["start"])
    return Record.from_moves(row["moves"], start, row["game"], row["tags"])
