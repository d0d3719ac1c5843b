"""The saved games that a session can open: its own, the terminal's, and tournaments'.

A page names a game by its id in the list. That is a number or a digest, looked up again here, never
a path.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

from plyground.analysis.explorer import read_saved_games
from plyground.arena.store import Filter, Store
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.json_types import Json, JsonObject
from plyground.play.game_file import read_game
from plyground.play.record import Record
from plyground.ui.web.config import WebConfig
from plyground.ui.web.messages import ListGames
from plyground.ui.web.session_store import SessionStore

MOST = 1000
"""Games listed at once."""
SOURCES = ("mine", "kept", "store")
"""Where games come from: the browser's own sessions, the terminal, tournaments."""


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

    @property
    def can_delete(self) -> bool:
        """Whether the browser that lists it may delete it."""
        return self.id.startswith("mine-")

    def matches(self, words: list[str], game: str) -> bool:
        """Whether all words, in lower case, occur in it, and whether it is of a game."""
        text = " ".join(str(value) for name, value in asdict(self).items() if name != "id").lower()
        return game in ("", self.game) and all(word in text for word in words)

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

    def __init__(
        self, config: WebConfig, sessions: SessionStore, invited_games: SessionStore
    ) -> None:
        self._stores = config.stores
        self._autosaves = config.autosaves
        self._sessions = sessions
        self._invited_games = invited_games

    async def search(
        self, sessions: Sequence[str], wanted: ListGames, invited: str | None = None
    ) -> JsonObject:
        """The games in which all words of a query occur, newest first within each source.

        The first session is that of the page, the others belong to the same browser. A page that
        shows an invited game also lists the games before a rematch.
        """
        most = min(wanted.most, MOST)
        entries = await asyncio.to_thread(self._list, sessions, wanted, most + 1, invited)
        games: list[Json] = [
            asdict(entry) | {"can_delete": entry.can_delete} for entry in entries[:most]
        ]
        return {"type": "games", **asdict(wanted), "games": games, "more": len(entries) > most}

    async def game(self, sessions: Sequence[str], name: str, invited: str | None = None) -> Record:
        """A game by its id in the list."""
        return await asyncio.to_thread(self._game, sessions, name, invited)

    async def delete(self, sessions: Sequence[str], name: str) -> None:
        """Delete a game that one of the sessions has played, by its id in the list."""
        await asyncio.to_thread(self._delete, sessions, name)

    async def tournaments(self) -> JsonObject:
        """The tournaments that can be watched."""
        return await asyncio.to_thread(self._tournaments)

    def store(self, number: int) -> Path:
        """The path of a store by its number."""
        if number >= len(self._stores):
            raise ConfigError(f"expected a store from 0 to {len(self._stores) - 1}, got {number}")
        return self._stores[number]

    def own_records(self, sessions: Sequence[str]) -> Iterator[Record]:
        """The games of the sessions and of the terminal, for the explorer; on a worker thread."""
        for session in sessions:
            if (stored := self._sessions.load(session)) is not None and stored.record.moves:
                yield stored.record
            for _, record in reversed(self._sessions.past(session)):
                yield record
        if self._autosaves is not None:
            yield from read_saved_games(self._autosaves)

    def _list(
        self, sessions: Sequence[str], wanted: ListGames, most: int, invited: str | None
    ) -> list[LibraryEntry]:
        """The first games that match, from each source."""
        words = wanted.query.lower().split()
        stored = (entry for number in range(len(self._stores)) for entry in self._stored(number))
        sources = {"mine": self._own(sessions, invited), "kept": self._autosaved(), "store": stored}
        if wanted.source:
            sources = {name: source for name, source in sources.items() if name == wanted.source}
        entries = (entry for source in sources.values() for entry in source)
        return list(islice((each for each in entries if each.matches(words, wanted.game)), most))

    def _own(self, sessions: Sequence[str], invited: str | None) -> Iterator[LibraryEntry]:
        """For each session, the game on its board, then those before it."""
        if invited is not None:
            for digest, record in reversed(self._invited_games.past(invited)):
                yield LibraryEntry.of(f"friend-{digest}", "with a friend", record)
        for place, session in enumerate(sessions):
            if (stored := self._sessions.load(session)) is not None and stored.record.moves:
                source = "another tab" if place or invited is not None else "on the board"
                yield LibraryEntry.of(f"board-{place}", source, stored.record)
            for digest, record in reversed(self._sessions.past(session)):
                yield LibraryEntry.of(f"mine-{digest}", "your games", record)

    def _delete(self, sessions: Sequence[str], name: str) -> None:
        digest = name.removeprefix("mine-")
        if not name.startswith("mine-") or not any(
            self._sessions.delete_past(session, digest) for session in sessions
        ):
            raise ConfigError(f"there is no game of yours {name[:40]!r}")

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

    def _game(self, sessions: Sequence[str], name: str, invited: str | None) -> Record:
        kind, _, rest = name.partition("-")
        if kind in ("board", "mine"):
            find = self._on_board if kind == "board" else self._past_game
            if (record := find(sessions, rest)) is not None:
                return record
        elif kind == "friend" and invited is not None:
            if (record := dict(self._invited_games.past(invited)).get(rest)) is not None:
                return record
        elif kind == "kept":
            for path in self._autosave_files():
                if _digest(path) == rest:
                    return read_game(path)[0]
        elif kind == "store":
            store, _, number = rest.partition("-")
            if store.isdecimal() and number.isdecimal() and len(rest) < 20:
                return self._stored_game(self.store(int(store)), int(number))
        raise ConfigError(f"there is no game {name[:40]!r}")

    def _on_board(self, sessions: Sequence[str], place: str) -> Record | None:
        """The game on the board of a session by the session's place."""
        if not place.isdecimal() or len(place) > 3 or int(place) >= len(sessions):
            return None
        stored = self._sessions.load(sessions[int(place)])
        return None if stored is None else stored.record

    def _past_game(self, sessions: Sequence[str], digest: str) -> Record | None:
        """A past game of any of the sessions by its digest."""
        games = (game for session in sessions for game in self._sessions.past(session))
        return next((record for name, record in games if name == digest), None)

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
