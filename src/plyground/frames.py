"""Tables for pandas, which is imported when the first one is made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from plyground.extras import needs_extra

if TYPE_CHECKING:
    import pandas


def make_frame(rows: Iterable[Mapping[str, object]]) -> pandas.DataFrame:
    """A pandas table of rows with the same columns."""
    with needs_extra("tables need pandas"):
        import pandas
    return pandas.DataFrame(list(rows))
