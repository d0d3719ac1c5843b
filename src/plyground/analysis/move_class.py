"""Classes of moves, from best to blunder, by the chance to win that a move gives away."""

from __future__ import annotations

from enum import StrEnum

EQUAL, GOOD, MISTAKE, BLUNDER = 0.02, 0.05, 0.1, 0.25
"""Losses of the chance to win: up to the first two a move is equal and good; from the last two on
it is a mistake (`?`) and a blunder (`??`). A search is not more exact than the first."""


class MoveClass(StrEnum):
    """How good a move is."""

    BEST = "best"
    """The adviser's own choice."""
    EQUAL = "equal"
    """As good as the best move, as far as the search can tell."""
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"

    @property
    def mark(self) -> str:
        """`?` for a mistake, `??` for a blunder, otherwise empty."""
        return {MoveClass.MISTAKE: "?", MoveClass.BLUNDER: "??"}.get(self, "")

    @property
    def is_near_best(self) -> bool:
        """Whether there is nothing better to find."""
        return self in (MoveClass.BEST, MoveClass.EQUAL)


def classify(loss: float, is_best: bool = False) -> MoveClass:
    """The class of a move that gives away this much of the chance to win.

    >>> classify(0.0, is_best=True), classify(0.01), classify(0.3)
    (<MoveClass.BEST: 'best'>, <MoveClass.EQUAL: 'equal'>, <MoveClass.BLUNDER: 'blunder'>)
    """
    if is_best:
        return MoveClass.BEST
    if loss <= EQUAL:
        return MoveClass.EQUAL
    if loss <= GOOD:
        return MoveClass.GOOD
    if loss < MISTAKE:
        return MoveClass.INACCURACY
    return MoveClass.MISTAKE if loss < BLUNDER else MoveClass.BLUNDER
