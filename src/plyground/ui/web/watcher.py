"""Following a tournament that somebody else plays: its table, and its newest game move by move.

The store is read again every second. A game is shown from its first move on; when it is through,
the newest one that has ended meanwhile comes next.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

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
MOVE_S = 0.4
RECENT = 8
"""Games listed below the table."""


@dataclass(frozen=True, slots=True)
class News:
    """What a look at the store has found."""

    table: Shape
    newest: int
    record: Record | None
    """The newest game, where there is one that was not there before."""


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
        shown = 0
        while True:
            try:
                news = await asyncio.to_thread(look, store, tournament, shown)
            except (ConfigError, IllegalMoveError, NotationError) as error:
                self._connection.refuse(str(error))
                return
            if news.table["games"] or not shown:
                self._connection.send(news.table)
            if news.record is not None:
                shown = news.newest
                await self._replay(news.record, news.newest)
            self._connection.session.seen = asyncio.get_running_loop().time()
            await asyncio.sleep(LOOK_S)

    async def _replay(self, record: Record, number: int) -> None:
        rules, states = registry.get(record.game), record.states()
        moves = [move.text for move in record.moves]
        names = {player: record.tags.get(f"Player{player}", "?") for player in (1, 2)}
        for ply in range(len(states)):
            view = view_at(rules, states, moves, names, ply, paths=True)
            last = ply == len(states) - 1
            self._connection.send(
                view_shape(view)
                | {
                    "type": "watched",
                    "game": record.game,
                    "id": number,
                    "result": f"{record.result} ({record.termination})" if last else "",
                }
            )
            await asyncio.sleep(MOVE_S)


def look(path: Path, tournament: int, shown: int) -> News:
    """The table of a tournament, and its newest game if that is not the one shown."""
    with Store(path, read_only=True) as store:
        if tournament not in store.tournaments():
            raise ConfigError(f"there is no tournament {tournament} in {path.name}")
        games = list(store.games(Filter(tournament=tournament)))
    names = {name for game in games for name in (game.player1, game.player2)}
    scores = Scores(sorted(names))
    for game in games:
        scores.add(game.key, game.result)
    newest = games[-1] if games else None
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
    is_new = newest is not None and newest.id != shown
    return News(table, newest.id if newest else 0, newest.record() if newest and is_new else None)
