"""From the packed features that the core writes to the planes that `PathNet` reads."""

from __future__ import annotations

import torch

from plyground.nets.encoding import Encoding


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

    def legal(self, packed: torch.Tensor) -> torch.Tensor:
        """Which policy entries are legal, bool [batch, actions]; never turned."""
        return self._read(packed, "legal").bool()
