"""The opening explorer: what was played in a position, in books, own games and tournaments.

The games of a store are counted in a book file of its own, in the background, a few at a time and
behind all searches. A page sees them as they are counted. Nothing is searched for the explorer: the
adviser's chances come from the analysis cache.
"""

from __future__ import annotations

import asyncio
import hashlib
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from itertools import islice
from pathlib import Path

from plyground.analysis.book_file import BookFile
from plyground.analysis.opening_book import (
    BookMove,
    MemoryBook,
    OpeningBook,
    explore,
    shipped_book,
)
from plyground.arena.store import Store
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.folders import make_folder
from plyground.games.base import State
from plyground.json_types import Json, JsonObject
from plyground.play.record import Record
from plyground.ui.web.config import WebConfig
from plyground.ui.web.library import Library
from plyground.ui.web.payloads import line_payload
from plyground.ui.web.players import SessionPlayers, SharedPlayers

MOST_MOVES = 12
"""Moves that a page lists."""
MOST_GAMES = 20_000
"""Games of a store that are counted, the newest ones."""
MOST_OWN = 200
"""Games of a browser and of the terminal that are counted."""
OWN_S, STORES_S = 20.0, 30.0
"""Least seconds between two counts of the same own games, and of the stores."""
MOST_KEPT = 64
"""Browsers whose own games are kept counted."""
CHUNK = 50
"""Games counted in one turn of a core."""


class Explorer:
    """Answers what was played; any thread may call it, and the work is done on worker threads."""

    def __init__(self, config: WebConfig, library: Library, shared: SharedPlayers) -> None:
        self._config = config
        self._library = library
        self._shared = shared
        self._lock = threading.Lock()
        self._own: dict[tuple[str, ...], tuple[float, MemoryBook]] = {}
        self._newest: dict[Path, int] = {}  # the last game of each store that was counted
        self._updated = -STORES_S
        self._is_updating = False

    async def find(
        self, state: State, node: int, sessions: Sequence[str], players: SessionPlayers
    ) -> JsonObject:
        """The payload about a position; `sessions` are those of the page's browser."""
        return await asyncio.to_thread(self._find, state, node, sessions, players)

    def _find(
        self, state: State, node: int, sessions: Sequence[str], players: SessionPlayers
    ) -> JsonObject:
        self._update_stores_soon()
        with ExitStack() as stack:
            books: list[OpeningBook] = [shipped_book(state.game), self._own_games(sessions)]
            for path in filter(Path.is_file, self._files()):
                with suppress(ConfigError):  # a book that cannot be read is left out
                    books.append(stack.enter_context(BookFile(path, read_only=True)))
            found = explore(state, books)
        chances = players.known_chances(state, found[:MOST_MOVES])
        return {
            "type": "explorer",
            "node": node,
            "moves": [_move_payload(state, each, chances) for each in found[:MOST_MOVES]],
            "others": max(0, len(found) - MOST_MOVES),
            "is_counting": self._is_updating,
        }

    def _own_games(self, sessions: Sequence[str]) -> MemoryBook:
        """The games of a browser and of the terminal, counted anew now and then."""
        key, now = tuple(sessions), time.monotonic()
        with self._lock:
            known = self._own.get(key)
        if known is not None and now - known[0] < OWN_S:
            return known[1]
        book = MemoryBook()
        for record in islice(self._library.own_records(sessions), MOST_OWN):
            book.add_game(record)
        with self._lock:
            self._own.pop(key, None)
            self._own[key] = now, book
            while len(self._own) > MOST_KEPT:
                del self._own[next(iter(self._own))]
        return book

    # Stores.

    def _files(self) -> list[Path]:
        """The book of the operator, and those of the stores."""
        own = [] if self._config.book is None else [self._config.book]
        return own + [self._file_of(path) for path in self._config.stores]

    def _file_of(self, store: Path) -> Path:
        digest = hashlib.sha256(str(store.absolute()).encode(errors="replace")).hexdigest()[:16]
        return self._config.folder / "books" / f"{digest}.sqlite"

    def _update_stores_soon(self) -> None:
        with self._lock:
            is_due = time.monotonic() - self._updated >= STORES_S
            if not self._config.stores or self._is_updating or not is_due:
                return
            self._is_updating = True
        threading.Thread(target=self._update_stores, name="web-explorer", daemon=True).start()

    def _update_stores(self) -> None:
        try:
            for path in self._config.stores:
                with suppress(ConfigError):  # a store that is not there, or a full disk
                    self._update_store(path)
        finally:
            with self._lock:
                self._updated, self._is_updating = time.monotonic(), False

    def _update_store(self, path: Path) -> None:
        file = self._file_of(path)
        make_folder(file.parent, private=True)
        with Store(path, read_only=True) as store, BookFile(file) as book:
            newest = max((game.id for game in islice(store.newest(), 1)), default=0)
            if newest != self._newest.get(path):
                book.add_games(self._in_turns(_new_records(store, self._newest.get(path, 0))))
                self._newest[path] = newest

    def _in_turns(self, records: Iterator[Record]) -> Iterator[Record]:
        """Records a few at a time, each time with a core for what is done with them."""
        while True:
            with self._shared.scheduler.turn("explorer", background=True):
                chunk = list(islice(records, CHUNK))
                yield from chunk
            if not chunk:
                return


def _new_records(store: Store, after: int) -> Iterator[Record]:
    """The newest games of a store down to a number; those that cannot be read are skipped."""
    for game in islice(store.newest(), MOST_GAMES):
        if game.id <= after:
            return
        with suppress(ConfigError, IllegalMoveError, NotationError):
            yield game.record()


def _move_payload(state: State, each: BookMove, chances: dict[int, float]) -> Json:
    (step,) = line_payload(state, [each.action])
    counts, chance = each.counts, chances.get(each.action)
    return {
        "step": step,
        "games": counts.games,
        "results": [counts.wins1, counts.draws, counts.wins2],
        "score": None if each.score is None else each.score.brief(),
        "chance": None if chance is None else round(chance, 3),
    }
