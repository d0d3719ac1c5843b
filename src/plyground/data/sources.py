"""Where games come from: records, files of records, and stores."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeAlias

from plyground.arena.store import Filter, Store, StoredGame, is_database
from plyground.errors import ConfigError
from plyground.play import BadGame, Record, stream_games

Source: TypeAlias = Record | Iterable[Record] | Store | str | Path
"""A record, several, a store, or the path of a file of records or a store."""
OnBad: TypeAlias = Callable[[BadGame], object]


def read_records(
    source: Source, which: Filter | None = None, on_bad: OnBad | None = None
) -> Iterator[Record]:
    """The games of a source one by one, those that the filter selects.

    Games that cannot be read are passed to `on_bad` and skipped; without it they raise an error.

    >>> bob = Record.from_moves(["e2", "e8"], tags={"Player2": "Bob"})
    >>> eve = Record.from_moves(["e2"], tags={"Player2": "Eve"})
    >>> [record.player_name(2) for record in read_records([bob, eve], Filter(player="Eve"))]
    ['Eve']
    """
    if isinstance(source, str | Path) and is_database(Path(source)):
        with Store(source, read_only=True) as store:
            yield from _stored(store, which, on_bad)
    elif isinstance(source, Store):
        yield from _stored(source, which, on_bad)
    else:
        which = which or Filter()
        matching = filter(which.matches, _records(source, on_bad))
        yield from matching if which.last is None else deque(matching, which.last)


def numbered_records(path: Path, on_bad: OnBad | None = None) -> Iterator[tuple[int, Record]]:
    """The games of a file with their numbers: from 1 in a file of records, the ids of a store.

    Games that cannot be read are passed to `on_bad` and skipped; without it they raise an error.
    """
    if is_database(path):
        with Store(path, read_only=True) as store:
            for game in store.games():
                for record in _readable(store, [game], on_bad):
                    yield game.id, record
        return
    skipped = 0

    def skip(game: BadGame) -> None:
        nonlocal skipped
        skipped += 1
        if on_bad is not None:
            on_bad(game)

    for count, record in enumerate(stream_games(path, skip if on_bad else None), 1):
        yield count + skipped, record


def _records(
    source: Record | Iterable[Record] | str | Path, on_bad: OnBad | None
) -> Iterator[Record]:
    if isinstance(source, Record):
        yield source
    elif isinstance(source, str | Path):
        yield from stream_games(Path(source), on_bad)
    else:
        for record in source:
            if not isinstance(record, Record):
                raise ConfigError(f"expected a Record, got {record!r}")
            yield record


def _stored(store: Store, which: Filter | None, on_bad: OnBad | None) -> Iterator[Record]:
    yield from _readable(store, store.games(which), on_bad)


def _readable(store: Store, games: Iterable[StoredGame], on_bad: OnBad | None) -> Iterator[Record]:
    for game in games:
        try:
            record = game.record()
        except ValueError as error:
            bad = BadGame(game.id, 1, str(error))
            if on_bad is None:
                raise ConfigError(f"{store.path}, {bad}") from None
            on_bad(bad)
        else:
            yield record
