"""Games in files: read whole, and written so that nothing in them can get lost.

A file that cannot be read as games is refused with the line that is wrong, and never written to.
"""

from __future__ import annotations

from pathlib import Path

from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.files import replacing
from plyground.play.record import Record
from plyground.play.record_text import format_records, parse_records


def read_games(path: Path) -> list[Record]:
    """All games of a file, at least one."""
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise NotationError(f"{path}, line {line}: expected text in UTF-8") from None
    except (OSError, ValueError) as error:  # the latter for a NUL in the name
        raise ConfigError(f"cannot read {path}: {getattr(error, 'strerror', error)}") from error
    try:
        games = parse_records(text)
    except (ConfigError, IllegalMoveError, NotationError) as error:
        raise NotationError(f"{path}, {error}") from None
    if not games:
        raise NotationError(f"{path}, line 1: expected a game, got an empty file")
    return games


def read_game(path: Path, number: int | None = None) -> tuple[Record, int]:
    """One game of a file and its number, counted from 1; by default the last."""
    games = read_games(path)
    chosen = len(games) if number is None else number
    if not 1 <= chosen <= len(games):
        raise ConfigError(f"expected a game from 1 to {len(games)} in {path}, got {chosen}")
    return games[chosen - 1], chosen


def save_game(record: Record, path: Path, number: int | None = None) -> int:
    """Write a game into a file, in place of the game of that number or after all others.

    The file is replaced as a whole: whatever happens meanwhile, it is the old or the new one.
    """
    games = read_games(path) if path.exists() and path.stat().st_size else []
    if number is None or number > len(games):
        games.append(record)
        number = len(games)
    else:
        games[number - 1] = record
    try:
        with replacing(path) as file:
            file.write(format_records(games).encode())
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot write {path}: {getattr(error, 'strerror', error)}") from error
    return number
