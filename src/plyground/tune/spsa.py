"""SPSA: many parameters tuned at once, from noisy comparisons of two settings at a time.

J. Spall, "Implementation of the simultaneous perturbation algorithm for stochastic optimization",
IEEE Transactions on Aerospace and Electronic Systems 34 (1998). In iteration k, from 0, all
parameters are perturbed at once, each up or down at random: theta +- c_k * delta. The difference in
performance between the two is an estimate for every parameter, and each takes a step of
a_k / c_k * delta in the better direction, with

    a_k = a / (A + k + 1)^0.602        c_k = c / (k + 1)^0.101

(his exponents, and A a tenth of the iterations). As in fishtest, which tunes Stockfish, `a` and `c`
are set by their values in the last iteration: c_end is a parameter's `step`, and a_end is
`rate` * c_end^2, so that one rate suits parameters of all sizes.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from plyground.checks import check_range
from plyground.errors import ConfigError

ALPHA, GAMMA = 0.602, 0.101
"""The decay of steps and of perturbations, as Spall recommends."""
STABILITY = 0.1
"""A, as a share of all iterations; it limits the first steps."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter to tune."""

    name: str
    start: float
    """Initial value; if it is an integer, the parameter stays one."""
    low: float
    high: float
    """Range of the parameter."""
    step: float
    """Size of the perturbation in the last iteration, with a small but measurable effect."""

    def __post_init__(self) -> None:
        for name in ("start", "low", "high", "step"):
            check_range(f"{name} of {self.name}", getattr(self, name), -1e9, 1e9, float)
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
        """The nearest value in the range."""
        return max(self.low, min(self.high, value))

    def playable(self, value: float) -> float:
        """The nearest value that an agent accepts."""
        clipped = self.clip(value)
        return round(clipped) if isinstance(self.start, int) else clipped


@dataclass(frozen=True)
class Trial:
    """Two settings to compare."""

    plus: list[float]
    minus: list[float]
    signs: list[int]
    """For each parameter, 1 if `plus` has the larger value, else -1."""


@dataclass(frozen=True)
class Spsa:
    """The optimiser. The caller keeps the current parameters, theta."""

    parameters: Sequence[Parameter]
    iterations: int
    rate: float

    def trial(self, theta: Sequence[float], k: int, rng: random.Random) -> Trial:
        """The settings to compare in iteration k."""
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
        """Theta after iteration k, in which `plus` was ahead of `minus` by `lead`."""
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
