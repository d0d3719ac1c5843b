"""Following a tournament that somebody else plays: its table, and a game of it move by move.

The game is one that is being played, where the tournament shows those (see arena/live_board.py),
until it ends; otherwise the newest one that has ended, from its first move on.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from plyground.arena.live_board import games_in_flight
from plyground.arena.scores import Scores
from plyground.arena.store import Filter, Store
from plyground.arena.table import as_dict
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games import registry
from plyground.play.record import Record
from plyground.ui.view import view_at
from plyground.ui.web.shapes import Shape, view_shape

if TYPE_CHECKING:
    from plyground.ui.web.connection import Connection

LOOK_S = 1.0
LIVE_S = 0.3
"""Between two looks at the store at least, and at games that are being played."""
MOVE_S = 0.4
"""Between two moves of a game that is shown afterwards."""
RECENT = 8
"""Games listed below the table."""


@dataclass(frozen=True, slots=True)
class News:
    """What a look at the store has found."""

    table: Shape
    newest: int
    record: Record | None
    """The newest game, if there is any."""


class Watcher:
    """Follows at most one tournament for a connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._task: asyncio.Task[None] | None = None

    def watch(self, store: Path, tournament: int) -> None:
        """Follow a tournament from now on."""
        self.stop()
        self._task = asyncio.create_task(self._follow(store, tournament))

    def stop(self) -> None:
        """Follow nothing."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _follow(self, store: Path, tournament: int) -> None:
        news: News | None = None
        look_at = 0.0
        watched: tuple[str, int] | None = None  # the game on the board, and how far it was
        replayed = 0
        while True:
            began = time.monotonic()
            self._connection.session.seen = began
            if news is None or began >= look_at:
                before = None if news is None else news.table
                try:
                    news = await asyncio.to_thread(look, store, tournament)
                except (ConfigError, IllegalMoveError, NotationError) as error:
                    self._connection.refuse(str(error))
                    return
                if news.table != before:
                    self._connection.send(news.table)
                # A large store takes a while to read, and most of the time should be left.
                look_at = began + max(LOOK_S, 20 * (time.monotonic() - began))
            in_flight = await asyncio.to_thread(games_in_flight, store, tournament)
            if in_flight:
                watched = self._show_live(in_flight, watched)
                replayed = news.newest
                await asyncio.sleep(LIVE_S)
            elif news.record is not None and news.newest != replayed:
                replayed = news.newest
                await self._replay(news.record, f"Game {replayed}")
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
        moves = [move.text for move in record.moves]
        names = {player: record.tags.get(f"Player{player}", "?") for player in (1, 2)}
        rules = registry.get(record.game)
        view = view_at(rules, record.states(), moves, names, ply, paths=True)
        more = {"type": "watched", "game": record.game, "caption": caption, "result": result}
        self._connection.send(view_shape(view) | more)


def _name_of(record: Record) -> str:
    """What tells a game in flight from the others."""
    return f"{record.start} {record.tags}"


def look(path: Path, tournament: int) -> News:
    """The table of a tournament, and its newest game."""
    with Store(path, read_only=True) as store:
        if tournament not in store.tournaments():
            raise ConfigError(f"there is no tournament {tournament} in {path.name}")
        games = list(store.games(Filter(tournament=tournament)))
    names = {name for game in games for name in (game.player1, game.player2)}
    scores = Scores(sorted(names))
    for game in games:
        scores.add(game.key, game.result)
    table = {
        "type": "table",
        "name": path.name,
        "tournament": tournament,
        "games": len(games),
        "agents": as_dict(scores)["agents"] if games else [],
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
        return News(table, 0, None)
    return News(table, games[-1].id, games[-1].record())
