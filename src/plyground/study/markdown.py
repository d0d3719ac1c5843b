"""Tables, for a terminal and for a page alike."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from plyground.errors import ConfigError
from plyground.files import replacing


def format_markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown, its columns aligned so that it reads well as it is.

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
    """Write a page, whole or not at all."""
    try:
        with replacing(path) as file:
            file.write(text.encode())
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror}") from None
