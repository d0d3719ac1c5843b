"""The moves of a live game, with undo and redo."""

from __future__ import annotations

from dataclasses import dataclass

from plyground.games.base import State
from plyground.play.record import MoveRecord

Clocks = dict[int, float | None]


@dataclass(frozen=True, slots=True)
class Ply:
    """A move with the position and clocks after it, for undo and redo."""

    action: int
    move: MoveRecord
    state: State
    """The position after it."""
    clocks: Clocks
    """Seconds left to both players after it."""


class History:
    """A start position, the plies played from it, and the undone plies."""

    def __init__(self, start: State, clocks: Clocks) -> None:
        self.start = start
        self._clocks = clocks
        self._plies: list[Ply] = []
        self._undone: list[Ply] = []  # the next to redo comes last

    def __len__(self) -> int:
        """Plies on the board."""
        return len(self._plies)

    @property
    def undone(self) -> int:
        """Number of plies that can be redone."""
        return len(self._undone)

    @property
    def state(self) -> State:
        """The position on the board."""
        return self._plies[-1].state if self._plies else self.start

    @property
    def states(self) -> list[State]:
        """Every position so far, the first before any move."""
        return [self.start, *(ply.state for ply in self._plies)]

    @property
    def moves(self) -> list[MoveRecord]:
        """The moves so far."""
        return [ply.move for ply in self._plies]

    @property
    def actions(self) -> list[int]:
        """The moves so far as action numbers."""
        return [ply.action for ply in self._plies]

    @property
    def clocks(self) -> Clocks:
        """Seconds left to both players when this position arose."""
        return dict(self._plies[-1].clocks if self._plies else self._clocks)

    def state_at(self, ply: int) -> State:
        """The position after a number of plies, which may be undone."""
        if ply <= len(self._plies):
            return self._plies[ply - 1].state if ply else self.start
        return self._undone[len(self._plies) - ply].state

    def append(self, ply: Ply) -> None:
        """Add a ply; if it is not the next one to redo, the undone plies are dropped."""
        self._plies.append(ply)
        if self._undone and self._undone[-1].action == ply.action:
            self._undone.pop()
        else:
            self._undone.clear()

    def go_to(self, ply: int) -> int:
        """Undo or redo up to a ply; returns the number of plies, negative if undone."""
        plies = ply - len(self._plies)
        while len(self._plies) > ply:
            self._undone.append(self._plies.pop())
        while len(self._plies) < ply:
            self._plies.append(self._undone.pop())
        return plies
