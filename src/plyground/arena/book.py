"""Opening books: text files with one opening a line, as moves or a position, or game records.

    # comments and empty lines are ignored
    e2 e8 e3 e7 d3h
    9 e3/e7 d3h 9/10 2 5 0 ; what follows a semicolon, too

Moves are written as `Game.parse_line` reads them; Reversi's may be run together: `f5d6c3`.
"""

from __future__ import annotations

import re
from pathlib import Path

from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games.base import State
from plyground.games.lines import play_line
from plyground.hints import reason_of
from plyground.play import parse_records

GAME_BOOK = "book"
"""The name of the game's own book of scored openings, in place of a file."""
BOOK_ORDERS = ("random", "sequential")
"""Orders in which the openings of a book are played."""


def read_book(path: str | Path, start: State, plies: int | None = None) -> list[State]:
    """The different openings in a file, for the game that begins with `start`.

    Lines of moves and games are read up to a number of plies, or to their ends.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else "not a text file"
        raise ConfigError(f"cannot read the book {path}: {reason}") from None
    if text.lstrip().startswith("["):
        openings = _from_records(path, text, start, plies)
    else:
        openings = _from_lines(path, text, start, plies)
    different = list({opening.text(): opening for opening in openings}.values())
    if not different:
        raise ConfigError(f"expected openings in the book {path}, got none")
    return different


def from_opening(openings: list[State], first: int) -> list[State]:
    """The openings from a number on, counted from 1, and then those before it.

    A ConfigError if there are fewer.
    """
    if first > len(openings):
        raise ConfigError(f"expected an opening from 1 to {len(openings)} of the book, got {first}")
    return openings[first - 1 :] + openings[: first - 1]


def _from_records(path: str | Path, text: str, start: State, plies: int | None) -> list[State]:
    """A position of each game in a record file, by default the last."""
    openings = []
    game = start.game
    try:
        records = parse_records(text)
    except ValueError as error:
        raise ConfigError(f"cannot read the book {path}: {error}") from None
    for number, record in enumerate(records, 1):
        where = f"game {number} of the book {path}"
        states = record.states()
        opening = states[-1] if plies is None else states[: plies + 1][-1]
        if opening.game is not game or game.settings(opening) != game.settings(start):
            raise ConfigError(f"{where} is of another game or board")
        _check_unfinished(opening, where)
        openings.append(opening)
    return openings


def _from_lines(path: str | Path, text: str, start: State, plies: int | None) -> list[State]:
    game, settings = start.game, start.game.settings(start)
    openings = []
    for number, line in enumerate(text.splitlines(), 1):
        line = re.split("[#;]", line, maxsplit=1)[0].strip()
        if not line:
            continue
        where = f"line {number} of the book {path}"
        opening: State
        try:
            if game.is_position(line):
                opening = game.start(settings, line)
            else:
                opening = play_line(start, game.parse_line(start, line)[:plies])[-1]
        except (ConfigError, IllegalMoveError, NotationError) as error:
            raise ConfigError(f"{where}: {error}") from None
        if game.settings(opening) != settings:
            raise ConfigError(f"{where} has another board than the game to play")
        _check_unfinished(opening, where)
        openings.append(opening)
    return openings


def _check_unfinished(opening: State, where: str) -> None:
    if opening.outcome is not None:
        hint = "use the first plies of each game, with openings_plies"
        raise ConfigError(f"{where} is a finished game: {opening.outcome}; {hint}")
