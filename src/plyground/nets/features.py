"""From the packed features that the core writes to the planes that `PathNet` reads.

The core describes a position, seen by the mover, in FEATURE_BYTES bytes (`quoridor_features.h` has
the layout): bit planes of 11 bytes, distance fields of 81 bytes, scalars of one byte. Every input
plane at every cell is then one byte of these, masked, clipped and scaled, so a table of four
columns is the whole expansion: the same few operations on the GPU, on the CPU and in ONNX.
A left-right mirror only changes which byte and bit is read.

Boards smaller than 9x9 lie in the corner of the packed features and are cut out here, so that the
network sees each board with its own rim.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import torch
from numpy.typing import NDArray

CANVAS = 9
"""Rows and columns of the packed planes, whatever the board."""
ACTIONS = CANVAS**2 + 2 * (CANVAS - 1) ** 2
"""Policy entries: 81 pawn cells, 64 horizontal and 64 vertical wall slots."""
FEATURE_BYTES = 488
SIZE_BYTE = 14 * 11 + 4 * 81 + 6
"""Where the packed features say how large the board is."""

BIT_PLANES = 14
_EAST, _WEST = 5, 6
_SLOT_PLANES = (7, 8, 9, 10)
_LEGAL_HORIZONTAL, _LEGAL_VERTICAL, _LEGAL_PAWN = 9, 10, 11
_PLANE_BYTES = 11
_FIELDS_AT = BIT_PLANES * _PLANE_BYTES
_SCALARS_AT = _FIELDS_AT + 4 * CANVAS**2

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
    (6, 9, 1 / 9),  # board size
    (7, 20, 1 / 10),  # walls per player at the start
    (0, 3, 1 / 3),
    (1, 3, 1 / 3),
    (4, 16, 1 / 16),
    (5, 16, 1 / 16),
]
PLANES = BIT_PLANES + len(_FIELDS) + len(_FIELDS_STEEP) + len(_SCALARS)


Row = tuple[int, int, int, float]
"""Byte, mask, clip and scale of one number."""


@dataclass(frozen=True)
class Table:
    """How to read a list of numbers out of the packed features; all columns are as long."""

    byte: NDArray[np.int64]
    mask: NDArray[np.uint8]
    clip: NDArray[np.uint8]
    scale: NDArray[np.float32]

    @classmethod
    def of(cls, rows: list[Row]) -> Table:
        """From one row per number."""
        byte, mask, clip, scale = zip(*rows, strict=True)
        return cls(
            np.array(byte, np.int64),
            np.array(mask, np.uint8),
            np.array(clip, np.uint8),
            np.array(scale, np.float32),
        )


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
def plane_table(size: int, mirror: bool = False) -> Table:
    """The table of all planes of a board, cell by cell (planes vary fastest: channels last)."""
    cells = [(row, col) for row in range(size) for col in range(size)]
    return Table.of([entry for row, col in cells for entry in _cell_rows(size, row, col, mirror)])


@cache
def legal_table() -> Table:
    """The table of the legal moves, in the order of the policy."""
    cells = [(row, col) for row in range(CANVAS) for col in range(CANVAS)]
    slots = [(row, col) for row, col in cells if max(row, col) < CANVAS - 1]
    return Table.of(
        [_bit(_LEGAL_PAWN, *cell) for cell in cells]
        + [_bit(_LEGAL_HORIZONTAL, *slot) for slot in slots]
        + [_bit(_LEGAL_VERTICAL, *slot) for slot in slots]
    )


@cache
def mirror_policy(size: int) -> NDArray[np.int64]:
    """Where each policy entry of a mirrored board comes from: `mirrored = policy[mirror_policy]`.

    Entries outside a smaller board stay where they are. Mirroring twice gives the policy back.
    """
    source = np.arange(ACTIONS)
    for start, width, last in [(0, CANVAS, size - 1)] + [
        (CANVAS**2 + k * (CANVAS - 1) ** 2, CANVAS - 1, size - 2) for k in range(2)
    ]:
        for row in range(last + 1):
            first = start + row * width
            source[first : first + last + 1] = source[first : first + last + 1][::-1].copy()
    return source


class Expander(torch.nn.Module):
    """Expands packed features on whatever device it is moved to; shapes depend on the batch only.

    It holds the tables as buffers, which no state dict stores, so that it can run in a CUDA graph.
    """

    def __init__(self, size: int = CANVAS, mirror: bool = False) -> None:
        super().__init__()
        self.size = size
        for name, table in (("plane", plane_table(size, mirror)), ("legal", legal_table())):
            for column in ("byte", "mask", "clip", "scale"):
                values = torch.from_numpy(getattr(table, column))
                self.register_buffer(f"{name}_{column}", values, persistent=False)

    def _read(self, packed: torch.Tensor, name: str) -> torch.Tensor:
        byte, mask, clip = (
            self.get_buffer(f"{name}_{column}") for column in ("byte", "mask", "clip")
        )
        values = packed.index_select(1, byte)  # [batch, entries]
        return torch.minimum(values & mask, clip)

    def planes(self, packed: torch.Tensor, dtype: torch.dtype = torch.float32) -> torch.Tensor:
        """Planes [batch, PLANES, size, size] (channels last) from uint8 [batch, FEATURE_BYTES]."""
        values = self._read(packed, "plane") * self.get_buffer("plane_scale").to(dtype)
        return values.view(-1, self.size, self.size, PLANES).permute(0, 3, 1, 2)

    def legal(self, packed: torch.Tensor) -> torch.Tensor:
        """Which policy entries are legal, bool [batch, ACTIONS]; never mirrored."""
        return self._read(packed, "legal").bool()
