"""Openings from a file: one a line, as moves or as a position, or the games of a record file.

    # comments and empty lines are left out
    e2 e8 e3 e7 d3h
    9 e3/e7 d3h 9/10 2 5 0

Reversi's moves may be run together, as transcripts have them: `f5d6c3`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games import registry, reversi
from plyground.games.base import State
from plyground.play import parse_records


def read_book(path: str | Path, start: State, game: str = "quoridor") -> list[State]:
    """The openings in a file, for the game that begins with `start`; the same one only once."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a text file"
        raise ConfigError(f"cannot read the book {path}: {reason}") from None
    if text.lstrip().startswith("["):
        openings = _from_records(path, text, start, game)
    else:
        openings = _from_lines(path, text, start, game)
    different = list({opening.text(): opening for opening in openings}.values())
    if not different:
        raise ConfigError(f"expected openings in the book {path}, got none")
    return different


def _from_records(path: str | Path, text: str, start: State, game: str) -> list[State]:
    """Where each game of a record file ends."""
    openings = []
    rules = registry.get(game)
    try:
        records = parse_records(text)
    except ValueError as error:
        raise ConfigError(f"cannot read the book {path}: {error}") from None
    for number, record in enumerate(records, 1):
        opening = record.states()[-1]
        settings = None if record.game != game else rules.settings(opening)
        if settings != rules.settings(start):
            raise ConfigError(f"game {number} of the book {path} is of another game or board")
        openings.append(_going_on(opening, f"game {number} of the book {path}"))
    return openings


def _from_lines(path: str | Path, text: str, start: State, game: str) -> list[State]:
    rules = registry.get(game)
    openings = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("#")[0].strip()
        if not line:
            continue
        where = f"line {number} of the book {path}"
        try:
            # Quoridor's positions begin with a digit, Reversi's with a square.
            if line[0].isdigit() or line[0] in "-XO":
                opening: Any = rules.start(rules.settings(start), line)
            else:
                opening = start
                moves: list[Any] = line.split()
                if game == "reversi":  # which writes them together, and leaves passes out
                    moves = list(reversi.parse_transcript(line))
                for move in moves:
                    opening = opening.play(move)
        except (ConfigError, IllegalMoveError, NotationError) as error:
            raise ConfigError(f"{where}: {error}") from None
        if rules.settings(opening) != rules.settings(start):
            raise ConfigError(f"{where} has another board than the game to play")
        openings.append(_going_on(opening, where))
    return openings


def _going_on(opening: Any, where: str) -> Any:
    if opening.outcome is not None:
        raise ConfigError(f"{where} is a game that is over: {opening.outcome}")
    return opening
