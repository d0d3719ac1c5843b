"""Positions as Arrow tables. pyarrow is imported when the first one is made (extra `data`)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from plyground.arena.store import Filter
from plyground.data.columns import ROWS, TYPES, Columns, PositionView, position_columns
from plyground.data.sources import OnBad, Source
from plyground.errors import ConfigError
from plyground.extras import needs_extra

if TYPE_CHECKING:
    from types import ModuleType

    import pyarrow

METADATA = b"plyground"
"""The key of the table's metadata: the view, and the shape of the planes."""


def positions(
    source: Source,
    *,
    view: PositionView = "text",
    which: Filter | None = None,
    on_bad: OnBad | None = None,
) -> pyarrow.Table:
    """The positions of a source as an Arrow table, which pandas and polars take.

    With the view "text", `position` is the line of text that `Game.start` parses, and `action` is
    the number that `State.play` takes. With "planes", `planes` and `action` are what the player to
    move sees, as for a network. `outcome` (1, 0, -1) and `value` (the player's own score) are
    always for the player to move; unknown ones are null.
    """
    arrow = load_pyarrow()
    batches = list(position_batches(source, view=view, which=which, on_bad=on_bad))
    if batches:
        return arrow.Table.from_batches(batches)
    if view == "planes":
        raise ConfigError("expected positions to make planes of, found none")
    return _schema("text", {}).empty_table()


def position_batches(
    source: Source,
    *,
    view: PositionView = "text",
    which: Filter | None = None,
    on_bad: OnBad | None = None,
    rows: int = ROWS,
) -> Iterator[pyarrow.RecordBatch]:
    """The same positions, at most `rows` at a time, for sources larger than the memory."""
    load_pyarrow()
    for columns in position_columns(source, view, which, on_bad, rows):
        yield to_batch(columns, view)


def planes_of(table: pyarrow.Table) -> NDArray[np.float32]:
    """The planes of a table as one array [positions, planes, rows, columns].

    The array shares the table's memory if the table has one chunk.
    """
    if "planes" not in table.column_names:
        raise ConfigError(
            "expected a table of positions with planes: positions(..., view='planes')"
        )
    shape = json.loads(table.schema.metadata[METADATA])["shape"]
    parts = [chunk.flatten().to_numpy() for chunk in table["planes"].chunks]
    flat = parts[0] if len(parts) == 1 else np.concatenate(parts)
    return cast("NDArray[np.float32]", flat.reshape(-1, *shape))


def load_pyarrow() -> ModuleType:
    """The module pyarrow; a ConfigError that names the extra if it is missing."""
    with needs_extra("tables of positions need pyarrow"):
        import pyarrow
    return cast("ModuleType", pyarrow)


def to_batch(columns: Columns, view: PositionView) -> pyarrow.RecordBatch:
    """Columns as a batch of an Arrow table."""
    arrow = load_pyarrow()
    schema = _schema(view, columns)
    arrays = [_array(arrow, columns[field.name], field.type) for field in schema]
    return arrow.RecordBatch.from_arrays(arrays, schema=schema)


def _schema(view: PositionView, columns: Columns) -> pyarrow.Schema:
    arrow = load_pyarrow()
    text = [name for name in TYPES if name not in ("planes", "policy")]
    about: dict[str, object] = {"view": view}
    if "planes" in columns:
        about["shape"] = columns["planes"].shape[1:]
    fields = []
    for name in columns or text:
        kind = {"str": "string"}.get(TYPES[name], TYPES[name])
        type_ = arrow.type_for_alias(kind)
        if name in ("planes", "policy"):
            type_ = arrow.list_(type_, int(np.prod(columns[name].shape[1:])))
        fields.append(arrow.field(name, type_))
    return arrow.schema(fields, metadata={METADATA: json.dumps(about).encode()})


def _array(
    arrow: ModuleType, values: NDArray[np.generic], type_: pyarrow.DataType
) -> pyarrow.Array:
    if values.ndim > 1:
        return arrow.FixedSizeListArray.from_arrays(arrow.array(values.ravel()), type=type_)
    return arrow.array(values, type=type_, from_pandas=True)  # NaN becomes null
