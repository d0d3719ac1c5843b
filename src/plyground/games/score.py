"""The score of a position for one player: an estimate with its unit, or a proven result."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import total_ordering


@dataclass(frozen=True, slots=True)
class Unit:
    """The unit of a score.

    A point matters more in a close game than in a decided one, so p points are a chance to win of
    1 / (1 + exp(-p / scale)). Without a scale, values are expected results from -1 to 1.
    """

    name: str
    scale: float | None = None
    """The number of points that stand for a chance of 73%."""

    def chance(self, value: float) -> float:
        """The chance to win that a value of this unit stands for, from 0 to 1.

        >>> Unit("steps", 1.5).chance(1.5), EXPECTED_RESULT.chance(0.5)
        (0.7310585786300049, 0.75)
        """
        if self.scale is None:
            return min(1.0, max(0.0, (1 + value) / 2))
        return 1 / (1 + math.exp(-min(700.0, max(-700.0, value / self.scale))))

    def value_of(self, chance: float) -> float:
        """The value of this unit that stands for a chance to win from 0 to 1.

        >>> Unit("steps", 1.5).value_of(0.7310585786300049), EXPECTED_RESULT.value_of(0.75)
        (1.5, 0.5)
        """
        if self.scale is None:
            return 2 * chance - 1
        chance = min(1 - 1e-12, max(1e-12, chance))
        return self.scale * math.log(chance / (1 - chance))


EXPECTED_RESULT = Unit("value")
"""The unit of networks: 1 for a sure win, 0 for an even game, -1 for a sure loss."""


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Score:
    """The score of a position for `player`: an estimate in some unit, or a proven win or loss.

    The greater score is better for the player: a proven win beats any estimate, and a quicker win
    a slower one. Scores in different units compare by their chances to win.

    >>> Score(1.5, Unit("steps", 1.5), player=1) < Score.proven(7, player=1)
    True
    >>> [str(Score(1.5, Unit("steps", 1.5), 1)), str(Score.expected(0.24, 1))]
    ['+1.5', '62% to win']
    >>> str(Score.proven(-4, 1)), Score(1.5, Unit("steps", 1.5), 1).with_unit()
    ('loses in 4', '+1.5 steps')
    """

    value: float
    """In the unit, positive if the player is ahead; 1 or -1 for a proven result."""
    unit: Unit
    player: int
    """The player whose score it is, 1 or 2."""
    win_in: int | None = None
    """Plies to a proven win of the player; negative for a proven loss; None if unproven."""
    exact: bool = False
    """Whether the value is the result with best play to the end, not an estimate: a win if it is
    positive, a draw if it is 0."""

    @classmethod
    def expected(cls, value: float, player: int) -> Score:
        """A score from -1 to 1."""
        return cls(value, EXPECTED_RESULT, player)

    @classmethod
    def proven(cls, win_in: int, player: int) -> Score:
        """A win in that many plies, or a loss where the number is negative."""
        return cls(1.0 if win_in > 0 else -1.0, EXPECTED_RESULT, player, win_in)

    def pov(self, player: int) -> Score:
        """The same score from a player's point of view."""
        if player == self.player:
            return self
        win_in = None if self.win_in is None else -self.win_in
        return replace(self, value=-self.value + 0.0, player=player, win_in=win_in)

    def in_unit(self, unit: Unit) -> Score:
        """The same score in another unit, by the chance it stands for."""
        if unit == self.unit or self.win_in is not None:
            return self
        return replace(self, value=unit.value_of(self.chance()), unit=unit)

    def one_ply_earlier(self) -> Score:
        """The score of the move that led here, for the player who made it.

        >>> Score.proven(-2, player=2).one_ply_earlier().win_in
        3
        """
        before = self.pov(3 - self.player)
        if before.win_in is None:
            return before
        return replace(before, win_in=before.win_in + (1 if before.win_in > 0 else -1))

    def chance(self, player: int | None = None) -> float:
        """The chance to win of a player, by default the score's own, from 0 to 1.

        An exact score is a certain result: 1 for a win, 0 for a loss and 0.5 for a draw.

        >>> discs = Unit("discs", 6.0)
        >>> Score(2.0, discs, 1, exact=True).chance(), Score(0.0, discs, 1, exact=True).chance()
        (1.0, 0.5)
        """
        if not self.exact:
            return self.estimated_chance(player)
        own = 0.5 if self.value == 0 else float(self.value > 0)
        return own if player in (None, self.player) else 1 - own

    def estimated_chance(self, player: int | None = None) -> float:
        """The chance to win that the value would stand for if it were an estimate."""
        own = self.unit.chance(self.value)
        return own if player in (None, self.player) else 1 - own

    def brief(self) -> str:
        """`+1.5`, `62%` or `wins in 7`; `+2` for an exact score."""
        if self.win_in is not None:
            return f"{'wins' if self.win_in > 0 else 'loses'} in {abs(self.win_in)}"
        if self.unit.scale is None:
            return f"{self.chance():.0%}"
        return f"{self.value:+zg}" if self.exact else f"{self.value:+z.1f}"  # +0.0, never -0.0

    def with_unit(self) -> str:
        """`+1.5 steps`, `62% to win` or `wins in 7`."""
        has_unit = self.win_in is None and self.unit.scale is not None
        return f"{self} {self.unit.name}" if has_unit else str(self)

    def __str__(self) -> str:
        is_chance = self.win_in is None and self.unit.scale is None
        return f"{self.brief()} to win" if is_chance else self.brief()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Score):
            return NotImplemented
        return self._rank(other.unit) == other.pov(self.player)._rank(self.unit)

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Score):
            return NotImplemented
        return self._rank(other.unit) < other.pov(self.player)._rank(self.unit)

    def __hash__(self) -> int:
        return hash(None if self.win_in is None else abs(self.win_in))  # as for the other player

    def _rank(self, other_unit: Unit) -> tuple[int, float]:
        """A key that sorts proven losses first, then estimates, then proven wins, quickest last."""
        if self.win_in is not None:
            return (1 if self.win_in > 0 else -1, -float(self.win_in))
        return (0, self.value if self.unit == other_unit else self.chance())


PROVEN_VALUE = 300.0
"""The stored value of a proven win, minus a hundredth for each ply; above any estimate."""


@dataclass(frozen=True, slots=True)
class ScoreScale:
    """How scores are stored as plain numbers, such as hundredths of a step.

    >>> hundredths = ScoreScale(Unit("steps", 1.5), 100.0)
    >>> hundredths.to_number(Score(1.5, hundredths.unit, player=1))
    150.0
    >>> hundredths.to_number(Score.proven(7, player=1)), hundredths.to_score(-29993.0, 1).win_in
    (29993.0, -7)
    """

    unit: Unit
    per_unit: float = 1.0
    """The number that stands for one point of the unit."""

    def to_number(self, score: Score, played: int = 0) -> float:
        """A score as a number; estimates in other units are converted.

        `played` is the number of plies after which the plies to a proven result are counted: 1 for
        the score of a move that was searched after it was played.
        """
        if score.win_in is None:
            return score.in_unit(self.unit).value * self.per_unit
        plies = abs(score.win_in) - played
        return math.copysign(PROVEN_VALUE - plies / 100, score.win_in) * self.per_unit

    def to_score(self, number: float, player: int, played: int = 0) -> Score:
        """The score of a player that a number stands for."""
        value = number / self.per_unit
        plies = round((PROVEN_VALUE - abs(value)) * 100) + played
        if 0 < plies < PROVEN_VALUE * 25:
            return Score.proven(plies if value > 0 else -plies, player)
        return Score(value, self.unit, player)
