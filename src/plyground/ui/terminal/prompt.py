"""Reading what a person types, with line editing and completion where Python has them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

Words = Callable[[list[str]], Iterable[str]]
"""What the next word can be, after those typed so far."""


class Prompt:
    """Asks for a line; with `completions`, Tab completes words."""

    def __init__(self, completions: Words | None = None) -> None:
        self._completions = completions
        self._matches: list[str] = []
        readline: Any = _readline() if sys.stdin.isatty() else None
        if readline is not None and completions is not None:
            readline.set_completer(self._complete)
            readline.set_completer_delims(" ")
            # The editor that macOS has instead wants other words for it.
            is_libedit = "libedit" in (readline.__doc__ or "")
            readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")
        self._readline: Any = readline

    def ask(self, question: str) -> str:
        """The line that was typed; EOFError at the end of the input."""
        return input(question).strip()

    def _complete(self, text: str, number: int) -> str | None:
        if number == 0 and self._completions is not None:
            line = self._readline.get_line_buffer()[: self._readline.get_begidx()]
            words = self._completions(line.split())
            self._matches = [word for word in words if word.startswith(text.lower())] or [
                word for word in files(text) if line.split()[:1] in (["load"], ["save"])
            ]
        return self._matches[number] if number < len(self._matches) else None


def files(start: str) -> list[str]:
    """Files whose name begins so."""
    folder, slash, name = start.rpartition("/")
    base = Path(folder + slash).expanduser()
    try:
        found = sorted(path for path in base.iterdir() if path.name.startswith(name))
    except OSError:
        return []
    return [f"{folder}{slash}{path.name}" + "/" * path.is_dir() for path in found]


def choose(prompt: Prompt, question: str, choices: Iterable[str], usual: str) -> str:
    """One of some words; Enter takes the usual one, and a few letters are enough."""
    known = list(choices)
    while True:
        typed = prompt.ask(f"{question:<9} {', '.join(known)} [{usual}]: ").lower()
        found = [word for word in known if word.startswith(typed)]
        if not typed:
            return usual
        if typed in known or len(found) == 1:
            return typed if typed in known else found[0]
        print(f"expected one of {', '.join(known)}, got {typed!r}")


def _readline() -> Any:
    try:
        import readline
    except ImportError:
        return None
    return readline
