"""Lists of recorded games: a file of records, or the store of a tournament.

A store may grow while it is open, since a tournament adds each game when it ends.
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from plyground.arena.crosstable import Crosstable
from plyground.arena.store import Filter, Store
from plyground.errors import ConfigError
from plyground.hints import counted, reason_of
from plyground.play.game_file import read_games
from plyground.play.record import Record

NEWEST = 500
"""Number of games that are listed when a store is opened; later games are added."""
SQLITE_MAGIC = b"SQLite format 3\x00"


class GameList(Protocol):
    """A list of games, the oldest first."""

    @property
    def name(self) -> str:
        """The name of the file."""

    @property
    def can_grow(self) -> bool:
        """Whether games may be added later."""

    def __len__(self) -> int: ...

    def record(self, number: int) -> Record:
        """A game, counted from 0."""

    def caption(self, number: int) -> str:
        """The players and the result of a game."""

    def refresh(self) -> int:
        """Look for new games; returns their number."""

    def standings(self) -> list[tuple[str, str]]:
        """Players and their scores, best first; empty if the games are not of a tournament."""

    def close(self) -> None:
        """Close the file."""


class FileGameList:
    """The games of a file of records."""

    can_grow = False

    def __init__(self, name: str, records: list[Record]) -> None:
        self.name = name
        self._records = records

    def __len__(self) -> int:
        return len(self._records)

    def record(self, number: int) -> Record:
        """A game, counted from 0."""
        return self._records[number]

    def caption(self, number: int) -> str:
        """The players and the result of a game."""
        record = self._records[number]
        player1, player2 = record.player_name(1), record.player_name(2)
        return _caption(player1, player2, record.result, len(record.moves), record.termination)

    def refresh(self) -> int:
        """0: a file is read once."""
        return 0

    def standings(self) -> list[tuple[str, str]]:
        """Empty: the games of a file may be unrelated."""
        return []

    def close(self) -> None:
        """Do nothing: the file was closed after it was read."""


class StoreGameList:
    """The newest games of a tournament's store, and those that are added to it."""

    can_grow = True

    def __init__(self, path: Path) -> None:
        self.name = path.name
        self._store = Store(path, read_only=True)
        self._games = list(self._store.games(Filter(last=NEWEST)))

    def __len__(self) -> int:
        return len(self._games)

    def record(self, number: int) -> Record:
        """A game, counted from 0."""
        return self._games[number].record()

    def caption(self, number: int) -> str:
        """The players and the result of a game."""
        game = self._games[number]
        return _caption(game.player1, game.player2, game.result, game.plies, game.termination)

    def refresh(self) -> int:
        """Look for new games; returns their number."""
        last = self._games[-1].id if self._games else 0
        found = list(self._store.games(Filter(after=last)))
        self._games += found
        return len(found)

    def standings(self) -> list[tuple[str, str]]:
        """The standings of the newest tournament: Elo around an average of 0, and points."""
        if not self._games:
            return []
        newest = Filter(tournament=self._games[-1].tournament)
        games = list(self._store.games(newest))
        agents = sorted({name for game in games for name in (game.player1, game.player2)})
        crosstable = Crosstable(agents)
        for game in games:
            crosstable.add(game.key, game.result, game.forfeit)
        table, _ = crosstable.standings()
        return [
            (
                f"{place}. {row.agent}",
                f"{row.rating.elo:+.0f}{'*' if row.has_forfeits else ''} "
                f"±{row.rating.error:.0f} Elo, {row.score:.0%} of {counted(row.games, 'game')}"
                f"{', ' + counted(lost, 'forfeit') if (lost := row.forfeits.total()) else ''}",
            )
            for place, row in enumerate(table, 1)
        ]

    def close(self) -> None:
        """Close the store."""
        self._store.close()


def open_games(path: Path) -> GameList:
    """The games of a file of either kind."""
    try:
        with path.open("rb") as file:
            is_store = file.read(len(SQLITE_MAGIC)) == SQLITE_MAGIC
    except (OSError, ValueError) as error:  # the latter for a NUL in the name
        raise ConfigError(f"cannot read {path}: {reason_of(error)}") from error
    return StoreGameList(path) if is_store else FileGameList(path.name, read_games(path))


def _caption(player1: str, player2: str, result: str, plies: int, termination: str) -> str:
    reason = f", {termination}" if termination else ""
    return f"{player1} - {player2}  {result}  ({counted(plies, 'move')}{reason})"
