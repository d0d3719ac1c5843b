"""Weights of a `PathNet` to play with, in a file of numpy's format (.npz).

The arrays have the names of `network.fold`: batch norms are taken into the convolutions. They are
stored in float16, weights with 8 significant bits, which makes a packed file smaller by a fifth and
changes values by 0.001 on average. One more array, "metadata", is text: what the network reads, as
JSON.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.files import atomic_write
from plyground.hints import reason_of

METADATA = "metadata"
DROPPED_BITS = 3
"""Of the 10 bits that float16 has for the mantissa."""
MOST_BYTES = 1 << 30
"""The most that the arrays of a file may take together."""


def write_weights(
    path: Path, weights: Mapping[str, NDArray[np.float32]], metadata: Mapping[str, str]
) -> None:
    """Write folded weights; the file is replaced as a whole."""
    buffer = io.BytesIO()
    arrays: dict[str, NDArray[Any]] = {
        name: shorten(array) if array.ndim > 1 else array.astype(np.float16)
        for name, array in weights.items()
    }
    text = np.array(json.dumps(dict(metadata)))
    np.savez(buffer, allow_pickle=False, **arrays | {METADATA: text})
    with atomic_write(path) as file:
        file.write(buffer.getbuffer())


def shorten(array: NDArray[np.float32]) -> NDArray[np.float16]:
    """Float16 numbers with 8 significant bits, rounded to the nearest, ties to even.

    >>> float(shorten(np.array([1 + 3 / 256], np.float32))[0]) == 1 + 4 / 256
    True
    """
    bits = array.astype(np.float16).view(np.uint16).astype(np.uint32)
    is_odd = bits >> DROPPED_BITS & 1
    rounded = bits + (1 << DROPPED_BITS - 1) - 1 + is_odd >> DROPPED_BITS << DROPPED_BITS
    return rounded.astype(np.uint16).view(np.float16)


def read_weights(contents: bytes) -> tuple[dict[str, NDArray[np.float32]], dict[str, str]]:
    """The weights and the metadata of a file; a ValueError says what is wrong with it."""
    try:
        with zipfile.ZipFile(io.BytesIO(contents)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > MOST_BYTES:
                raise ValueError("it is too large")
            if any(name.endswith("/data.pkl") for name in archive.namelist()):  # torch's
                raise ValueError(
                    "it is a checkpoint; write it to a network's file first, by "
                    "`plyground export CHECKPOINT --out FILE.npz`"
                )
        with np.load(io.BytesIO(contents), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        metadata = json.loads(str(arrays.pop(METADATA)))
    except KeyError as error:
        raise ValueError("it has no metadata") from error
    except (OSError, EOFError, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise ValueError(f"it is damaged ({reason_of(error)})") from error
    if not isinstance(metadata, dict) or not all(isinstance(v, str) for v in metadata.values()):
        raise ValueError("its metadata are not texts by name")
    for name, array in arrays.items():
        if array.dtype.kind != "f":
            raise ValueError(f"its array {name!r} has no floats")
    return {name: np.ascontiguousarray(a, np.float32) for name, a in arrays.items()}, metadata
