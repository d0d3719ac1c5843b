"""The pattern values of Reversi's evaluation, and their file format.

A file is one line of text that identifies it, then the values as little-endian 16-bit numbers,
compressed by zlib. `plyground tune reversi-patterns` writes it (plyground.tune.reversi_patterns).
"""

from __future__ import annotations

import zlib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from plyground import _core
from plyground.errors import ConfigError
from plyground.files import atomic_write
from plyground.hints import reason_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_FIRST_LINE = b"plyground reversi patterns 1\n"


@cache
def shipped_patterns() -> _core.ReversiPatterns:
    """The values in the package."""
    return read_patterns(Path(str(files("plyground") / "data" / "reversi_patterns.bin")))


def read_patterns(path: str | Path) -> _core.ReversiPatterns:
    """Read the values of a file."""
    import numpy as np  # imported late: the rules and searchers do not need numpy

    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise ConfigError(f"cannot read the patterns {str(path)!r}: {reason_of(error)}") from error
    try:
        if not data.startswith(_FIRST_LINE):
            raise ConfigError(f"expected pattern values in {str(path)!r}, got another file")
        values = np.frombuffer(zlib.decompress(data[len(_FIRST_LINE) :]), "<i2")
        return _core.ReversiPatterns(values.astype(np.int16))
    except (zlib.error, ConfigError, ValueError) as error:
        raise ConfigError(f"cannot read the patterns {str(path)!r}: {error}") from None


def write_patterns(path: str | Path, values: NDArray[np.int16]) -> None:
    """Write the values of all phases, in hundredths of a disc, atomically."""
    with atomic_write(Path(path)) as file:
        file.write(_FIRST_LINE + zlib.compress(values.astype("<i2").tobytes(), 9))
