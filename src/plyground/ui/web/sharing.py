"""Games as text that people paste, drop and send.

A link holds a whole game: its record without times and private tags, compressed, in characters that
a URL may have. A very long one leaves variations and comments out. It stays in the page: what
follows `#` is never sent to a server.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace

from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games import registry
from plyground.games.base import AnyGame
from plyground.json_types import JsonObject
from plyground.play.record import RESULTS, WINNERS, MoveRecord, Record
from plyground.play.record_text import format_record, parse_records

MOST_PLIES = 3000
MOST_GAMES = 100
"""Longest game that can be opened, in plies with its variations, and most games in its text."""
LONGEST_LINK = 8000
"""Characters of a link beyond which it holds the main line only."""
MOST_BYTES = 100_000
"""Most bytes of a link's text, which compression could make any size."""
_SHARED_TAGS = ("Player1", "Player2", "Event", "Date")


def export_payload(record: Record, position: str) -> JsonObject:
    """A game in every form in which a page exports it."""
    return {
        "type": "export",
        "record": format_record(record),
        "position": position,
        "link": format_link(record),
    }


def format_link(record: Record) -> str:
    """A game as the end of a link."""
    shared = replace(
        record,
        tags={name: text for name, text in record.tags.items() if name in _SHARED_TAGS},
        moves=_shared_moves(record.moves),
    )
    link = _packed(shared)
    if len(link) > LONGEST_LINK:
        bare = tuple(MoveRecord(move.text) for move in record.moves)
        link = _packed(replace(shared, comment="", moves=bare))
    return link


def _shared_moves(moves: Iterable[MoveRecord]) -> tuple[MoveRecord, ...]:
    """Moves without times and scores, and without what agents say about them."""
    return tuple(
        MoveRecord(
            move.text,
            comment=move.comment if move.depth is None else "",
            marks=move.marks,
            variations=tuple(map(_shared_moves, move.variations)),
        )
        for move in moves
    )


def _packed(record: Record) -> str:
    packed = zlib.compress(format_record(record).encode(), 9)
    return base64.urlsafe_b64encode(packed).rstrip(b"=").decode()


def parse_link(link: str) -> Record:
    """The game that a link holds.

    >>> parse_link(format_link(Record.from_moves(["e2", "e8"]))).moves[1].text
    'e8'
    """
    cut = NotationError("the link holds no game: it may have been cut short")
    try:
        packed = base64.b64decode(link + "=" * (-len(link) % 4), b"-_", validate=True)
        unpacker = zlib.decompressobj()
        text = unpacker.decompress(packed, MOST_BYTES).decode()
    except (binascii.Error, zlib.error, ValueError):
        raise cut from None
    if unpacker.unconsumed_tail:
        raise NotationError("the game in the link is too long")
    if not unpacker.eof:
        raise cut
    return parse_game_text(text)


def parse_game_text(text: str) -> Record:
    """A game from its text: a record, a position, moves, or a format of one of the games.

    Of several games it is the first. The error is that of a record, which most texts are.

    >>> parse_game_text("1. e2 e8").moves[0].text, parse_game_text("f5d6c3").game
    ('e2', 'reversi')
    """
    text = text.strip()
    if not text:
        raise NotationError("expected a game or a position, got nothing")
    for game in registry.games().values():
        if (record := _position(game, text)) is not None:
            return record
    for game in registry.games().values():
        if (record := game.parse_foreign_game(text)) is not None:
            if len(record.moves) > MOST_PLIES:
                raise NotationError(f"expected at most {MOST_PLIES} moves in a game")
            return record
    return _parse(text if text.split()[-1] in RESULTS else f"{text} {_result(text)}")


def _result(text: str) -> str:
    """The result that the moves of a game without one lead to."""
    for result in WINNERS:
        with suppress(ConfigError, IllegalMoveError, NotationError):
            if _parse(f"{text} {result}").termination:
                return result
    return "*"


def _parse(text: str) -> Record:
    return parse_records(text, most_games=MOST_GAMES, most_plies=MOST_PLIES)[0]


def _position(game: AnyGame, text: str) -> Record | None:
    try:
        return Record.from_moves([], game.start({}, text))
    except (ConfigError, IllegalMoveError, NotationError):
        return None
