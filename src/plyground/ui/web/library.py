"""The games that a session can open: its own earlier ones, the terminal's, and tournaments'.

A page names a game by what the list called it. That is a number or a digest, looked up again here;
it is never a path.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from plyground.arena.store import Filter, Store
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.play.game_file import read_game
from plyground.play.record import Record
from plyground.ui.web.config import WebConfig
from plyground.ui.web.session_files import SessionFiles
from plyground.ui.web.shapes import Shape

MOST = 200
"""Games listed at once."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the list."""

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
        """Whether all words are in it, in whatever case."""
        text = " ".join(str(getattr(self, name)) for name in self.__slots__[1:]).lower()
        return all(word in text for word in words)

    @classmethod
    def of(cls, name: str, source: str, record: Record) -> Entry:
        """A record in the list."""
        tags = record.tags
        return cls(
            name,
            source,
            record.game,
            tags.get("Player1", "?"),
            tags.get("Player2", "?"),
            record.result,
            record.termination,
            len(record.moves),
            tags.get("Date", ""),
        )


class Library:
    """Looks things up on threads of their own, for disks may be slow."""

    def __init__(self, config: WebConfig, files: SessionFiles) -> None:
        self._stores = config.stores
        self._autosaves = config.autosaves
        self._files = files

    async def listed(self, session: str, query: str, most: int) -> Shape:
        """The games in which all words of a query occur, newest first within each source."""
        words = query.lower().split()
        entries = await asyncio.to_thread(self._list, session, words, min(most, MOST))
        rows = [{name: getattr(entry, name) for name in entry.__slots__} for entry in entries]
        return {"type": "games", "query": query, "games": rows}

    async def game(self, session: str, name: str) -> Record:
        """A game by what the list called it."""
        return await asyncio.to_thread(self._game, session, name)

    async def tournaments(self) -> Shape:
        """The tournaments there are to watch."""
        return await asyncio.to_thread(self._tournaments)

    def store(self, number: int) -> Path:
        """A store of the list."""
        if number >= len(self._stores):
            raise ConfigError(f"expected a store from 0 to {len(self._stores) - 1}, got {number}")
        return self._stores[number]

    def _list(self, session: str, words: list[str], most: int) -> list[Entry]:
        own = (
            Entry.of(f"mine-{number}", "your games", record)
            for number, record in reversed(list(enumerate(self._files.past(session))))
        )
        found: list[Entry] = []
        for source in (own, self._autosaved(), *map(self._stored, range(len(self._stores)))):
            for entry in source:
                if len(found) == most:
                    return found
                if entry.has(words):
                    found.append(entry)
        return found

    def _autosaved(self) -> Iterator[Entry]:
        for path in self._autosave_files():
            try:
                record, _ = read_game(path)
            except (ConfigError, IllegalMoveError, NotationError):
                continue
            yield Entry.of(f"kept-{_digest(path)}", "terminal", record)

    def _autosave_files(self) -> list[Path]:
        if self._autosaves is None:
            return []
        return sorted(self._autosaves.glob("*.pgn"), reverse=True)

    def _stored(self, number: int) -> Iterator[Entry]:
        path = self._stores[number]
        try:
            with Store(path, read_only=True) as store:
                games = {
                    tournament: conditions.get("game", "")
                    for tournament, conditions in store.tournaments().items()
                }
                for game in store.newest():
                    yield Entry(
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
            games = self._files.past(session)
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

    def _tournaments(self) -> Shape:
        rows = []
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
