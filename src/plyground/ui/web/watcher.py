"""Following a tournament: its table, and one of its games move by move. Or a show match.

The game is one in progress, if the tournament publishes those (see arena/live_board.py), until it
ends; otherwise the newest finished one, from its first move on.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from plyground.arena.crosstable import Crosstable
from plyground.arena.live_board import games_in_flight
from plyground.arena.rounds_summary import PlayedRounds
from plyground.arena.store import Filter, Store
from plyground.arena.summary import summarize
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.json_types import JsonObject
from plyground.play.record import Record
from plyground.ui.view import view_record
from plyground.ui.web.payloads import view_payload
from plyground.ui.web.show_match import ShowMatch

if TYPE_CHECKING:
    from plyground.ui.web.connection import Connection

LOOK_S = 1.0
LIVE_S = 0.3
"""Least seconds between two reads of the store, and of the games in progress."""
MOVE_S = 0.4
"""Seconds between two moves of a finished game."""
RECENT = 8
"""Games listed below the table."""


@dataclass(frozen=True, slots=True)
class TournamentSnapshot:
    """A tournament as the store has it."""

    table: JsonObject
    newest: int
    record: Record | None
    """The newest game, if there is any."""


class Watcher:
    """Follows at most one tournament or show match for a connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._task: asyncio.Task[None] | None = None
        self._match: ShowMatch | None = None

    def watch(self, store: Path, tournament: int) -> None:
        """Follow a tournament from now on."""
        self.stop()
        self._task = asyncio.create_task(self._follow(store, tournament))

    def watch_match(self, match: ShowMatch) -> None:
        """Follow a show match from now on."""
        if match is not self._match:
            self.stop()
            self._match = match
        match.join(self._connection)

    def stop(self) -> None:
        """Follow nothing."""
        if self._match is not None:
            self._match.leave(self._connection)
            self._match = None
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _follow(self, store: Path, tournament: int) -> None:
        snapshot: TournamentSnapshot | None = None
        read_at = 0.0
        watched: tuple[str, int] | None = None  # the game on the board, and how far it was
        replayed = 0
        while True:
            began = time.monotonic()
            self._connection.session.last_used = began
            if snapshot is None or began >= read_at:
                before = None if snapshot is None else snapshot.table
                try:
                    snapshot = await asyncio.to_thread(read_snapshot, store, tournament)
                except (ConfigError, IllegalMoveError, NotationError) as error:
                    self._connection.refuse(str(error))
                    return
                if snapshot.table != before:
                    self._connection.send(snapshot.table)
                # Reading a large store takes a while, and should take a small part of the time.
                read_at = began + max(LOOK_S, 20 * (time.monotonic() - began))
            in_flight = await asyncio.to_thread(games_in_flight, store, tournament)
            if in_flight:
                watched = self._show_live(in_flight, watched)
                replayed = snapshot.newest
                await asyncio.sleep(LIVE_S)
            elif snapshot.record is not None and snapshot.newest != replayed:
                replayed = snapshot.newest
                await self._replay(snapshot.record, f"Game {replayed}")
            else:
                await asyncio.sleep(LIVE_S)

    def _show_live(
        self, games: list[Record], watched: tuple[str, int] | None
    ) -> tuple[str, int] | None:
        """The game that was watched before, as far as it is now, or else the first."""
        names = {_name_of(record): record for record in games}
        name = watched[0] if watched is not None and watched[0] in names else next(iter(names))
        record = names[name]
        now = (name, len(record.moves))
        if now != watched:
            self._send(record, len(record.moves), "Now", "")
        return now

    async def _replay(self, record: Record, caption: str) -> None:
        last = len(record.moves)
        for ply in range(last + 1):
            result = f"{record.result} ({record.termination})" if ply == last else ""
            self._send(record, ply, caption, result)
            await asyncio.sleep(MOVE_S)

    def _send(self, record: Record, ply: int, caption: str, result: str) -> None:
        view = view_record(record, record.states(), record.actions("board"), ply, paths=True)
        more: JsonObject = {
            "type": "watched",
            "game": record.game,
            "caption": caption,
            "result": result,
            "is_show": False,
        }
        self._connection.send(view_payload(view) | more)


def _name_of(record: Record) -> str:
    """What tells a game in flight from the others."""
    return f"{record.start} {record.tags}"


def read_snapshot(path: Path, tournament: int) -> TournamentSnapshot:
    """The table of a tournament, and its newest game."""
    with Store(path, read_only=True) as store:
        if tournament not in store.tournaments():
            raise ConfigError(f"there is no tournament {tournament} in {path.name}")
        games = list(store.games(Filter(tournament=tournament)))
    names = {name for game in games for name in (game.player1, game.player2)}
    crosstable = Crosstable(sorted(names))
    rounds = PlayedRounds()
    for game in games:
        crosstable.add(game.key, game.result, game.forfeit)
        rounds.add_stored(game)
    table: JsonObject = {
        "type": "table",
        "name": path.name,
        "tournament": tournament,
        "games": len(games),
        "agents": summarize(crosstable)["agents"] if games else [],
        "rounds": [f"Round {number}: {meeting}" for number, meeting in rounds.lines()],
        "recent": [
            {
                "id": game.id,
                "player1": game.player1,
                "player2": game.player2,
                "result": game.result,
                "reason": game.termination,
                "plies": game.plies,
            }
            for game in reversed(games[-RECENT:])
        ],
    }
    if not games:
        return TournamentSnapshot(table, 0, None)
    return TournamentSnapshot(table, games[-1].id, games[-1].record())
