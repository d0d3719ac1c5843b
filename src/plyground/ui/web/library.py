"""The saved games that a session can open: its own, the terminal's, and tournaments'.

A page names a game by its id in the list. That is a number or a digest, looked up again here, never
a path.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from plyground.arena.store import Filter, Store
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.json_types import Json, JsonObject
from plyground.play.game_file import read_game
from plyground.play.record import Record
from plyground.ui.web.config import WebConfig
from plyground.ui.web.session_store import SessionStore

MOST = 200
"""Games listed at once."""


@dataclass(frozen=True, slots=True)
class LibraryEntry:
    """A saved game in the list."""

    id: str
    source: str
    game: str
    player1: str
    player2: str
    result: str
    reason: str
    plies: int
    when: str

    def has(self, words: list[str]) -> bool:
        """Whether all words, in lower case, occur in it."""
        text = " ".join(str(value) for name, value in asdict(self).items() if name != "id").lower()
        return all(word in text for word in words)

    @classmethod
    def of(cls, name: str, source: str, record: Record) -> LibraryEntry:
        """The entry of a record."""
        return cls(
            name,
            source,
            record.game,
            record.player_name(1, "?"),
            record.player_name(2, "?"),
            record.result,
            record.termination,
            len(record.moves),
            record.tags.get("Date", ""),
        )


class Library:
    """Looks games up on worker threads, since disks may be slow."""

    def __init__(self, config: WebConfig, sessions: SessionStore) -> None:
        self._stores = config.stores
        self._autosaves = config.autosaves
        self._sessions = sessions

    async def search(self, session: str, query: str, most: int) -> JsonObject:
        """The games in which all words of a query occur, newest first within each source."""
        words = query.lower().split()
        entries = await asyncio.to_thread(self._list, session, words, min(most, MOST))
        return {"type": "games", "query": query, "games": [asdict(entry) for entry in entries]}

    async def game(self, session: str, name: str) -> Record:
        """A game by its id in the list."""
        return await asyncio.to_thread(self._game, session, name)

    async def tournaments(self) -> JsonObject:
        """The tournaments that can be watched."""
        return await asyncio.to_thread(self._tournaments)

    def store(self, number: int) -> Path:
        """The path of a store by its number."""
        if number >= len(self._stores):
            raise ConfigError(f"expected a store from 0 to {len(self._stores) - 1}, got {number}")
        return self._stores[number]

    def _list(self, session: str, words: list[str], most: int) -> list[LibraryEntry]:
        own = (
            LibraryEntry.of(f"mine-{number}", "your games", record)
            for number, record in reversed(list(enumerate(self._sessions.past(session))))
        )
        found: list[LibraryEntry] = []
        for source in (own, self._autosaved(), *map(self._stored, range(len(self._stores)))):
            for entry in source:
                if len(found) == most:
                    return found
                if entry.has(words):
                    found.append(entry)
        return found

    def _autosaved(self) -> Iterator[LibraryEntry]:
        for path in self._autosave_files():
            try:
                record, _ = read_game(path)
            except (ConfigError, IllegalMoveError, NotationError):
                continue
            yield LibraryEntry.of(f"kept-{_digest(path)}", "terminal", record)

    def _autosave_files(self) -> list[Path]:
        if self._autosaves is None:
            return []
        return sorted(self._autosaves.glob("*.pgn"), reverse=True)

    def _stored(self, number: int) -> Iterator[LibraryEntry]:
        path = self._stores[number]
        try:
            with Store(path, read_only=True) as store:
                games = {
                    tournament: str(conditions.get("game", ""))
                    for tournament, conditions in store.tournaments().items()
                }
                for game in store.newest():
                    yield LibraryEntry(
                        f"store-{number}-{game.id}",
                        path.name,
                        games.get(game.tournament, ""),
                        game.player1,
                        game.player2,
                        game.result,
                        game.termination,
                        game.plies,
                        game.finished[:10].replace("-", "."),
                    )
        except ConfigError:  # not there yet, or no longer
            return

    def _game(self, session: str, name: str) -> Record:
        kind, _, rest = name.partition("-")
        if kind == "mine" and rest.isdecimal() and len(rest) < 4:
            games = self._sessions.past(session)
            if int(rest) < len(games):
                return games[int(rest)]
        elif kind == "kept":
            for path in self._autosave_files():
                if _digest(path) == rest:
                    return read_game(path)[0]
        elif kind == "store":
            store, _, number = rest.partition("-")
            if store.isdecimal() and number.isdecimal() and len(rest) < 20:
                return self._stored_game(self.store(int(store)), int(number))
        raise ConfigError(f"there is no game {name[:40]!r}")

    @staticmethod
    def _stored_game(path: Path, number: int) -> Record:
        with Store(path, read_only=True) as store:
            for game in store.games(Filter(id=number)):
                return game.record()
        raise ConfigError(f"there is no game {number} in {path.name}")

    def _tournaments(self) -> JsonObject:
        rows: list[Json] = []
        for number, path in enumerate(self._stores):
            try:
                with Store(path, read_only=True) as store:
                    for tournament, conditions in reversed(store.tournaments().items()):
                        rows.append(
                            {
                                "store": number,
                                "name": path.name,
                                "tournament": tournament,
                                "game": conditions.get("game", ""),
                                "games": store.count(Filter(tournament=tournament)),
                            }
                        )
            except ConfigError:
                continue
        return {"type": "tournaments", "tournaments": rows}


def _digest(path: Path) -> str:
    return hashlib.sha256(path.name.encode(errors="replace")).hexdigest()[:16]
