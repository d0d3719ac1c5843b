"""What can be said about a move: a kind and values, which a screen puts into a sentence.

Remarks are data, so that the page says them in the language of its user. The English sentences are
here and, for what only one game has, in the module of that game (`Game.remark_texts`). Each has two
forms: one for the player who made the move ("you"), one for others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from plyground.hints import counted

if TYPE_CHECKING:
    from plyground.games.base import AnyGame

Sentences: TypeAlias = Mapping[str, tuple[str, str]]
"""Sentences by kind of remark: to the player who moved, and to others."""

NOUNS = {"steps": "step", "discs": "disc", "moves": "move"}
"""The last words of values that count something, with what they count."""

TEXTS: Sentences = {
    "missed_win": (
        "{move} would have won in {win_moves}.",
        "{move} would have won in {win_moves}.",
    ),
    "allows_win": (
        "{reply} now wins for them in {win_moves}.",
        "{reply} now wins for the opponent in {win_moves}.",
    ),
}


@dataclass(frozen=True, slots=True)
class Remark:
    """A fact about a move; a value whose name ends in a noun of NOUNS counts that."""

    kind: str
    values: Mapping[str, int | str] = field(default_factory=dict)

    def sentence(self, game: AnyGame, you: bool = False) -> str:
        """The fact in English, for a game.

        >>> from plyground.games import registry
        >>> remark = Remark("missed_win", {"move": "e9", "win_moves": 1})
        >>> remark.sentence(registry.get("quoridor"))
        'e9 would have won in 1 move.'
        """
        own, other = {**TEXTS, **game.remark_texts}[self.kind]
        return (own if you else other).format(
            **{name: phrase(name, value) for name, value in self.values.items()}
        )


def phrase(name: str, value: int | str) -> str:
    """A value as sentences have it: `2 steps`."""
    noun = NOUNS.get(name.rpartition("_")[2])
    return counted(value, noun) if noun and isinstance(value, int) else str(value)
