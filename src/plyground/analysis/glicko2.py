"""Glicko-2: a rating with its deviation and volatility.

The names and step numbers are those of Mark Glickman, "Example of the Glicko-2 system" (2022),
glicko.net/glicko/glicko2.pdf. A test repeats the example of that paper.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, log, pi, sqrt

from plyground.checks import check_range

SCALE = 173.7178
"""Points of the Glicko scale for one unit of the Glicko-2 scale."""
TAU = 0.5
"""How quickly the volatility may change; the paper advises 0.3 to 1.2."""
TOLERANCE = 1e-6
"""Precision of the volatility, as in the paper."""
LOWEST, HIGHEST = 100.0, 4000.0
"""Limits of a rating."""
LEAST_DEVIATION, MOST_DEVIATION = 30.0, 350.0
"""Limits of the deviation, so that a rating keeps moving and never becomes arbitrary."""
MOST_VOLATILITY = 0.1


@dataclass(frozen=True, slots=True)
class Glicko2:
    """A rating: 1500 is the start, and a true rating is within two deviations in 95% of cases."""

    rating: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06

    def __post_init__(self) -> None:
        check_range("rating", self.rating, LOWEST, HIGHEST, float)
        check_range("deviation", self.deviation, 1, MOST_DEVIATION, float)
        check_range("volatility", self.volatility, 0.001, 1, float)

    def after(self, results: Iterable[tuple[Glicko2, float]]) -> Glicko2:
        """The rating after a period with these opponents and scores (1 win, 0.5 draw, 0 loss).

        >>> round(Glicko2().after([(Glicko2(1500, 50), 1.0)]).rating)
        1675
        """
        mu, phi = (self.rating - 1500) / SCALE, self.deviation / SCALE  # step 2
        information = improvement = 0.0
        for opponent, score in results:  # steps 3 and 4
            weight = _g(opponent.deviation / SCALE)
            expected = 1 / (1 + exp(-weight * (mu - (opponent.rating - 1500) / SCALE)))
            information += weight**2 * expected * (1 - expected)
            improvement += weight * (score - expected)
        if not information:
            return self._bounded(mu, sqrt(phi**2 + self.volatility**2), self.volatility)
        variance = 1 / information
        volatility = _volatility(phi, self.volatility, variance, variance * improvement)
        before = sqrt(phi**2 + volatility**2)  # step 6
        new_phi = 1 / sqrt(1 / before**2 + 1 / variance)  # step 7
        return self._bounded(mu + new_phi**2 * improvement, new_phi, volatility)

    @staticmethod
    def _bounded(mu: float, phi: float, volatility: float) -> Glicko2:
        """Step 8, within the limits."""
        return Glicko2(
            min(HIGHEST, max(LOWEST, mu * SCALE + 1500)),
            min(MOST_DEVIATION, max(LEAST_DEVIATION, phi * SCALE)),
            min(MOST_VOLATILITY, volatility),
        )


def _g(phi: float) -> float:
    """The weight of an opponent: less, the less certain its rating is."""
    return 1 / sqrt(1 + 3 * phi**2 / pi**2)


def _volatility(phi: float, sigma: float, variance: float, delta: float) -> float:
    """Step 5: the new volatility, by the Illinois algorithm."""
    start = log(sigma**2)

    def slope(x: float) -> float:
        total = phi**2 + variance + exp(x)
        return exp(x) * (delta**2 - total) / (2 * total**2) - (x - start) / TAU**2

    low = start
    if delta**2 > phi**2 + variance:
        high = log(delta**2 - phi**2 - variance)
    else:
        steps = 1
        while slope(start - steps * TAU) < 0:
            steps += 1
        high = start - steps * TAU
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > TOLERANCE:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = slope(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return exp(low / 2)
