"""Files of positions: Parquet and NPZ."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import numpy as np

from plyground.arena.store import Filter
from plyground.data.columns import PositionView, position_columns
from plyground.data.sources import OnBad, Source
from plyground.data.table import load_pyarrow, to_batch
from plyground.errors import ConfigError
from plyground.files import atomic_write
from plyground.hints import reason_of

FORMATS = ("parquet", "npz")


def write_positions(
    source: Source,
    path: str | Path,
    *,
    view: PositionView = "text",
    which: Filter | None = None,
    on_bad: OnBad | None = None,
) -> int:
    """Write the positions of a source to a .parquet or .npz file; returns their number.

    The columns are those of `positions`. A Parquet file is written as the source is read, an NPZ
    file at the end; in NPZ, unknown outcomes and values are NaN.
    """
    path = Path(path)
    write = {".parquet": _write_parquet, ".npz": _write_npz}.get(path.suffix)
    if write is None:
        raise ConfigError(f"expected a file that ends in .parquet or .npz, got {str(path)!r}")
    try:
        return write(source, path, view, which, on_bad)
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {reason_of(error)}") from error


def _write_parquet(
    source: Source, path: Path, view: PositionView, which: Filter | None, on_bad: OnBad | None
) -> int:
    load_pyarrow()
    from pyarrow import parquet

    count, writer = 0, None
    with atomic_write(path) as file, ExitStack() as stack:  # the writer closes before its file
        for columns in position_columns(source, view, which, on_bad):
            batch = to_batch(columns, view)
            if writer is None:
                writer = stack.enter_context(
                    parquet.ParquetWriter(file, batch.schema, compression="zstd")
                )
            writer.write_batch(batch)
            count += batch.num_rows
        if writer is None:
            raise ConfigError("expected positions to write, found none")
    return count


def _write_npz(
    source: Source, path: Path, view: PositionView, which: Filter | None, on_bad: OnBad | None
) -> int:
    batches = list(position_columns(source, view, which, on_bad))
    if not batches:
        raise ConfigError("expected positions to write, found none")
    whole = {name: np.concatenate([batch[name] for batch in batches]) for name in batches[0]}
    with atomic_write(path) as file:
        np.savez_compressed(file, **whole)  # type: ignore[arg-type]
    return len(whole["action"])
