"""The pattern values of Reversi's evaluation, and their file format.

A file is one line of text that identifies it, then the values as little-endian 16-bit numbers,
compressed as .xz; files of the first version are compressed by zlib. The command `plyground tune
reversi-patterns` writes it (plyground.tune.reversi_patterns).
"""

from __future__ import annotations

import lzma
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

_FIRST_LINE = b"plyground reversi patterns 2\n"
_FIRST_LINE_OF_ZLIB = b"plyground reversi patterns 1\n"
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 0, "lp": 1, "pb": 1}]
"""The best compression of 16-bit numbers: a fifth smaller than zlib's."""
_MOST_BYTES = 16 << 20


@cache
def shipped_patterns() -> _core.ReversiPatterns:
    """The values in the package."""
    return read_patterns(Path(str(files("plyground") / "data" / "reversi_patterns.bin")))


def read_patterns(path: str | Path) -> _core.ReversiPatterns:
    """Read the values of a file for the engine."""
    values = read_values(path)
    try:
        return _core.ReversiPatterns(values)
    except ConfigError as error:
        raise ConfigError(f"cannot read the patterns {str(path)!r}: {error}") from None


def read_values(path: str | Path) -> NDArray[np.int16]:
    """Read the values of a file, in hundredths of a disc."""
    import numpy as np  # imported late: the rules and searchers do not need numpy

    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise ConfigError(f"cannot read the patterns {str(path)!r}: {reason_of(error)}") from error
    try:
        return np.frombuffer(_unpack(data), "<i2").astype(np.int16)
    except (zlib.error, lzma.LZMAError, ConfigError, ValueError) as error:
        raise ConfigError(f"cannot read the patterns {str(path)!r}: {error}") from None


def _unpack(data: bytes) -> bytes:
    line, packed = data[: len(_FIRST_LINE)], data[len(_FIRST_LINE) :]
    unpacker: lzma.LZMADecompressor | zlib._Decompress
    if line == _FIRST_LINE:
        unpacker = lzma.LZMADecompressor()
    elif line == _FIRST_LINE_OF_ZLIB:
        unpacker = zlib.decompressobj()
    else:
        raise ConfigError("expected pattern values, got another file")
    values = unpacker.decompress(packed, _MOST_BYTES)
    if not unpacker.eof:
        raise ConfigError("the file is not complete")
    return values


def write_patterns(path: str | Path, values: NDArray[np.int16]) -> None:
    """Write the values of all phases, in hundredths of a disc, atomically."""
    with atomic_write(Path(path)) as file:
        packed = lzma.compress(values.astype("<i2").tobytes(), filters=_FILTERS)
        file.write(_FIRST_LINE + packed)
