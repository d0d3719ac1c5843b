"""From the packed features that the core writes to the planes and scalars that networks read."""

from __future__ import annotations

import numpy as np
import torch

from plyground.nets.encoding import Encoding, Table

ON_BOARD = 0
"""The plane that says which cells of the canvas are on the board, where boards differ in size."""


class Expander(torch.nn.Module):
    """Expands packed features on whatever device it is moved to; shapes depend on the batch only.

    It holds the encoding's tables as buffers, which no state dict stores, so that it can run in a
    CUDA graph. Boards smaller than the encoding's canvas are cut out.
    """

    def __init__(self, encoding: Encoding, size: int | None = None, symmetry: int = 0) -> None:
        super().__init__()
        self.encoding = encoding
        self.size = encoding.canvas if size is None else size
        tables = {
            "plane": encoding.plane_table(self.size, symmetry),
            "legal": encoding.legal_table(),
        }
        for name, table in tables.items():
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
        """Planes [batch, planes, size, size] (channels last) from uint8 [batch, feature_bytes]."""
        values = self._read(packed, "plane") * self.get_buffer("plane_scale").to(dtype)
        shape = (-1, self.size, self.size, self.encoding.planes)
        return values.view(shape).permute(0, 3, 1, 2)

    def scalars(self, packed: torch.Tensor) -> torch.Tensor:
        """The numbers beside the planes, float32 [batch, scalars]."""
        first, count = self.encoding.scalars_at, self.encoding.scalars
        parts = packed[:, first : first + 4 * count].float().view(-1, count, 2, 2)
        numbers = parts[..., 0] + 256 * parts[..., 1]
        return numbers[..., 0] / numbers[..., 1]

    def inputs(
        self, packed: torch.Tensor, dtype: torch.dtype = torch.float32
    ) -> tuple[torch.Tensor, ...]:
        """What a network is called with: the planes, and the scalars where there are some."""
        planes = self.planes(packed, dtype)
        return (planes, self.scalars(packed).to(dtype)) if self.encoding.scalars else (planes,)

    def legal(self, packed: torch.Tensor) -> torch.Tensor:
        """Which policy entries are legal, bool [batch, actions]; never turned."""
        return self._read(packed, "legal").bool()


class CanvasExpander(torch.nn.Module):
    """Expands positions on boards of all sizes into one batch.

    Each board lies in the corner of the canvas, and all planes are 0 outside it.
    """

    def __init__(self, encoding: Encoding, symmetry: int = 0) -> None:
        super().__init__()
        self.encoding = encoding
        sizes = range(encoding.canvas + 1)
        tables = [canvas_table(encoding, size, symmetry) for size in sizes]
        for column in ("byte", "mask", "clip", "scale"):
            stacked = np.stack([getattr(table, column) for table in tables])
            self.register_buffer(column, torch.from_numpy(stacked), persistent=False)

    def planes(self, packed: torch.Tensor, dtype: torch.dtype = torch.float32) -> torch.Tensor:
        """Planes [batch, planes, canvas, canvas] from uint8 [batch, feature_bytes]."""
        sizes = board_sizes(packed, self.encoding)
        byte, mask, clip, scale = (
            self.get_buffer(column)[sizes] for column in ("byte", "mask", "clip", "scale")
        )
        values = torch.minimum(packed.gather(1, byte) & mask, clip) * scale.to(dtype)
        canvas = self.encoding.canvas
        values = values.view(-1, canvas, canvas, self.encoding.planes)
        values = values * values[..., ON_BOARD : ON_BOARD + 1]
        return values.permute(0, 3, 1, 2)

    def inputs(
        self, packed: torch.Tensor, dtype: torch.dtype = torch.float32
    ) -> tuple[torch.Tensor, ...]:
        """What a network is called with: the planes."""
        return (self.planes(packed, dtype),)


def canvas_table(encoding: Encoding, size: int, symmetry: int) -> Table:
    """The table of a board in the corner of the canvas; cells outside are not turned."""
    canvas, planes = encoding.canvas, encoding.planes
    whole = encoding.plane_table(canvas, 0)
    if not size:
        return whole
    board = encoding.plane_table(size, symmetry)
    columns = {}
    for column in ("byte", "mask", "clip", "scale"):
        cells = getattr(whole, column).reshape(canvas, canvas, planes).copy()
        cells[:size, :size] = getattr(board, column).reshape(size, size, planes)
        columns[column] = cells.ravel()
    return Table(**columns)


def board_sizes(packed: torch.Tensor, encoding: Encoding) -> torch.Tensor:
    """Rows and columns of each position's board, int64 [batch]."""
    if encoding.size_byte is None:
        return torch.full_like(packed[:, 0], encoding.canvas, dtype=torch.int64)
    return packed[:, encoding.size_byte].long()
