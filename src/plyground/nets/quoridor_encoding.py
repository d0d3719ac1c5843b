"""Quoridor for networks: `quoridor_features.h` has the layouts that are read here.

`QUORIDOR` is the encoding of `PathNet`. Packed are bit planes of 11 bytes, distance fields of 81
bytes and scalars of one byte. Boards smaller than 9x9 lie in the corner of the packed features and
are cut out, so that the network sees each board with its own rim. The one symmetry is the
left-right mirror.

`history_encoding` is the one of `QuoridorNet`: the planes and scalars of `encode_state`.
"""

from __future__ import annotations

from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from plyground.checks import check_range
from plyground.nets.encoding import MOST_FRAMES, Encoding, PolicyPart, Row, Table

CANVAS = 9
BIT_PLANES = 14
_PAWNS = (1, 2)
_EAST, _WEST = 5, 6
_SLOT_PLANES = (7, 8, 9, 10)
_LEGAL_HORIZONTAL, _LEGAL_VERTICAL, _LEGAL_PAWN = 9, 10, 11
_PLANE_BYTES = 11
_FIELDS_AT = BIT_PLANES * _PLANE_BYTES
_SCALARS_AT = _FIELDS_AT + 4 * CANVAS**2
_BOARD_SIZE = 6

# (index, clip, scale) of the planes after the bit planes. Steep copies of some of them tell small
# numbers apart: the last walls, the last plies before a draw, the last steps to the goal.
_FIELDS = [(0, 32, 1 / 16), (1, 32, 1 / 16), (2, 32, 1 / 16), (3, 32, 1 / 16)]
_FIELDS_STEEP = [(0, 4, 1 / 4), (1, 4, 1 / 4)]
_SCALARS = [
    (0, 20, 1 / 10),  # my walls
    (1, 20, 1 / 10),  # the opponent's
    (2, 32, 1 / 16),  # my shortest path
    (3, 32, 1 / 16),  # the opponent's
    (4, 200, 1 / 200),  # plies to the move limit
    (5, 50, 1 / 50),  # plies to the no-progress limit
    (_BOARD_SIZE, 9, 1 / 9),
    (7, 20, 1 / 10),  # walls per player at the start
    (0, 3, 1 / 3),
    (1, 3, 1 / 3),
    (4, 16, 1 / 16),
    (5, 16, 1 / 16),
]


def _bit(plane: int, row: int, col: int) -> Row:
    cell = CANVAS * row + col
    bit = 1 << cell % 8
    return _PLANE_BYTES * plane + cell // 8, bit, 255, 1 / bit


def _cell_rows(size: int, row: int, col: int, mirror: bool) -> list[Row]:
    """The rows of the table for all planes at one cell."""
    cell_col = size - 1 - col if mirror else col
    # The last column holds no slots: it stays where it is, empty.
    slot_col = size - 2 - col if mirror and col < size - 1 else col
    rows = []
    for plane in range(BIT_PLANES):
        source = {_EAST: _WEST, _WEST: _EAST}.get(plane, plane) if mirror else plane
        rows.append(_bit(source, row, slot_col if plane in _SLOT_PLANES else cell_col))
    for index, clip, scale in _FIELDS + _FIELDS_STEEP:
        byte = _FIELDS_AT + index * CANVAS**2 + CANVAS * row + cell_col
        rows.append((byte, 255, clip, scale))
    rows += [(_SCALARS_AT + index, 255, clip, scale) for index, clip, scale in _SCALARS]
    return rows


@cache
def plane_table(size: int, symmetry: int = 0) -> Table:
    """The table of all planes of a board; symmetry 1 is the mirror."""
    cells = [(row, col) for row in range(size) for col in range(size)]
    return Table.of(
        [entry for row, col in cells for entry in _cell_rows(size, row, col, symmetry == 1)]
    )


@cache
def legal_table(
    pawn: int = _LEGAL_PAWN, horizontal: int = _LEGAL_HORIZONTAL, vertical: int = _LEGAL_VERTICAL
) -> Table:
    """The table of the legal moves: 81 pawn cells, 64 horizontal and 64 vertical wall slots."""
    cells = [(row, col) for row in range(CANVAS) for col in range(CANVAS)]
    slots = [(row, col) for row, col in cells if max(row, col) < CANVAS - 1]
    return Table.of(
        [_bit(pawn, *cell) for cell in cells]
        + [_bit(horizontal, *slot) for slot in slots]
        + [_bit(vertical, *slot) for slot in slots]
    )


@cache
def turn_policy(size: int, symmetry: int = 1) -> NDArray[np.int64]:
    """Where each policy entry of a mirrored board comes from; mirroring twice gives it back."""
    source = np.arange(QUORIDOR.actions)
    if symmetry == 0:
        return source
    for start, width, last in [(0, CANVAS, size - 1)] + [
        (CANVAS**2 + k * (CANVAS - 1) ** 2, CANVAS - 1, size - 2) for k in range(2)
    ]:
        for row in range(last + 1):
            first = start + row * width
            source[first : first + last + 1] = source[first : first + last + 1][::-1].copy()
    return source


QUORIDOR = Encoding(
    game="quoridor",
    canvas=CANVAS,
    feature_bytes=488,
    planes=BIT_PLANES + len(_FIELDS) + len(_FIELDS_STEEP) + len(_SCALARS),
    size_byte=_SCALARS_AT + _BOARD_SIZE,
    policy=(PolicyPart(kernel=1, maps=1), PolicyPart(kernel=2, maps=2)),  # pawn cells; walls
    has_pass=False,
    symmetries=2,
    margin_scale=8.0,  # steps
    plane_table=plane_table,
    legal_table=legal_table,
    turn_policy=turn_policy,
    piece_planes=_PAWNS,
)


QUORIDOR_NET = "quoridor_net"
_FRAME_PLANES = 4
_FRAME_VERTICAL = 3
_HISTORY_SCALARS = 5


@cache
def history_encoding(history_length: int = 4) -> Encoding:
    """The planes of the last positions and the scalars, as `encode_state` has them.

    >>> history_encoding(4).planes, history_encoding(4).scalars
    (16, 5)
    """
    check_range("history_length", history_length, 1, MOST_FRAMES)
    planes = _FRAME_PLANES * history_length
    scalars_at = _PLANE_BYTES * (planes + 3)
    size_byte = scalars_at + 4 * _HISTORY_SCALARS
    return Encoding(
        game=QUORIDOR.game,
        canvas=CANVAS,
        feature_bytes=(size_byte + 8) // 8 * 8,
        planes=planes,
        size_byte=size_byte,
        policy=QUORIDOR.policy,
        has_pass=False,
        symmetries=2,
        margin_scale=QUORIDOR.margin_scale,
        plane_table=partial(_frame_table, planes),
        legal_table=partial(legal_table, planes + 2, planes, planes + 1),
        turn_policy=turn_policy,
        network=QUORIDOR_NET,
        history_length=history_length,
        scalars=_HISTORY_SCALARS,
        scalars_at=scalars_at,
    )


@cache
def _frame_table(planes: int, size: int, symmetry: int = 0) -> Table:
    """The table of the planes of all frames; symmetry 1 is the mirror."""
    rows = []
    for row, col in np.ndindex(size, size):
        cell_col = size - 1 - col if symmetry else col
        # A vertical wall stands east of its cells, and after the mirror east of their neighbours.
        slot_col = size - 2 - col if symmetry and col < size - 1 else col
        for plane in range(planes):
            is_vertical = plane % _FRAME_PLANES == _FRAME_VERTICAL
            rows.append(_bit(plane, row, slot_col if is_vertical else cell_col))
    return Table.of(rows)


@cache
def canvas_sources(size: int) -> NDArray[np.int64]:
    """For each policy entry of the canvas, the number of the action on a board of this size.

    Entries outside the board have the number after the last action.
    """
    actions = size**2 + 2 * (size - 1) ** 2
    sources = np.full(QUORIDOR.actions, actions)
    first = 0
    for start, width, used in [(0, CANVAS, size)] + [
        (CANVAS**2 + k * (CANVAS - 1) ** 2, CANVAS - 1, size - 1) for k in range(2)
    ]:
        for row in range(used):
            at = start + row * width
            sources[at : at + used] = np.arange(first, first + used)
            first += used
    return sources
