"""Minimax and alpha-beta over a student's own game: the names of the course's `minimax.py`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

__all__ = ["Game", "inf", "search"]

S = TypeVar("S")
"""A position, of any type."""
A = TypeVar("A")
"""An action, of any type."""

inf = float("inf")
"""A value above all others."""


class Game(Generic[S, A]):
    """What `search` needs to know about a game. Derive from this class and define all three."""

    def successors(self, state: S) -> Iterable[tuple[A, S]]:
        """The actions of a position, each with the position that it leads to."""
        raise NotImplementedError("define successors(state): pairs of an action and a state")

    def cutoff(self, state: S, depth: int) -> bool:
        """Whether to stop at a position: always if the game is over. The root has depth 0."""
        raise NotImplementedError("define cutoff(state, depth): True to stop here")

    def evaluate(self, state: S) -> float:
        """The value of a position for the player who is to move at the root of the search."""
        raise NotImplementedError("define evaluate(state): the value of a position")


def search(state: S, game: Game[S, A], prune: bool = True) -> A | None:
    """The best action by minimax, the first of equals; None if the search stops at the root.

    `prune` skips the positions that cannot change the answer (alpha-beta).

    >>> class Nim(Game[tuple[int, int], int]):
    ...     "The player who takes the last of the sticks wins. A state: sticks, player to move."
    ...     def successors(self, state):
    ...         return [(n, (state[0] - n, 1 - state[1])) for n in (1, 2, 3) if n <= state[0]]
    ...     def cutoff(self, state, depth):
    ...         return state[0] == 0
    ...     def evaluate(self, state):
    ...         return 1 if state[1] == 1 else -1
    >>> search((7, 0), Nim()), search((7, 0), Nim(), prune=False)
    (3, 3)
    """

    def value(state: S, depth: int, alpha: float, beta: float, maximizes: bool) -> float:
        if game.cutoff(state, depth):
            return game.evaluate(state)
        best = -inf if maximizes else inf
        for _, after in _successors(game, state):
            found = value(after, depth + 1, alpha, beta, not maximizes)
            if maximizes:
                best = max(best, found)
                alpha = max(alpha, best)
            else:
                best = min(best, found)
                beta = min(beta, best)
            if prune and alpha >= beta:
                break
        return best

    chosen: A | None = None
    if game.cutoff(state, 0):
        return chosen
    best = -inf
    for action, after in _successors(game, state):
        found = value(after, 1, best if prune else -inf, inf, maximizes=False)
        if found > best:
            best, chosen = found, action
    return chosen


def _successors(game: Game[S, A], state: S) -> Iterator[tuple[A, S]]:
    """The successors of a position. Generators of the course's time end with `raise StopIteration`.

    Python has turned that into a RuntimeError since version 3.7.
    """
    try:
        yield from game.successors(state)
    except RuntimeError as error:
        if not isinstance(error.__cause__, StopIteration):
            raise
