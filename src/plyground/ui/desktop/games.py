"""Games to look at, from where they are kept: a file of records, or the store of a tournament.

A store may grow while it is looked at, since a tournament adds each game as it ends.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from plyground.arena.scores import Scores
from plyground.arena.store import Filter, Store, StoredGame
from plyground.errors import ConfigError
from plyground.play.game_file import read_games
from plyground.play.record import Record

NEWEST = 500
"""Games of a store that are listed when it is opened; those that come later are added."""


class Games(Protocol):
    """A list of games, oldest first."""

    @property
    def name(self) -> str:
        """Where they come from, in a word."""

    @property
    def can_grow(self) -> bool:
        """Whether there may be more of them later."""

    def __len__(self) -> int: ...

    def record(self, number: int) -> Record:
        """A game, counted from 0."""

    def caption(self, number: int) -> str:
        """Who played, and how it ended."""

    def refresh(self) -> int:
        """Look for new games; how many there are."""

    def standings(self) -> list[tuple[str, str]]:
        """Who is how strong, best first, and how they did; nothing where nobody keeps score."""

    def close(self) -> None:
        """Look no more."""


class FileGames:
    """The games of a file of records, or one that is at hand."""

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
        """Who played, and how it ended."""
        record = self._records[number]
        names = [record.tags.get(f"Player{player}", f"player {player}") for player in (1, 2)]
        return _caption(names[0], names[1], record.result, len(record.moves), record.termination)

    def refresh(self) -> int:
        """A file is read once."""
        return 0

    def standings(self) -> list[tuple[str, str]]:
        """Games of a file need have nothing to do with each other."""
        return []

    def close(self) -> None:
        """Nothing is open."""


class StoreGames:
    """The newest games of a tournament's store, and those that it adds."""

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
        """Who played, and how it ended."""
        game: StoredGame = self._games[number]
        return _caption(game.player1, game.player2, game.result, game.plies, game.termination)

    def refresh(self) -> int:
        """Look for new games; how many there are."""
        last = self._games[-1].id if self._games else 0
        with self._reading():
            found = list(self._store.games(Filter(after=last)))
        self._games += found
        return len(found)

    def standings(self) -> list[tuple[str, str]]:
        """The table of the newest tournament: Elo, the average being 0, and points."""
        if not self._games:
            return []
        newest = Filter(tournament=self._games[-1].tournament)
        with self._reading():
            games = list(self._store.games(newest))
        scores = Scores(sorted({name for game in games for name in (game.player1, game.player2)}))
        for game in games:
            scores.add(game.key, game.result)
        table, _ = scores.standings()
        return [
            (
                f"{place}. {row.agent}",
                f"{row.rating.elo:+.0f} ±{row.rating.error:.0f} Elo, "
                f"{row.score:.0%} of {row.games} games",
            )
            for place, row in enumerate(table, 1)
        ]

    def close(self) -> None:
        """Close the store."""
        self._store.close()

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """A store may be damaged, or replaced by something else, while it is looked at."""
        try:
            yield
        except sqlite3.Error as error:
            raise ConfigError(f"cannot read the store {self.name!r}: {error}") from error


def open_games(path: Path) -> Games:
    """The games of a file, whichever kind it is."""
    try:
        with path.open("rb") as file:
            is_store = file.read(16) == b"SQLite format 3\x00"
    except (OSError, ValueError) as error:  # the latter for a NUL in the name
        raise ConfigError(f"cannot read {path}: {getattr(error, 'strerror', error)}") from error
    return StoreGames(path) if is_store else FileGames(path.name, read_games(path))


def _caption(player1: str, player2: str, result: str, plies: int, termination: str) -> str:
    why = f", {termination}" if termination else ""
    return f"{player1} - {player2}  {result}  ({plies} moves{why})"
