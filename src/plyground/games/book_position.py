"""A position the way books hold it: turned so that mirror images are one position."""

from __future__ import annotations

from hashlib import blake2b

from plyground.games.base import State


class BookPosition:
    """A position as books have it: its number, and its moves in the orientation of the book."""

    def __init__(self, state: State) -> None:
        ways = state.game.orientations(state)
        self.text = min(text for text, _ in ways)
        # A symmetric position looks the same in several ways; its moves are then joined, too.
        self._maps = [turn for text, turn in ways if text == self.text]
        digest = blake2b(f"{state.game.name} {self.text}".encode(), digest_size=8).digest()
        self.number = int.from_bytes(digest, "big", signed=True)

    def move(self, action: int) -> int:
        """An action in the orientation of the book."""
        return min(turn(action) for turn in self._maps)
