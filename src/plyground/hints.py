"""Phrases that messages share: suggestions for unknown names, reasons of failures, counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def renamed(error: Exception, names: Mapping[str, str]) -> str:
    """An error's message with other names for what it expected, as its reader knows them.

    >>> renamed(ValueError("expected board_size to be 3"), {"board_size": "Board"})
    'expected Board to be 3'
    """
    text = str(error)
    for name, other in names.items():
        text = text.replace(f"expected {name} ", f"expected {other} ")
    return text


def closest(name: str, known: Iterable[str], at_least: float = 0.6) -> str | None:
    """The known name that is most like a misspelt one; None if none is as similar as that.

    >>> closest("timemargn", ["time", "timemargin"]), closest("size", ["sims"])
    ('timemargin', None)
    """
    from difflib import get_close_matches  # here, to start fast

    return next(iter(get_close_matches(name, list(known), n=1, cutoff=at_least)), None)


def suggest(name: str, known: Iterable[str], otherwise: str | None = None) -> str:
    """Suggest the closest known name; without one, list all names or return `otherwise`.

    >>> suggest("enginee", ["random", "engine"])
    "did you mean 'engine'?"
    >>> suggest("x", ["random", "engine"])
    'known are engine, random'
    """
    names = list(known)
    if (close := closest(name, names)) is not None:
        return f"did you mean {close!r}?"
    return f"known are {', '.join(sorted(names))}" if otherwise is None else otherwise


def reason_of(error: Exception) -> str:
    """Why an operation failed: the system's message, or the error's own.

    >>> reason_of(FileNotFoundError(2, "No such file or directory"))
    'No such file or directory'
    """
    system = error.strerror if isinstance(error, OSError) else None
    return system or str(error) or type(error).__name__


def printable(text: str) -> str:
    """Text with control characters as escapes, so that a file cannot control the terminal.

    >>> printable("\\x1b[31mred")
    '\\\\x1b[31mred'
    """
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def counted(number: int, what: str, plural: str | None = None) -> str:
    """A number of things.

    >>> counted(1, "wall"), counted(2000, "wall"), counted(2, "ply", "plies")
    ('1 wall', '2,000 walls', '2 plies')
    """
    return f"{number:,} {what if number == 1 else plural or what + 's'}"
