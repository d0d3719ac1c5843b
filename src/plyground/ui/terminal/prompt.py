"""Reads what a person types, with line editing and completion where Python has them."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType, ModuleType

Completer = Callable[[list[str]], Iterable[str]]
"""The candidates for the next word, given the words before it."""


class Prompt:
    """Asks for a line; with `completions`, Tab completes words."""

    def __init__(self, completions: Completer | None = None) -> None:
        self._completions = completions
        self._matches: list[str] = []
        readline = _readline() if sys.stdin.isatty() else None
        if readline is not None and completions is not None:
            readline.set_completer(self._complete)
            readline.set_completer_delims(" ")
            # macOS has libedit instead, which wants another command.
            is_libedit = "libedit" in (readline.__doc__ or "")
            readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")
        self._readline = readline

    def ask(self, question: str) -> str:
        """The line that was typed; EOFError at the end of the input."""
        return input(question).strip()

    def _complete(self, text: str, number: int) -> str | None:
        if number == 0 and self._completions is not None and self._readline is not None:
            line = self._readline.get_line_buffer()[: self._readline.get_begidx()]
            words = self._completions(line.split())
            self._matches = [word for word in words if word.startswith(text.lower())] or [
                word for word in files(text) if line.split()[:1] in (["load"], ["save"])
            ]
        return self._matches[number] if number < len(self._matches) else None


def prepare_input() -> None:
    """Make standard input readable, even if it is closed or holds bytes that are not text."""
    if sys.stdin is None:  # closed by the caller
        sys.stdin = open(os.devnull)  # noqa: PTH123, SIM115
    # Once something was read, the setting cannot change, and need not: an earlier call made it.
    if isinstance(sys.stdin, io.TextIOWrapper) and sys.stdin.errors != "replace":
        sys.stdin.reconfigure(errors="replace")  # an invalid byte is an invalid move, not a crash


def files(start: str) -> list[str]:
    """Files whose path begins with this text."""
    folder, slash, name = start.rpartition("/")
    base = Path(folder + slash).expanduser()
    try:
        found = sorted(path for path in base.iterdir() if path.name.startswith(name))
    except OSError:
        return []
    return [f"{folder}{slash}{path.name}" + "/" * path.is_dir() for path in found]


def choose(
    prompt: Prompt,
    question: str,
    choices: Iterable[str],
    usual: str,
    aliases: Mapping[str, str] = MappingProxyType({}),
    notes: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Ask for one of the choices; Enter takes the default, and a unique prefix is enough.

    `notes` describe choices. EOFError if the person types `quit`.
    """
    known = list(choices)
    shown = ", ".join(f"{word} ({notes[word]})" if word in notes else word for word in known)
    while True:
        typed = prompt.ask(f"{question:<9} {shown} [{usual}]: ").lower()
        typed = aliases.get(typed, typed)
        if typed in ("quit", "exit"):
            raise EOFError
        if typed in ("help", "?"):
            print(f"Type one of the words or its first letters; Enter takes {usual}, quit leaves.")
            continue
        found = [word for word in known if word.startswith(typed)]
        if not typed:
            return usual
        if typed in known or len(found) == 1:
            return typed if typed in known else found[0]
        print(f"expected one of {', '.join(known)}, got {typed!r}")


def _readline() -> ModuleType | None:
    try:
        import readline
    except ImportError:
        return None
    return readline
