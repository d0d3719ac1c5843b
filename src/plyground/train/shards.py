"""The replay on disk: files of positions in the order they were played, the oldest deleted.

A resumed run reads them back. Each file is replaced as a whole, on a thread of its own, so that a
kill or a slow disk costs at most the positions of the last file.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from plyground.files import atomic_write
from plyground.nets.encoding import Encoding
from plyground.train.replay import TARGETS, ReplayBuffer, Rows

SHARD_ROWS = 65_536


def row_type(encoding: Encoding) -> np.dtype[np.void]:
    """The dtype of a position with its training targets."""
    return np.dtype(
        [
            ("features", np.uint8, (encoding.feature_bytes,)),
            ("policy", np.float16, (encoding.actions,)),
            *((name, np.float32) for name in TARGETS),
        ]
    )


class Shards:
    """The newest positions of a run, on disk."""

    def __init__(self, encoding: Encoding, folder: Path, capacity: int) -> None:
        self.row = row_type(encoding)
        self.folder = folder
        self.capacity = capacity
        self.rows_per_shard = max(1, min(SHARD_ROWS, capacity // 8))
        self.waiting: list[NDArray[np.void]] = []
        self.rows_waiting = 0
        folder.mkdir(exist_ok=True)
        paths = self.paths()
        self.next_number = int(paths[-1].stem) + 1 if paths else 0
        self.writer = ThreadPoolExecutor(1, thread_name_prefix="replay")
        self.writing: Future[None] | None = None

    def paths(self) -> list[Path]:
        """The files, oldest first."""
        return sorted(self.folder.glob("[0-9]*.npy"))

    def load(self, replay: ReplayBuffer) -> None:
        """Fill a replay buffer with the positions on disk."""
        for path in self.paths():
            rows = np.load(path)
            ones = np.ones(len(rows), np.float32)  # for targets that older versions did not write
            known = rows.dtype.names
            replay.add(
                {name: rows[name] if name in known else ones for name in self.row.names or ()}
            )

    def add(self, rows: Rows) -> None:
        """Keep positions; full files are written in the background."""
        packed = np.zeros(len(rows["outcome"]), self.row)
        for name in self.row.names or ():
            packed[name] = rows[name]
        self.waiting.append(packed)
        self.rows_waiting += len(packed)
        if self.rows_waiting >= self.rows_per_shard:
            self.flush()

    def flush(self) -> None:
        """Start writing the collected positions."""
        if self.rows_waiting:
            shard = np.concatenate(self.waiting)
            self.waiting, self.rows_waiting = [], 0
            self._finish_writing()
            path = self.folder / f"{self.next_number:08d}.npy"
            self.next_number += 1
            self.writing = self.writer.submit(self._write, path, shard)

    def close(self) -> None:
        """Write the rest and wait until it is on the disk."""
        self.flush()
        self._finish_writing()
        self.writer.shutdown()

    def _finish_writing(self) -> None:
        if self.writing is not None:
            self.writing.result()
            self.writing = None

    def _write(self, path: Path, shard: NDArray[np.void]) -> None:
        with atomic_write(path) as file:
            np.save(file, shard)
        kept = 0
        for old in reversed(self.paths()):
            if kept >= self.capacity:
                old.unlink()
            else:
                kept += old.stat().st_size // self.row.itemsize
