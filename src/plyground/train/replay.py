"""The positions to learn from: a ring in the memory of the learner's device."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from plyground.nets.encoding import Encoding

Rows = Mapping[str, NDArray[np.generic]]
"""What the core's `drain` returns: arrays by name, one row per position."""

TARGETS = ("outcome", "root_value", "margin", "surprise")
STAGING_ROWS = 32_768


class Batch(NamedTuple):
    """Positions with their training targets."""

    features: Tensor  # uint8 [batch, feature_bytes]
    policy: Tensor  # float16 [batch, actions], the search's improved policy
    targets: Tensor  # float32 [batch, 4], in the order of TARGETS


def empty_batch(
    encoding: Encoding, rows: int, device: torch.device | None = None, pinned: bool = False
) -> Batch:
    """Memory for that many positions."""

    def zeros(columns: int, dtype: torch.dtype) -> Tensor:
        return torch.zeros(rows, columns, dtype=dtype, device=device, pin_memory=pinned)

    return Batch(
        zeros(encoding.feature_bytes, torch.uint8),
        zeros(encoding.actions, torch.float16),
        zeros(len(TARGETS), torch.float32),
    )


class ReplayBuffer:
    """The newest positions, of which random ones are sampled.

    Where to write next and how far back to sample are numbers on the device, so that sampling can
    be part of a CUDA graph. Adding and sampling belong on one stream.
    """

    def __init__(
        self, encoding: Encoding, capacity: int, window_share: float, device: torch.device
    ) -> None:
        self.capacity = capacity
        self.window_share = window_share
        self.device = device
        self.ring = empty_batch(encoding, capacity, device)
        self.added = 0
        """Positions added to this ring so far."""
        self.earlier = 0
        """Positions of the run that came before, and are not in the ring."""
        self._end = torch.ones((), dtype=torch.int64, device=device)
        self._window = torch.ones((), dtype=torch.int64, device=device)
        pinned = device.type == "cuda"
        rows = min(capacity, STAGING_ROWS)
        self._staging = [
            empty_batch(encoding, rows, pinned=pinned) for _ in range(2 if pinned else 1)
        ]
        self._copied = [torch.cuda.Event() for _ in self._staging] if pinned else []

    def __len__(self) -> int:
        return min(self.added, self.capacity)

    @property
    def window(self) -> int:
        """How many of the newest positions are sampled from: early ones are soon outdated."""
        share = int((self.added + self.earlier) * self.window_share)
        return max(1, min(len(self), share))

    def add(self, rows: Rows) -> None:
        """Append positions; the oldest make room."""
        count = len(rows["outcome"])
        staging_rows = len(self._staging[0].features)
        for first in range(0, count, staging_rows):
            self._add_part({key: rows[key][first : first + staging_rows] for key in rows})
        self._end.fill_(self.added % self.capacity)
        self._window.fill_(self.window)

    def _add_part(self, rows: Rows) -> None:
        """Append what fits into the staging area, from which the copy to a GPU need not wait."""
        count = len(rows["outcome"])
        self._staging.reverse()
        self._copied.reverse()
        staging = self._staging[0]
        if self._copied:
            self._copied[0].synchronize()
        staging.features[:count].numpy()[:] = rows["features"]
        staging.policy[:count].numpy()[:] = rows["policy"]
        for column, name in enumerate(TARGETS):
            staging.targets[:count, column].numpy()[:] = rows[name]
        start = self.added % self.capacity
        until_end = min(count, self.capacity - start)
        for ring, new in zip(self.ring, staging, strict=True):
            ring[start : start + until_end].copy_(new[:until_end], non_blocking=True)
            ring[: count - until_end].copy_(new[until_end:count], non_blocking=True)
        if self._copied:
            self._copied[0].record()
        self.added += count

    def sample(self, batch_size: int) -> Batch:
        """Random positions of the window."""
        age = torch.rand(batch_size, dtype=torch.float64, device=self.device) * self._window
        places = (self._end - 1 - age.long()) % self.capacity
        return Batch(*(ring[places] for ring in self.ring))
