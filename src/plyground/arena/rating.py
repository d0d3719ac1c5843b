"""What counts of games say about strength: pure functions over numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_Z95 = 1.959964
"""Standard deviations on either side that hold 95% of a normal distribution."""

_MOST_ROUNDS = 10_000
_CLOSE = 1e-9
"""When the fit of ratings ends: after so many rounds, or when no strength changes by more."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A score share between 0 and 1 and the Elo difference it stands for, with 95% intervals."""

    score: float
    score_low: float
    score_high: float

    @property
    def elo(self) -> float:
        """The difference in Elo; infinite where one side won everything."""
        return elo_from_score(self.score)

    @property
    def elo_interval(self) -> tuple[float, float]:
        """Where the difference lies with 95% confidence."""
        return elo_from_score(self.score_low), elo_from_score(self.score_high)

    def __str__(self) -> str:
        low, high = self.elo_interval
        return f"{self.score:.1%} ({self.elo:+.0f} Elo, 95% from {low:+.0f} to {high:+.0f})"


def elo_from_score(score: float) -> float:
    """The Elo difference at which this share of points is expected.

    >>> round(elo_from_score(0.75))
    191
    """
    if score < 1e-9:
        return -math.inf
    if score > 1 - 1e-9:
        return math.inf
    return -400 * math.log10(1 / score - 1)


def elo_estimate(pair_scores: Sequence[float]) -> Estimate:
    """Estimate from the points of each pair of games (0 to 2) played from the same opening.

    Pairs, not games, are what is independent: an opening that favours one colour gives both games
    of its pair the same winner's colour, so the variance is taken over pairs. The interval is
    Wilson's for that variance, so that it stays between 0 and 1 and does not vanish when one side
    wins everything.
    """
    n = len(pair_scores)
    if n == 0:
        return Estimate(0.5, 0.0, 1.0)
    shares = [points / 2 for points in pair_scores]
    mean = sum(shares) / n
    variance = sum((share - mean) ** 2 for share in shares) / n
    # How many coin flips would be as uncertain as these pairs; at least as many as there are pairs.
    flips = n if variance == 0 else max(n, mean * (1 - mean) / variance * n)
    z2 = _Z95**2
    centre = (mean + z2 / (2 * flips)) / (1 + z2 / flips)
    half = _Z95 * math.sqrt(mean * (1 - mean) / flips + z2 / (4 * flips**2)) / (1 + z2 / flips)
    return Estimate(mean, max(0.0, centre - half), min(1.0, centre + half))


@dataclass(frozen=True, slots=True)
class PairScore:
    """What one player scored against another over all their games."""

    first: str
    second: str
    points: float
    """Of the first; a draw is half a point."""
    games: int


def fit_ratings(scores: Iterable[PairScore], zero: str) -> dict[str, float]:
    """Elo numbers that make the scores most likely (Bradley-Terry), one player's being 0.

    Every pairing counts as if there had been one draw more, so that nobody's number is infinite.

    >>> ratings = fit_ratings([PairScore("a", "b", 75, 100), PairScore("b", "c", 75, 100)], "c")
    >>> [round(ratings[name]) for name in "abc"]
    [377, 189, 0]
    """
    won: dict[str, float] = {}
    met: dict[str, list[tuple[str, float]]] = {}
    for score in scores:
        won[score.first] = won.get(score.first, 0.0) + score.points + 0.5
        won[score.second] = won.get(score.second, 0.0) + score.games - score.points + 0.5
        met.setdefault(score.first, []).append((score.second, score.games + 1.0))
        met.setdefault(score.second, []).append((score.first, score.games + 1.0))
    strength = dict.fromkeys(won, 1.0)
    for _ in range(_MOST_ROUNDS):
        before = dict(strength)
        for name in strength:  # Hunter 2004: each round makes the scores more likely
            strength[name] = won[name] / sum(
                games / (strength[name] + strength[other]) for other, games in met[name]
            )
        if all(abs(math.log(strength[name] / before[name])) < _CLOSE for name in strength):
            break
    base = strength.get(zero, 1.0)
    return {name: 400 * math.log10(value / base) for name, value in strength.items()}
