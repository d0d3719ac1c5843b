"""Games as text that people paste, drop and send around.

A link holds a whole game: its record without times and comments, compressed, in the letters that an
address may have. It stays in the page: what follows `#` never reaches a server by itself.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from contextlib import suppress
from dataclasses import replace

from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games import registry
from plyground.games.reversi import parse_transcript
from plyground.play.ggf import parse_ggf
from plyground.play.record import RESULTS, WINNERS, Move, Record
from plyground.play.record_text import format_record, parse_records
from plyground.ui.web.shapes import Shape

MOST_BYTES = 100_000
"""Of a link's text; a compressed one could grow to any size."""
_SHARED_TAGS = ("Player1", "Player2", "Event", "Date")


def export_shape(record: Record, position: str) -> Shape:
    """Everything that a page gives away of a game."""
    return {
        "type": "export",
        "record": format_record(record),
        "position": position,
        "link": format_link(record),
    }


def format_link(record: Record) -> str:
    """A game as the end of a link."""
    bare = replace(
        record,
        tags={name: text for name, text in record.tags.items() if name in _SHARED_TAGS},
        comment="",
        moves=tuple(Move(move.text) for move in record.moves),
    )
    packed = zlib.compress(format_record(bare).encode(), 9)
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
    return read_text(text)


def read_text(text: str) -> Record:
    """A game from whatever text somebody has: a record, a position, moves, GGF or a transcript.

    Of several games it is the first. The error is that of a record, which most texts will be.

    >>> read_text("1. e2 e8").moves[0].text, read_text("f5d6c3").game
    ('e2', 'reversi')
    """
    text = text.strip()
    if not text:
        raise NotationError("expected a game or a position, got nothing")
    for read in (_position, _ggf, _transcript):
        if (record := read(text)) is not None:
            return record
    return parse_records(text if text.split()[-1] in RESULTS else f"{text} {_result(text)}")[0]


def _result(text: str) -> str:
    """What the moves of a game without a result say that it is."""
    for result in WINNERS:
        with suppress(ConfigError, IllegalMoveError, NotationError):
            if parse_records(f"{text} {result}")[0].termination:
                return result
    return "*"


def _position(text: str) -> Record | None:
    for game in registry.GAMES.values():
        try:
            state = game.start({}, text)
        except (ConfigError, IllegalMoveError, NotationError):
            continue
        return Record.from_moves([], state, game.name)
    return None


def _ggf(text: str) -> Record | None:
    return parse_ggf(text)[0] if text.startswith("(;") else None


def _transcript(text: str) -> Record | None:
    """Squares alone, as Reversi's games are often written; in Quoridor no game begins so."""
    try:
        return Record.from_moves(parse_transcript(text), game="reversi")
    except (IllegalMoveError, NotationError):
        return None
