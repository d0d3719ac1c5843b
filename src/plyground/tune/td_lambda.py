"""TD(lambda): learning to predict the outcome of a game from later predictions.

R. Sutton, "Learning to predict by the methods of temporal differences", Machine Learning 3 (1988).
With predictions P_1 .. P_m of the outcome z = P_(m+1), his equation (4) changes the weights by

    alpha * sum over t of (P_(t+1) - P_t) * sum over k <= t of lambda^(t-k) * grad P_k

after each sequence. Summed by k instead of by t it is alpha * sum of G_k * grad P_k with

    G_k = (P_(k+1) - P_k) + lambda * G_(k+1),

which this module computes in one pass from the end. With lambda = 1, G_k = z - P_k, the rule of
least mean squares; with lambda = 0 each prediction learns from the next one alone.

P is the weighted sum of features x, or its tanh, whose gradient is (1 - P^2) * x. For outcomes from
-1 to 1 the weighted sum is then half the log-odds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Trajectory:
    """The features of one game, step by step, and its outcome."""

    features: Vector  # [steps, features]
    outcome: float
    is_cut: NDArray[np.bool_] | None = None  # [steps]
    """Steps followed by a random move, across which nothing is learned, neither there nor, through
    lambda, before (Sutton & Barto, "Reinforcement Learning", section 1.5)."""


@dataclass(frozen=True, eq=False)
class TdUpdate:
    """The update of the weights from one trajectory."""

    step: Vector  # [features]
    """The change of the weights, to be multiplied by the learning rate."""
    td_error: float
    """Mean squared difference between a prediction and the next one."""
    outcome_error: float
    """Mean squared difference between a prediction and the outcome."""


def predict(features: Vector, weights: Vector, is_squashed: bool) -> Vector:
    """The predictions of all steps."""
    sums: Vector = features @ weights
    return np.tanh(sums) if is_squashed else sums


def learn(seen: Trajectory, weights: Vector, trace: float, is_squashed: bool = True) -> TdUpdate:
    """The update from a trajectory, with lambda = `trace`.

    >>> path = Trajectory(np.eye(2), outcome=1.0)
    >>> learn(path, np.array([0.0, 0.5]), trace=0.5, is_squashed=False).step.tolist()
    [0.75, 0.5]
    """
    predictions = predict(seen.features, weights, is_squashed)
    steps = len(predictions)
    errors = np.append(predictions[1:], seen.outcome) - predictions
    lasting = np.zeros(steps)  # G
    after = 0.0
    for k in range(steps - 1, -1, -1):
        is_cut = seen.is_cut is not None and seen.is_cut[k]
        after = 0.0 if is_cut else errors[k] + trace * after
        lasting[k] = after
    if is_squashed:
        lasting = lasting * (1 - predictions**2)
    return TdUpdate(
        seen.features.T @ lasting,
        float((errors**2).mean()),
        float(((seen.outcome - predictions) ** 2).mean()),
    )
