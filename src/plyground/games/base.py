"""What every game has in common, as the layers above see it.

A rule belongs to its game's own module; the list of games is in `registry.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, Self, TypeVar


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: who won (None for a draw) and why, in a word or two."""

    winner: int | None
    reason: str

    @property
    def result(self) -> str:
        """The result as game records write it."""
        return {1: "1-0", 2: "0-1", None: "1/2-1/2"}[self.winner]

    def __str__(self) -> str:
        who = "draw" if self.winner is None else f"player {self.winner} won"
        return f"{who} ({self.reason})"


class State(Protocol):
    """A position of some game: an immutable value that plays moves given as action numbers.

    Players 1 and 2 take turns; where a rule lets a player pass, the pass is an action too.
    """

    @property
    def current_player(self) -> int:
        """Whose turn it is, 1 or 2."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    def legal_actions(self) -> list[int]:
        """The legal moves as action numbers, ascending; none when the game is over."""

    def play(self, action: int | str, /) -> Self:
        """The position after a move, given as action number or in notation."""

    def text(self) -> str:
        """The position in one line, which the game reads back."""

    def perft(self, depth: int, hash_mb: int = 0) -> int:
        """Count the move paths of a length, with the help of a table of that size."""


S = TypeVar("S", bound=State)


class Game(Protocol[S]):
    """A game seen from outside: how it starts, how its moves are written, what a person is told.

    Settings are text by name, as the tags of a record have them: `{"Board": "5", "Walls": "3"}`.
    """

    @property
    def name(self) -> str:
        """The game's name in the registry, in records and on the command line."""

    @property
    def setting_names(self) -> tuple[str, ...]:
        """Every setting the game knows, in the order they are written."""

    def start(self, settings: Mapping[str, str], position: str | None = None) -> S:
        """The start position, or the one that a text describes, under these settings."""

    def settings(self, state: S) -> dict[str, str]:
        """The settings a state is played under, without those that go without saying."""

    def parse_action(self, state: S, text: str) -> int:
        """The action number of a legal move in notation, however it is spelt."""

    def format_action(self, state: S, action: int) -> str:
        """A move in notation."""

    @property
    def move_help(self) -> str:
        """How moves are typed: a line for each kind, the move first."""

    def task(self, state: S, player: int | None) -> str:
        """A sentence on how to win for a player, or for both where it is None."""

    def examples(self, state: S) -> str:
        """What a player might type, such as 'e2 or e2h'."""
