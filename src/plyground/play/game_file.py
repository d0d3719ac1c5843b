"""Files of games. A file is replaced as a whole, so that a crash cannot damage it.

A file with an error is rejected with the line of the error, and never overwritten.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.files import atomic_write
from plyground.hints import reason_of
from plyground.play.record import Record
from plyground.play.record_text import OnBad, format_records, parse_records, stream_records


def read_games(path: str | Path) -> list[Record]:
    """Read all games of a file; a NotationError if it has none."""
    try:
        text = Path(path).read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise NotationError(f"{path}, line {line}: expected text in UTF-8") from None
    except (OSError, ValueError) as error:  # ValueError for a NUL in the name
        raise ConfigError(f"cannot read {path}: {reason_of(error)}") from error
    try:
        games = parse_records(text)
    except (ConfigError, IllegalMoveError, NotationError) as error:
        raise NotationError(f"{path}, {error}") from None
    if not games:
        raise NotationError(f"{path}, line 1: expected a game, got an empty file")
    return games


def stream_games(path: str | Path, on_bad: OnBad | None = None) -> Iterator[Record]:
    """Read the games of a file one by one; `on_bad` is called with games that are skipped."""
    try:
        with Path(path).open(encoding="utf-8-sig", errors="surrogateescape") as file:
            yield from stream_records(file, on_bad)
    except (OSError, ValueError) as error:
        if isinstance(error, ConfigError | IllegalMoveError | NotationError):
            raise type(error)(f"{path}, {error}") from None
        raise ConfigError(f"cannot read {path}: {reason_of(error)}") from error


def read_game(path: str | Path, number: int | None = None) -> tuple[Record, int]:
    """Read one game of a file, by default the last; returns it with its number, from 1."""
    games = read_games(path)
    chosen = len(games) if number is None else number
    if not 1 <= chosen <= len(games):
        raise ConfigError(f"expected a game from 1 to {len(games)} in {path}, got {chosen}")
    return games[chosen - 1], chosen


def save_game(record: Record, path: str | Path, number: int | None = None) -> int:
    """Write a game to a file: replace the game of that number, or append it.

    Returns its number. The file is replaced as a whole.
    """
    path = Path(path)
    games = read_games(path) if path.exists() and path.stat().st_size else []
    if number is None or number > len(games):
        games.append(record)
        number = len(games)
    else:
        games[number - 1] = record
    write_games(games, path)
    return number


def write_games(games: Sequence[Record], path: str | Path) -> None:
    """Write games to a file, replacing its contents."""
    try:
        with atomic_write(Path(path)) as file:
            file.write(format_records(games).encode())
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot write {path}: {reason_of(error)}") from error
