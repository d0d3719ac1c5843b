"""Reversi for networks: `reversi_features.h` has the layout that is read here.

Packed are six bit planes of eight bytes, the number of empty squares, and whether there is nothing
but to pass. The board has eight symmetries.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from plyground.nets.encoding import Encoding, PolicyPart, Row, Table

SIZE = 8
BIT_PLANES = 6
_LEGAL = 3
_EMPTIES_AT = BIT_PLANES * SIZE
_PASS_AT = _EMPTIES_AT + 1

# Numbers that are the same on all squares. Whether the empty ones are even says who moves last.
_SCALARS: list[Row] = [(_EMPTIES_AT, 255, 60, 1 / 60), (_EMPTIES_AT, 1, 1, 1.0)]


def _source(row: int, col: int, symmetry: int) -> tuple[int, int]:
    """The square that comes to lie here when the board is turned.

    Bit 0 of the symmetry mirrors the columns, then bit 1 flips the rows, then bit 2 transposes, as
    in reversi_board.h; here it is followed backwards.
    """
    if symmetry & 4:
        row, col = col, row
    return (SIZE - 1 - row if symmetry & 2 else row), (SIZE - 1 - col if symmetry & 1 else col)


def _bit(plane: int, row: int, col: int) -> Row:
    return SIZE * plane + row, 1 << col, 255, 1 / (1 << col)


@cache
def plane_table(size: int, symmetry: int = 0) -> Table:
    """The table of all planes."""
    rows: list[Row] = []
    for row, col in np.ndindex(size, size):
        rows += [_bit(plane, *_source(row, col, symmetry)) for plane in range(BIT_PLANES)]
        rows += _SCALARS
    return Table.of(rows)


@cache
def legal_table() -> Table:
    """The table of the legal moves: the squares, and the pass."""
    squares = [_bit(_LEGAL, row, col) for row, col in np.ndindex(SIZE, SIZE)]
    return Table.of([*squares, (_PASS_AT, 255, 1, 1.0)])


@cache
def turn_policy(size: int, symmetry: int = 0) -> NDArray[np.int64]:
    """Where each policy entry of a turned board comes from; the pass stays."""
    sources = [_source(row, col, symmetry) for row, col in np.ndindex(size, size)]
    return np.array([*(size * row + col for row, col in sources), size * size])


REVERSI = Encoding(
    game="reversi",
    canvas=SIZE,
    feature_bytes=56,
    planes=BIT_PLANES + len(_SCALARS),
    size_byte=None,
    policy=(PolicyPart(kernel=1, maps=1),),
    has_pass=True,
    symmetries=8,
    margin_scale=16.0,  # discs
    plane_table=plane_table,
    legal_table=legal_table,
    turn_policy=turn_policy,
)
