"""Positions as columns of numpy arrays, from which tables and files are made.

A row is a position and the move that was played there. Position, action, outcome and value of a row
belong together by construction: they are written by one function, for the player to move.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plyground.arena.store import Filter
from plyground.checks import check_range
from plyground.data.replay import is_replay, replay_columns
from plyground.data.sources import OnBad, Source, read_records
from plyground.errors import ConfigError
from plyground.games.base import State
from plyground.play import MoveRecord, Record

Columns: TypeAlias = dict[str, NDArray[np.generic]]
"""Arrays by name, one row per position."""
PositionView: TypeAlias = Literal["text", "planes"]
"""How positions are given: as text, with actions of the state, or as planes, with actions of the
player to move."""
ROWS = 8192

TYPES: dict[str, str] = {
    "game": "str",
    "number": "int32",
    "ply": "int32",
    "player": "int8",
    "name": "str",
    "opponent": "str",
    "position": "str",
    "move": "str",
    "planes": "float32",
    "policy": "float32",
    "action": "int32",
    "outcome": "float32",
    "value": "float32",
}
"""The types of all columns, in their order."""


@dataclass(frozen=True, slots=True)
class GameRow:
    """A position of a game, the move that was played there, and the game itself."""

    record: Record
    number: int
    ply: int
    state: State
    move: MoveRecord

    def cells(self, view: PositionView) -> dict[str, object]:
        """The values of a row; those of planes and of text fit each other within a view."""
        state, player = self.state, self.state.current_player
        action = state.parse_move(self.move.text)
        shown: dict[str, object] = {"position": state.text(), "move": self.move.text}
        if view == "planes":
            shown = {"planes": state.game.planes(state)}
            action = state.game.mover_action(state, action)
        is_open = self.record.result == "*"
        return {
            "game": self.record.game,
            "number": self.number,
            "ply": self.ply,
            "player": player,
            "name": self.record.player_name(player),
            "opponent": self.record.player_name(3 - player),
            **shown,
            "action": action,
            "outcome": math.nan if is_open else 2 * self.record.points(player) - 1,
            "value": math.nan if self.move.score is None else self.move.score,
        }


def position_columns(
    source: Source,
    view: PositionView = "text",
    which: Filter | None = None,
    on_bad: OnBad | None = None,
    rows: int = ROWS,
) -> Iterator[Columns]:
    """The positions of a source, at most `rows` at a time, as numpy arrays.

    An unknown outcome or value is NaN.

    >>> (columns,) = position_columns(Record.from_moves(["e2", "e8", "e3"], result="1-0"))
    >>> columns["move"].tolist(), columns["outcome"].tolist()
    (['e2', 'e8', 'e3'], [1.0, -1.0, 1.0])
    """
    check_range("rows", rows, 1)
    if view not in ("text", "planes"):
        raise ConfigError(f"expected the view 'text' or 'planes', got {view!r}")
    if isinstance(source, str | Path) and is_replay(Path(source)):
        if view == "text" or which is not None:
            raise ConfigError(
                f"{source} is a replay, which has planes without games: "
                "expected the view 'planes' and no filter"
            )
        yield from replay_columns(Path(source), rows)
        return
    waiting: list[dict[str, object]] = []
    shapes: dict[tuple[int, ...], int] = {}
    for row in _rows(read_records(source, which, on_bad)):
        waiting.append(row.cells(view))
        if view == "planes":
            _check_shape(shapes, row, waiting[-1]["planes"])
        if len(waiting) == rows:
            yield _columns(waiting)
            waiting = []
    if waiting:
        yield _columns(waiting)


def _rows(records: Iterator[Record]) -> Iterator[GameRow]:
    for number, record in enumerate(records, 1):
        state = record.start_state()
        for ply, move in enumerate(record.moves):
            yield GameRow(record, number, ply, state, move)
            state = state.play(move.text)


def _check_shape(shapes: dict[tuple[int, ...], int], row: GameRow, planes: object) -> None:
    """Raise a ConfigError for planes of different shapes, which fit into no array."""
    shapes.setdefault(np.asarray(planes).shape, row.number)
    if len(shapes) > 1:
        one, other = shapes
        raise ConfigError(
            f"expected games on one board for planes, got planes {one} in game {shapes[one]} and "
            f"{other} in game {shapes[other]}"
        )


def _columns(rows: list[dict[str, object]]) -> Columns:
    names = [name for name in TYPES if name in rows[0]]
    return {name: np.array([row[name] for row in rows], TYPES[name]) for name in names}
