"""Reversi games from WTHOR, the database of human tournaments (.wtb files; names in .jou and .trn).

A file is a header of 16 bytes and entries of one length: 68 bytes a game in .wtb, 20 a player's
name in .jou, 26 a tournament's in .trn; numbers are little endian. A game is two scores and up to
60 squares, 10 * row + column from 11 (a1) to 88 (h8); passes are not written.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games.lines import play_line
from plyground.games.reversi import PASS, State
from plyground.hints import reason_of
from plyground.play.record import Record

_HEADER = struct.Struct("<4B I H H 4B")
_GAME = struct.Struct("<3H 2B 60s")
_NAME_BYTES = {".jou": 20, ".trn": 26}

# The action of each byte that stands for a square.
_ACTIONS = {10 * (row + 1) + col + 1: 8 * row + col for row in range(8) for col in range(8)}


@dataclass(frozen=True, slots=True)
class WthorGame:
    """One game of a file; ids are indices into the files of names."""

    year: int
    tournament_id: int
    black_id: int
    white_id: int
    black_discs: int
    """Black's discs at the end, with the empty squares counted for the winner; 32 is a draw."""
    best_black_discs: int
    """The same after perfect play from `best_from` empty squares on."""
    best_from: int
    squares: tuple[int, ...]
    """The actions played, passes left out."""

    def actions(self) -> list[int]:
        """All actions including passes; an error for an illegal move gives its number."""
        state, actions = State(), []
        for number, square in enumerate(self.squares, 1):
            if state.is_legal(PASS):
                state = state.play(PASS)
                actions.append(PASS)
            try:
                state = state.play(square)
            except IllegalMoveError as error:
                raise IllegalMoveError(f"move {number}: {error}") from None
            actions.append(square)
        return actions

    def record(self, players: Sequence[str] = (), tournaments: Sequence[str] = ()) -> Record:
        """The game as a record, with the names of players and tournaments if given.

        If the moves do not end the game, the file's disc count decides the result.
        """
        tags = {
            "Event": _name(tournaments, self.tournament_id, "tournament"),
            "Date": str(self.year),
            "Player1": _name(players, self.black_id, "player"),
            "Player2": _name(players, self.white_id, "player"),
        }
        actions = self.actions()
        state = play_line(State(), actions)[-1]
        result = None
        if state.outcome is None:
            lead = self.black_discs - 32
            result = "1-0" if lead > 0 else "0-1" if lead < 0 else "1/2-1/2"
        return Record.from_moves(actions, State(), tags=tags, result=result)


def read_wthor(path: str | Path) -> list[WthorGame]:
    """Read the games of a .wtb file."""
    data = _bytes(path)
    try:
        return parse_wthor(data)
    except NotationError as error:
        raise NotationError(f"{path}: {error}") from None


def parse_wthor(data: bytes) -> list[WthorGame]:
    """Parse the bytes of a .wtb file."""
    count, _, year, size, kind, best_from = _header(data)
    if size not in (0, 8) or kind != 0:
        raise NotationError(f"expected games on 8x8, got board size {size} and type {kind}")
    _check_length(data, count, _GAME.size, "games")
    games = []
    for number in range(count):
        *numbers, moves = _GAME.unpack_from(data, _HEADER.size + number * _GAME.size)
        played = moves.rstrip(b"\0")
        try:
            squares = tuple(_ACTIONS[byte] for byte in played)
        except KeyError as error:
            move = played.index(error.args[0]) + 1
            raise NotationError(
                f"game {number + 1}, move {move}: expected a square from 11 to 88, "
                f"got {error.args[0]}"
            ) from None
        tournament, black, white, discs, best_discs = numbers
        games.append(
            WthorGame(year, tournament, black, white, discs, best_discs, best_from, squares)
        )
    return games


def read_names(path: str | Path) -> list[str]:
    """Read the names of a .jou file (players) or a .trn file (tournaments), by id."""
    width = _NAME_BYTES.get(Path(path).suffix.lower())
    if width is None:
        raise ConfigError(f"expected a .jou or .trn file, got {str(path)!r}")
    data = _bytes(path)
    try:
        count = _header(data)[1]
        _check_length(data, count, width, "names")
    except NotationError as error:
        raise NotationError(f"{path}: {error}") from None
    starts = range(_HEADER.size, _HEADER.size + count * width, width)
    return [data[start : start + width].split(b"\0")[0].decode("latin-1") for start in starts]


def _bytes(path: str | Path) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {reason_of(error)}") from error


def _header(data: bytes) -> tuple[int, int, int, int, int, int]:
    """Games, names, year, board size, type, and the empty squares from which play was solved."""
    if len(data) < _HEADER.size:
        raise NotationError(f"expected a header of {_HEADER.size} bytes, got {len(data)}")
    *_, games, names, year, size, kind, best_from, _ = _HEADER.unpack_from(data)
    return games, names, year, size, kind, best_from


def _check_length(data: bytes, count: int, width: int, what: str) -> None:
    expected = _HEADER.size + count * width
    if len(data) != expected:
        raise NotationError(f"expected {expected} bytes for {count} {what}, got {len(data)}")


def _name(names: Sequence[str], number: int, what: str) -> str:
    return names[number] if number < len(names) else f"{what} {number}"
