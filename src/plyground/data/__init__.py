"""Positions of games as tables: Arrow, pandas, polars, Parquet and NPZ (docs/data.md).

The other files of this folder are what the package carries: networks, openings, puzzles, weights.
"""

from plyground.arena.store import Filter
from plyground.data.columns import PositionView, position_columns
from plyground.data.files import write_positions
from plyground.data.sources import Source, read_records
from plyground.data.table import planes_of, position_batches, positions

__all__ = [
    "Filter",
    "PositionView",
    "Source",
    "planes_of",
    "position_batches",
    "position_columns",
    "positions",
    "read_records",
    "write_positions",
]
