"""Checks of settings, each with the same message everywhere."""

from __future__ import annotations

import math

from plyground.errors import ConfigError


def check_range(
    name: str,
    value: object,
    lowest: float,
    highest: float = math.inf,
    kind: type[int] | type[float] = int,
) -> None:
    """Raise a ConfigError unless a value is a number of that kind from lowest to highest.

    >>> check_range("workers", 0, 1, 64)
    Traceback (most recent call last):
    plyground._core.ConfigError: expected workers to be a whole number from 1 to 64, got 0
    """
    if (
        isinstance(value, int if kind is int else int | float)
        and not isinstance(value, bool)
        and lowest <= value <= highest
    ):
        return
    what = "a whole number" if kind is int else "a number"
    bounds = f"from {_plain(lowest)}"
    if highest != math.inf:
        bounds += f" to {_plain(highest)}"
    raise ConfigError(f"expected {name} to be {what} {bounds}, got {value!r}")


def _plain(bound: float) -> str:
    return str(int(bound)) if bound == int(bound) else str(bound)


def parse_whole(name: str, text: str, lowest: int, highest: int) -> int:
    """The whole number in a text; a ConfigError unless it is from lowest to highest.

    >>> parse_whole("Hash", "64", 1, 65536)
    64
    """
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise ConfigError(f"expected a whole number for {name}, got {text!r}")
    if not lowest <= int(text) <= highest:
        raise ConfigError(f"expected {name} from {lowest} to {highest}, got {text}")
    return int(text)
