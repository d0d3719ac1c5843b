"""A position solved to the end of the game, as the command `plyground solve` shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from plyground.games.base import State
from plyground.games.lines import format_line
from plyground.json_types import JsonObject

TableProgress: TypeAlias = Callable[[int, int], None]
"""Called with the number of tables done and in all, by solvers that fill tables."""


class SolvedBoard(Protocol):
    """The result with perfect play, and how it was found."""

    @property
    def start(self) -> State:
        """The solved position."""

    @property
    def line(self) -> list[int]:
        """A perfect game as action numbers."""

    def lines(self) -> list[str]:
        """The position, the result and the figures of the search, in lines of text."""

    def moves(self) -> dict[str, int]:
        """The value of each first move for the player to move."""

    def as_dict(self) -> JsonObject:
        """Everything as a JSON object."""


def numbered(start: State, line: Sequence[int]) -> str:
    """A line with move numbers, as game records have it."""
    words: list[str] = []
    for turn, move in enumerate(format_line(start, line).split(), start.current_player - 1):
        if turn % 2 == 0 or not words:
            words.append(f"{turn // 2 + 1}{'.' if turn % 2 == 0 else '...'}")
        words.append(move)
    return " ".join(words)
