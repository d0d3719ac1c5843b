"""The relative strength of two players, from the counts of their results: pure functions.

Counts are of pairs of games from one opening, by the points of the first player: 0, 1/2, 1, 3/2 and
2 (a *pentanomial*); or of single games: lost, drawn, won. Pairs are independent of each other,
games are not: an opening that favours one colour tends to be won by that colour in both games of
its pair. `rating.py` rates many players at once, and `sprt.py` decides when to stop.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from plyground.errors import ConfigError

_PAIR_POINTS = (0, 0.5, 1, 1.5, 2)
"""What the first player can score in a pair of games."""

Z95 = NormalDist().inv_cdf(0.975)
"""Half width of the interval that holds 95% of a normal distribution, in standard deviations."""

NORMALISED_SCALE = 800 / math.log(10)
"""Normalised Elo per standard deviation of a game's score, chosen to equal Elo near 0 without
draws."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A score share between 0 and 1 and the Elo difference it stands for, with 95% intervals."""

    score: float
    score_low: float
    score_high: float

    @property
    def elo(self) -> float:
        """The difference in Elo; infinite if one side won every game."""
        return elo_from_score(self.score)

    @property
    def elo_interval(self) -> tuple[float, float]:
        """The 95% confidence interval of the difference."""
        return elo_from_score(self.score_low), elo_from_score(self.score_high)

    def __str__(self) -> str:
        low, high = self.elo_interval
        return f"{self.score:.1%} ({self.elo:+.0f} Elo, 95% from {low:+.0f} to {high:+.0f})"


def elo_from_score(score: float) -> float:
    """The Elo difference for an expected share of points.

    >>> round(elo_from_score(0.75))
    191
    """
    if score < 1e-9:
        return -math.inf
    if score > 1 - 1e-9:
        return math.inf
    return 400 * math.log10(score / (1 - score))


def score_from_elo(elo: float) -> float:
    """The expected share of points for an Elo difference.

    >>> score_from_elo(400)
    0.9090909090909091
    """
    return float(1 / (1 + 10 ** (-elo / 400)))


def elo_estimate(pair_scores: Sequence[float]) -> Estimate:
    """Estimate from the points of each pair of games (0 to 2) played from the same opening.

    The variance is taken over pairs. The interval is Wilson's for that variance: it stays between 0
    and 1, and does not vanish when one side wins every game.
    """
    n = len(pair_scores)
    if n == 0:
        return Estimate(0.5, 0.0, 1.0)
    mean, variance = mean_and_variance(pentanomial(pair_scores))
    # The number of coin flips with the same uncertainty, at least the number of pairs.
    flips = n if variance == 0 else max(n, mean * (1 - mean) / variance * n)
    z2 = Z95**2
    centre = (mean + z2 / (2 * flips)) / (1 + z2 / flips)
    half = Z95 * math.sqrt(mean * (1 - mean) / flips + z2 / (4 * flips**2)) / (1 + z2 / flips)
    return Estimate(mean, max(0.0, centre - half), min(1.0, centre + half))


def pentanomial(pair_scores: Iterable[float]) -> list[int]:
    """The number of pairs with 0, 1/2, 1, 3/2 and 2 points.

    >>> pentanomial([2, 1, 1, 0.5])
    [0, 1, 2, 0, 1]
    """
    found = Counter(pair_scores)
    for points in found:
        if points not in _PAIR_POINTS:
            raise ConfigError(f"expected 0, 0.5, 1, 1.5 or 2 points for each pair, got {points!r}")
    return [found[points] for points in _PAIR_POINTS]


def check_counts(counts: Sequence[float]) -> None:
    """Raise a ConfigError unless these are counts of results, of single games or of pairs.

    >>> check_counts([3, -1, 2])
    Traceback (most recent call last):
    plyground._core.ConfigError: expected 3 counts of games or 5 of pairs, 0 or more, got [3, -1, 2]
    """
    if len(counts) not in (3, 5) or not all(0 <= count < math.inf for count in counts):
        found = [*counts]
        raise ConfigError(f"expected 3 counts of games or 5 of pairs, 0 or more, got {found}")


def mean_and_variance(counts: Sequence[float]) -> tuple[float, float]:
    """Mean and variance of the share of points, from counts by evenly spaced shares from 0 to 1."""
    shares = [step / (len(counts) - 1) for step in range(len(counts))]
    total = sum(counts)
    mean = sum(share * count for share, count in zip(shares, counts, strict=True)) / total
    squares = sum(count * (share - mean) ** 2 for share, count in zip(shares, counts, strict=True))
    return mean, squares / total


def normalised_elo(counts: Sequence[float]) -> tuple[float, float, float]:
    """The lead in standard deviations of a game's score, on Elo's scale, with its 95% interval.

    It determines how many games it takes to tell two players apart, independent of the share of
    draws and of the openings: M. Van den Bergh, "Normalized Elo". Without games it is 0, and its
    interval is unbounded.

    >>> [round(nelo) for nelo in normalised_elo([34, 54, 63, 64, 75])]
    [58, 30, 86]
    """
    check_counts(counts)
    if sum(counts) == 0:
        return 0.0, -math.inf, math.inf
    games_each = (len(counts) - 1) / 2
    mean, variance = mean_and_variance(counts)
    half = NORMALISED_SCALE * Z95 / math.sqrt(games_each * sum(counts))
    if variance == 0:
        nelo = 0.0 if mean == 0.5 else math.copysign(math.inf, mean - 0.5)
    else:
        nelo = NORMALISED_SCALE * (mean - 0.5) / math.sqrt(games_each * variance)
    return nelo, nelo - half, nelo + half


def superiority(counts: Sequence[float]) -> float:
    """The probability, from these counts alone, that the first player is the stronger one.

    >>> round(superiority([76, 0, 76]), 3), round(superiority([89, 123, 76]), 3)
    (0.5, 0.155)
    """
    check_counts(counts)
    if sum(counts) == 0:
        return 0.5
    mean, variance = mean_and_variance(counts)
    if variance == 0:
        # All alike: Laplace's rule for a coin of unknown bias.
        doubt = 0.5 ** (sum(counts) + 1)
        return 0.5 if mean == 0.5 else 1 - doubt if mean > 0.5 else doubt
    return NormalDist().cdf((mean - 0.5) * math.sqrt(sum(counts) / variance))
