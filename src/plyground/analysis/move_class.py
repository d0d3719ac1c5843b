"""Classes of moves, from best to blunder, by the chance to win that a move gives away.

Between solved positions the chance is the result itself, so a move that keeps the result loses
nothing. It is not equal to the best move if the final score is lower.
"""

from __future__ import annotations

from enum import StrEnum

from plyground.games.base import State
from plyground.search.result import SearchResult

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
    """Little worse, or the same result by a lower score."""
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


def classify(loss: float, is_best: bool = False, lowers_score: bool = False) -> MoveClass:
    """The class of a move that gives away this much of the chance to win.

    A move that is proven to lower the final score is at best good.

    >>> classify(0.0, is_best=True), classify(0.01), classify(0.3)
    (<MoveClass.BEST: 'best'>, <MoveClass.EQUAL: 'equal'>, <MoveClass.BLUNDER: 'blunder'>)
    >>> classify(0.0, lowers_score=True)
    <MoveClass.GOOD: 'good'>
    """
    if is_best:
        return MoveClass.BEST
    if loss <= EQUAL and not lowers_score:
        return MoveClass.EQUAL
    if loss <= GOOD:
        return MoveClass.GOOD
    if loss < MISTAKE:
        return MoveClass.INACCURACY
    return MoveClass.MISTAKE if loss < BLUNDER else MoveClass.BLUNDER


def lost_points(
    state: State, action: int, best: SearchResult, answer: SearchResult | None
) -> float:
    """How much a move lowers the final score, if both positions are solved, otherwise 0.

    `best` is the result of the position, `answer` that of the position after the move, None if the
    game is over there.
    """
    after, before = state.play(action), best.score
    if answer is not None:
        score = answer.score
    else:
        score = after.game.end_score(after, state.current_player)
    if before is None or score is None or not (before.exact and score.exact):
        return 0.0
    return before.value - score.pov(before.player).value
