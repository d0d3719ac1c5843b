"""SPSA: many numbers tuned at once, from noisy comparisons of two settings at a time.

J. Spall, "Implementation of the simultaneous perturbation algorithm for stochastic optimization",
IEEE Transactions on Aerospace and Electronic Systems 34 (1998). In iteration k, from 0, all numbers
are moved at once, each up or down at random: theta +- c_k * delta. Which of the two does better, by
how much, tells something about every number, and each takes a step a_k / c_k * delta that way, with

    a_k = a / (A + k + 1)^0.602        c_k = c / (k + 1)^0.101

(his exponents, and A a tenth of the iterations). As fishtest does, which tunes Stockfish, `a` and
`c` are set by what they come to in the last iteration: c_end is a parameter's `step`, and a_end is
`rate` * c_end^2, so that one rate suits parameters of all sizes.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from plyground.errors import ConfigError
from plyground.tune.settings import check_number

ALPHA, GAMMA = 0.602, 0.101
"""The decay of steps and of perturbations, as Spall recommends."""
STABILITY = 0.1
"""A, as a share of all iterations: keeps the first steps from being wild."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number to tune."""

    name: str
    start: float
    """Where it begins; a whole number stays one."""
    low: float
    high: float
    """Where it may be."""
    step: float
    """How far it is moved up and down, at the end; a change that matters, but not much."""

    def __post_init__(self) -> None:
        for name in ("start", "low", "high", "step"):
            check_number(f"{name} of {self.name}", getattr(self, name), -1e9, 1e9)
        if not self.low <= self.start <= self.high or self.low == self.high:
            raise ConfigError(
                f"expected low <= start <= high for {self.name}, "
                f"got {self.low:g}, {self.start:g}, {self.high:g}"
            )
        if not 0 < self.step <= self.high - self.low:
            raise ConfigError(
                f"expected the step of {self.name} to be above 0 and up to "
                f"{self.high - self.low:g}, got {self.step:g}"
            )

    def clip(self, value: float) -> float:
        """The nearest value it may have."""
        return max(self.low, min(self.high, value))

    def playable(self, value: float) -> float:
        """The nearest value that can be played with."""
        clipped = self.clip(value)
        return round(clipped) if isinstance(self.start, int) else clipped


@dataclass(frozen=True)
class Trial:
    """Two settings to compare."""

    plus: list[float]
    minus: list[float]
    signs: list[int]
    """Whether `plus` is above, 1, or below, -1."""


@dataclass(frozen=True)
class Spsa:
    """The optimiser; what it has come to, theta, is for the caller to keep."""

    parameters: Sequence[Parameter]
    iterations: int
    rate: float

    def trial(self, theta: Sequence[float], k: int, rng: random.Random) -> Trial:
        """What to compare in iteration k."""
        signs = [rng.choice((-1, 1)) for _ in self.parameters]
        moved = [
            (value, sign * self._perturbation(parameter, k), parameter)
            for value, sign, parameter in zip(theta, signs, self.parameters, strict=True)
        ]
        return Trial(
            [parameter.playable(value + by) for value, by, parameter in moved],
            [parameter.playable(value - by) for value, by, parameter in moved],
            signs,
        )

    def step(self, theta: Sequence[float], k: int, trial: Trial, lead: float) -> list[float]:
        """Theta after iteration k, in which `plus` was ahead of `minus` by so much."""
        found: list[float] = []
        for value, sign, parameter in zip(theta, trial.signs, self.parameters, strict=True):
            size = self._gain(parameter, k) / self._perturbation(parameter, k)
            found.append(parameter.clip(value + size * sign * lead))
        return found

    def _perturbation(self, parameter: Parameter, k: int) -> float:
        """c_k."""
        return parameter.step * float((self.iterations / (k + 1)) ** GAMMA)

    def _gain(self, parameter: Parameter, k: int) -> float:
        """a_k."""
        stability = STABILITY * self.iterations
        ratio = (stability + self.iterations) / (stability + k + 1)
        return self.rate * parameter.step**2 * float(ratio**ALPHA)
