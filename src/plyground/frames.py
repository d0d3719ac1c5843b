"""Tables for pandas, which is imported when the first one is made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from plyground.errors import ConfigError

if TYPE_CHECKING:
    import pandas


def make_frame(rows: Iterable[Mapping[str, object]]) -> pandas.DataFrame:
    """A pandas table of rows with the same columns."""
    try:
        import pandas
    except ImportError as error:
        raise ConfigError("tables need pandas: pip install 'plyground[data]'") from error
    return pandas.DataFrame(list(rows))
