"""Colours and characters of a terminal, or plain ASCII without colours."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TextIO

STYLES = {
    "player1": "1;91",
    "player2": "1;94",
    "wall": "33",
    "last": "1;93",
    "faint": "2",
    "target": "92",
    "strong": "1",
    "warning": "93",
    "black": "1;30;42",
    "white": "1;97;42",
    "felt": "30;42",
    "felt_target": "97;42",
}
"""The numbers of the ANSI colour sequence for each style."""


@dataclass(frozen=True, slots=True)
class Paint:
    """How text is shown. Colours only repeat what characters say."""

    is_plain: bool = True
    """Whether to use ASCII only, without colours or overwriting lines."""

    def __call__(self, text: str, style: str) -> str:
        """The text in a style."""
        return text if self.is_plain else f"\x1b[{STYLES[style]}m{text}\x1b[0m"

    @classmethod
    def for_output(cls, output: TextIO, plain: bool) -> Paint:
        """Colours if the output is a terminal that has them, unless `plain` or NO_COLOR is set."""
        is_rich = (
            not plain
            and output.isatty()
            and not os.environ.get("NO_COLOR")
            and os.environ.get("TERM", "dumb") != "dumb"
            and (output.encoding or "").lower().replace("-", "") == "utf8"
        )
        return cls(is_plain=not is_rich)
