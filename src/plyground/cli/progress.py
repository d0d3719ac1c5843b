"""A line of progress on standard error, which each new one overwrites; only on a terminal."""

from __future__ import annotations

import sys


def show_progress(text: str) -> None:
    """Show a line of progress in place of the last one."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def show_count(what: str, done: int, total: int) -> None:
    """Show how much of some work is done: `12 of 400 games`."""
    show_progress(f"{done:,} of {total:,} {what}")


def clear_progress() -> None:
    """Remove the line of progress."""
    show_progress("")
