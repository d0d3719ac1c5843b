"""The moves of a game in progress: played, taken back, and played again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plyground.play.record import Move

Clocks = dict[int, float | None]


@dataclass(frozen=True, slots=True)
class Ply:
    """A move with what undoing and redoing it needs."""

    move: Move
    state: Any
    """The position after it."""
    clocks: Clocks
    """What both players had left after it."""


class History:
    """A start, the plies played from it, and those taken back, which can be played again."""

    def __init__(self, start: Any, clocks: Clocks) -> None:
        self.start = start
        self._clocks = clocks
        self._plies: list[Ply] = []
        self._undone: list[Ply] = []  # the next one to redo is last

    def __len__(self) -> int:
        """Plies on the board."""
        return len(self._plies)

    @property
    def undone(self) -> int:
        """Plies that can be played again."""
        return len(self._undone)

    @property
    def state(self) -> Any:
        """The position on the board."""
        return self._plies[-1].state if self._plies else self.start

    @property
    def states(self) -> list[Any]:
        """Every position so far, the first before any move."""
        return [self.start, *(ply.state for ply in self._plies)]

    @property
    def moves(self) -> list[Move]:
        """The moves so far."""
        return [ply.move for ply in self._plies]

    @property
    def clocks(self) -> Clocks:
        """What both players had left when this position came on the board."""
        return dict(self._plies[-1].clocks if self._plies else self._clocks)

    def state_at(self, ply: int) -> Any:
        """The position after so many plies, those taken back included."""
        if ply <= len(self._plies):
            return self._plies[ply - 1].state if ply else self.start
        return self._undone[len(self._plies) - ply].state

    def append(self, ply: Ply) -> None:
        """Play a ply; another than the one taken back last forgets what was taken back."""
        self._plies.append(ply)
        if self._undone and self._undone[-1].move.text == ply.move.text:
            self._undone.pop()
        else:
            self._undone.clear()

    def go_to(self, ply: int) -> int:
        """Take back or play again, up to a ply; by how many plies, negative for back."""
        plies = ply - len(self._plies)
        while len(self._plies) > ply:
            self._undone.append(self._plies.pop())
        while len(self._plies) < ply:
            self._plies.append(self._undone.pop())
        return plies
