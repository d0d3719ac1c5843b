"""When to stop a match: the sequential probability ratio test, over pairs of games.

A test asks whether the first player is ahead by elo0 or by elo1. It continues until the results are
so much more likely under one of the two hypotheses that the answer is wrong no more often than
allowed. The likelihood under a hypothesis is that of the distribution with the supposed lead that
fits the counts best (M. Van den Bergh, "The Generalized Sequential Probability Ratio Test for
chess").
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields

from plyground.arena.estimate import (
    NORMALISED_SCALE,
    check_counts,
    mean_and_variance,
    score_from_elo,
)
from plyground.checks import check_range
from plyground.errors import ConfigError
from plyground.hints import suggest

MOST_ELO = 4000
"""Beyond this, a score can hardly be told from 0 or 1 in floating point."""
_ZERO_COUNT = 1e-3
"""Replaces a count of 0, so that a result that has not occurred yet is not impossible."""
_MOST_STEPS = 50
_CLOSE = 1e-10
_MOST_TILT = 30.0


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of elo1 against elo0.

    >>> test = Sprt(elo0=0, elo1=10)
    >>> test.decision([10, 20, 40, 20, 10]), test.decision([10, 50, 400, 150, 60])
    (None, 'H1')
    """

    elo0: float
    """The lead under H0."""
    elo1: float
    """The lead under H1."""
    alpha: float = 0.05
    """Probability of accepting H1 if H0 is true."""
    beta: float = 0.05
    """Probability of accepting H0 if H1 is true."""
    model: str = "logistic"
    """Scale of elo0 and elo1: "logistic" for Elo, "normalised" for normalised Elo."""

    def __post_init__(self) -> None:
        for name in ("elo0", "elo1", "alpha", "beta"):
            if not math.isfinite(getattr(self, name)):
                raise ConfigError(f"expected {name} to be a number, got {getattr(self, name)!r}")
        for name in ("elo0", "elo1"):
            check_range(name, getattr(self, name), -MOST_ELO, MOST_ELO, float)
        if not self.elo0 < self.elo1:
            raise ConfigError(f"expected elo0 below elo1, got {self.elo0:g} and {self.elo1:g}")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise ConfigError(f"expected {name} between 0 and 0.5, got {getattr(self, name):g}")
        if self.model not in ("logistic", "normalised"):
            raise ConfigError(
                f"expected the model to be logistic or normalised, got {self.model!r}"
            )

    @classmethod
    def parse(cls, words: Iterable[str]) -> Sprt:
        """Read `elo0=0 elo1=10`, and alpha, beta and model if given.

        >>> Sprt.parse(["elo0=-5", "elo1=5"]).elo0
        -5.0
        """
        known = {field.name: str if field.name == "model" else float for field in fields(cls)}
        values: dict[str, float | str] = {}
        for word in words:
            key, equals, text = word.partition("=")
            if key not in known or not equals:
                hint = suggest(key, known)
                raise ConfigError(f"expected name=value for the SPRT, got {word!r}; {hint}")
            try:
                values[key] = known[key](text)
            except ValueError:
                raise ConfigError(f"expected a number for {key}, got {text!r}") from None
        for name in ("elo0", "elo1"):
            if name not in values:
                raise ConfigError(f"expected elo0=... and elo1=... for the SPRT, got no {name}")
        return cls(**values)  # type: ignore[arg-type]

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Sequence[float]) -> float:
        """The log-likelihood ratio of counts as in `estimate.py`; above 0 it favours H1."""
        check_counts(counts)
        if sum(counts) == 0:
            return 0.0
        counts = [count or _ZERO_COUNT for count in counts]
        total = sum(counts)
        found = [count / total for count in counts]
        low, high = (self._fit(found, elo) for elo in (self.elo0, self.elo1))
        return total * sum(
            share * math.log(p1 / p0) for share, p0, p1 in zip(found, low, high, strict=True)
        )

    def decision(self, counts: Sequence[float]) -> str | None:
        """`H0` or `H1` once the test has decided, else None."""
        low, high = self.bounds
        llr = self.llr(counts)
        return "H0" if llr <= low else "H1" if llr >= high else None

    def _fit(self, found: Sequence[float], elo: float) -> list[float]:
        if self.model == "logistic":
            score = score_from_elo(elo)
            shares = [step / (len(found) - 1) for step in range(len(found))]
            return _closest(found, [share - score for share in shares])
        games_each = (len(found) - 1) / 2
        return _closest_at_lead(found, elo / NORMALISED_SCALE * math.sqrt(games_each))

    def __str__(self) -> str:
        kind = "Elo" if self.model == "logistic" else "normalised Elo"
        return f"{self.elo0:g} against {self.elo1:g} {kind}"


def _closest(found: Sequence[float], values: Sequence[float]) -> list[float]:
    """The maximum-likelihood distribution, given the shares found, with mean value 0.

    With a Lagrange multiplier x it is found / (1 + x * value), which leaves x to be found.
    """
    pairs = list(zip(found, values, strict=True))

    def mean(x: float) -> float:
        return sum(share * value / (1 + x * value) for share, value in pairs)

    x = _root(mean, -1 / max(values), -1 / min(values))
    return [share / (1 + x * value) for share, value in pairs]


def _root(falling: Callable[[float], float], low: float, high: float) -> float:
    """The root of a decreasing function, by bisection."""
    while (middle := (low + high) / 2) not in (low, high):
        if falling(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _closest_at_lead(found: Sequence[float], lead: float) -> list[float]:
    """The maximum-likelihood distribution with a mean `lead` standard deviations above one half.

    Mean and deviation both depend on the distribution. Around a given one, with mean m and
    deviation s, "mean - 1/2 - lead * deviation = 0" is to first order a condition on the mean of
    share - 1/2 - lead * s * (1 + ((share - m) / s)^2) / 2. Solving that repeatedly converges.
    """
    shares = [step / (len(found) - 1) for step in range(len(found))]
    fitted = _tilted(len(found), lead)
    for _ in range(_MOST_STEPS):
        mean, variance = mean_and_variance(fitted)
        deviation = math.sqrt(variance)
        values = [
            share - 0.5 - lead * deviation * (1 + ((share - mean) / deviation) ** 2) / 2
            for share in shares
        ]
        before, fitted = fitted, _closest(found, values)
        if max(abs(a - b) for a, b in zip(before, fitted, strict=True)) < _CLOSE:
            break
    return fitted


def _tilted(length: int, lead: float) -> list[float]:
    """An initial distribution with that lead: probabilities grow geometrically with the share."""

    def at(tilt: float) -> list[float]:
        weights = [math.exp(tilt * (step - length + 1)) for step in range(length)]
        return [weight / sum(weights) for weight in weights]

    def missing(tilt: float) -> float:
        mean, variance = mean_and_variance(at(tilt))
        return abs(lead) * math.sqrt(variance) - (mean - 0.5)

    tilted = at(_root(missing, 0.0, _MOST_TILT))
    return tilted if lead >= 0 else tilted[::-1]
