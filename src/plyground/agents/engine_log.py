"""A log of the lines between the host and external programs, with their times."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path


@dataclass(frozen=True, slots=True)
class EngineLog:
    """Appends lines to a file: time, program, process, direction and the line.

    The directions are `>` to the program, `<` from it, and `!` for its standard error. Several
    processes may write to the same file, since each line is appended in one piece.
    """

    path: Path
    program: str
    process_id: int

    def write(self, direction: str, line: str) -> None:
        """Append a line; a full disk does not end the game."""
        now = datetime.now().isoformat(sep=" ", timespec="milliseconds")
        text = f"{now} {self.program}[{self.process_id}] {direction} {line}\n"
        with suppress(OSError), self.path.open("ab", buffering=0) as file:
            file.write(text.encode("utf-8", errors="replace"))
