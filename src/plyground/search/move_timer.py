"""When a tree search with a clock has thought long enough about a move."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Protocol

from plyground.search.limits import SearchLimits
from plyground.search.native import Report

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOVES_PLANNED = 8
"""Moves among which the time left is shared; most of them take half of their share."""
LONGEST = 1.5
"""The most time for a move, in shares."""
CLOSE = 0.9
"""The choice is open if the second move has more than this part of the leader's visits."""
_CHECKS = 50
"""Looks at the visits in a share."""


class SearchedMoves(Protocol):
    """What a tree tells about the moves of its root."""

    def moves(self) -> list[Report]:
        """Action and visits of every move, among others."""

    def policy(self) -> NDArray[np.float32]:
        """The improved policy, by action."""


class MoveTimer:
    """Ends a search as soon as its move cannot change; an open choice gets more time.

    The leader is the move of the most visits in this search, which will be played. The search ends
    once no other move can overtake it in the move's share of the time left. After that share it
    goes on while the choice is open: the second move is close, or the improved policy, which
    visits follow, prefers another move.
    """

    def __init__(self, limits: SearchLimits, tree: SearchedMoves, started: float) -> None:
        share_s, most_s = limits.clock_shares(MOVES_PLANNED)
        self._started = started
        self._share_end = started + share_s
        self._end = started + min(LONGEST * share_s, most_s)
        self._pause_s = share_s / _CHECKS
        self._next_look = started
        self._kept = _visits(tree)

    def is_over(self, tree: SearchedMoves, now: float) -> bool:
        """Whether the search should end now."""
        if now < self._next_look or now >= self._end:
            return now >= self._end
        self._next_look = now + self._pause_s
        gained = _visits(tree) - self._kept
        most, second = (*(visits for _, visits in gained.most_common(2)), 0, 0)[:2]
        if now >= self._share_end:
            return second <= CLOSE * most and gained[int(tree.policy().argmax())] == most
        rate = gained.total() / max(now - self._started, 1e-9)
        return most - second > rate * (self._share_end - now)


def _visits(tree: SearchedMoves) -> Counter[int]:
    return Counter({move["action"]: move["visits"] for move in tree.moves()})
