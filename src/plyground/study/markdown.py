"""Tables in Markdown that also read well in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from plyground.errors import ConfigError
from plyground.files import atomic_write
from plyground.hints import reason_of


def format_markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown with aligned columns.

    >>> print(format_markdown(["depth", "Elo"], [["1", "-20"], ["2", "+20"]]))
    | depth | Elo |
    | ----- | --- |
    | 1     | -20 |
    | 2     | +20 |
    """
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    lines = [header, ["-" * width for width in widths], *rows]
    return "\n".join(
        "| "
        + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        + " |"
        for line in lines
    )


def write_text(path: Path, text: str) -> None:
    """Write a text file atomically."""
    try:
        with atomic_write(path) as file:
            file.write(text.encode())
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {reason_of(error)}") from None
