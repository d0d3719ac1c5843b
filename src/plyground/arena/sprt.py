"""When to stop a match: the sequential probability ratio test, over pairs of games.

A test asks whether the first player is ahead by elo0 or by elo1, and goes on until the results are
so much likelier under one of the two that the answer is wrong no more often than was allowed. How
likely they are is taken from the counts themselves (M. Van den Bergh, "The Generalized Sequential
Probability Ratio Test for chess"): of all distributions with the supposed lead, the one that fits
the counts best.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from difflib import get_close_matches

from plyground.arena.estimate import NORMALISED_SCALE, mean_and_variance, score_from_elo
from plyground.errors import ConfigError

MOST_ELO = 4000
"""A score that far from one half cannot be told from a whole one much longer."""
_NEVER = 1e-3
"""Stands for a count of 0, so that what has not happened yet is not impossible."""
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
    """How often H1 may be accepted wrongly."""
    beta: float = 0.05
    """How often H0 may be accepted wrongly."""
    model: str = "logistic"
    """What elo0 and elo1 are: "logistic" for Elo, "normalised" for normalised Elo."""

    def __post_init__(self) -> None:
        for name in ("elo0", "elo1", "alpha", "beta"):
            if not math.isfinite(getattr(self, name)):
                raise ConfigError(f"expected {name} to be a number, got {getattr(self, name)!r}")
        for name in ("elo0", "elo1"):
            if abs(getattr(self, name)) > MOST_ELO:
                what = f"from -{MOST_ELO} to {MOST_ELO}"
                raise ConfigError(f"expected {name} to be {what}, got {getattr(self, name):g}")
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
        """Read `elo0=0 elo1=10`, and alpha, beta and model where they are given.

        >>> Sprt.parse(["elo0=-5", "elo1=5"]).elo0
        -5.0
        """
        known = {field.name: str if field.name == "model" else float for field in fields(cls)}
        values: dict[str, float | str] = {}
        for word in words:
            key, equals, text = word.partition("=")
            if key not in known or not equals:
                close = get_close_matches(key, known, n=1)
                hint = f"did you mean {close[0]!r}?" if close else f"known are {', '.join(known)}"
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
        """Where the log-likelihood ratio accepts H0, and where H1."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Sequence[float]) -> float:
        """The log-likelihood ratio of counts as in `estimate.py`: above 0 they speak for H1."""
        if sum(counts) == 0:
            return 0.0
        counts = [count or _NEVER for count in counts]
        total = sum(counts)
        found = [count / total for count in counts]
        low, high = (self._fit(found, elo) for elo in (self.elo0, self.elo1))
        return total * sum(
            share * math.log(p1 / p0) for share, p0, p1 in zip(found, low, high, strict=True)
        )

    def decision(self, counts: Sequence[float]) -> str | None:
        """`H0` or `H1` once the test is over, None while it goes on."""
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
    """The likeliest distribution, given the shares found, whose mean of the values is 0.

    With a Lagrange multiplier x it is found / (1 + x * value); what is left is to find x.
    """
    pairs = list(zip(found, values, strict=True))

    def mean(x: float) -> float:
        return sum(share * value / (1 + x * value) for share, value in pairs)

    x = _root(mean, -1 / max(values), -1 / min(values))
    return [share / (1 + x * value) for share, value in pairs]


def _root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Where a falling function is 0, by halving."""
    while (middle := (low + high) / 2) not in (low, high):
        if falling(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _closest_at_lead(found: Sequence[float], lead: float) -> list[float]:
    """The likeliest distribution whose mean is so many of its own deviations above one half.

    Mean and deviation both depend on the distribution. Around a given one, with mean m and
    deviation s, "mean - 1/2 - lead * deviation = 0" is to first order a condition on the mean of
    share - 1/2 - lead * s * (1 + ((share - m) / s)^2) / 2. Solving that again and again converges.
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
    """A distribution with that lead to begin with: each share a little likelier than the last."""

    def at(tilt: float) -> list[float]:
        weights = [math.exp(tilt * (step - length + 1)) for step in range(length)]
        return [weight / sum(weights) for weight in weights]

    def missing(tilt: float) -> float:
        mean, variance = mean_and_variance(at(tilt))
        return abs(lead) * math.sqrt(variance) - (mean - 0.5)

    tilted = at(_root(missing, 0.0, _MOST_TILT))
    return tilted if lead >= 0 else tilted[::-1]
