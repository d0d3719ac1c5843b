"""Elo ratings of many players, from the counts of their results.

The model is Bradley and Terry's with draws (R. Davidson, 1970) and an advantage for the player who
moves first (Davidson and Beaver, 1977). For a lead d of the first player, including the advantage,
the probabilities of a win, a draw and a loss are in the ratio

    exp(d / 2)  :  nu  :  exp(-d / 2)

The log-likelihood is concave, so a few Newton steps find its maximum. Its curvature there gives the
intervals. `estimate.py` compares two players alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from plyground.arena.estimate import Z95
from plyground.config import check_known
from plyground.errors import ConfigError
from plyground.frames import make_frame

if TYPE_CHECKING:
    import pandas

Vector = NDArray[np.float64]

_ELO = 400 / math.log(10)
"""Elo per unit of d, without draws."""
_MOST_STEPS = 200
_CLOSE = 1e-10
"""The fit ends after _MOST_STEPS, or when no parameter changes by more than _CLOSE."""
_SPREAD = 5.0
"""Standard deviation of the prior of the first player's advantage and of ln(nu). It is wide (870
Elo, or 98% draws), but keeps both finite if all games end alike."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Results of the games of two players in which `first` moved first."""

    first: str
    second: str
    wins: float
    draws: float
    losses: float

    def __post_init__(self) -> None:
        for name in ("wins", "draws", "losses"):
            if not 0 <= (count := getattr(self, name)) < math.inf:
                raise ConfigError(
                    f"expected {name} to be 0 or more in the games of {self.first!r} and "
                    f"{self.second!r}, got {count!r}"
                )

    @property
    def games(self) -> float:
        """Number of games."""
        return self.wins + self.draws + self.losses


@dataclass(frozen=True, slots=True)
class Rating:
    """An Elo rating with its 95% interval."""

    elo: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


@dataclass(frozen=True, eq=False)
class Ratings:
    """The result of a fit. Ratings of players in different groups do not compare."""

    players: dict[str, Rating]
    first_player: Rating
    """The advantage of moving first."""
    draw_share: float
    """The share of draws between players of equal strength."""
    groups: tuple[frozenset[str], ...]
    """Players connected by games, directly or through others."""
    _covariance: Vector
    """Covariance of the ratings, in the order of `players`, in Elo."""

    def superiority(self, one: str, other: str) -> float:
        """The probability that one player is stronger than another; 1/2 if they do not compare."""
        names = list(self.players)
        for name in (one, other):
            check_known("player", name, names)
        i, j = names.index(one), names.index(other)
        if not any({one, other} <= group for group in self.groups) or i == j:
            return 0.5
        covariance = self._covariance
        variance = covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]
        lead = self.players[one].elo - self.players[other].elo
        return NormalDist().cdf(lead / math.sqrt(variance)) if variance > 0 else 0.5

    def to_frame(self) -> pandas.DataFrame:
        """A pandas table with a row per player, the strongest first (extra `data`)."""
        ranked = sorted(self.players.items(), key=lambda item: -item[1].elo)
        return make_frame(
            {"player": name, "elo": rating.elo, "low": rating.low, "high": rating.high}
            for name, rating in ranked
        )


def fit_ratings(
    tallies: Iterable[Tally],
    zero: str | None = None,
    *,
    first_player: bool = True,
    added_games: float = 1.0,
) -> Ratings:
    """The maximum-likelihood ratings; that of the player `zero` is 0, or else the average is.

    Every pairing counts `added_games` more games, half won by either side, so that all ratings are
    finite. `first_player=False` fits no advantage of the first move, for results in which it is not
    known who moved first. `zero` must be a player of the tallies, which may have no games yet.

    >>> ratings = fit_ratings([Tally("a", "b", 75, 0, 25), Tally("b", "c", 75, 0, 25)], "c",
    ...                       first_player=False)
    >>> [round(ratings.players[name].elo) for name in "abc"]
    [377, 189, 0]
    """
    tallies = list(tallies)
    known = list(dict.fromkeys(name for tally in tallies for name in (tally.first, tally.second)))
    if zero is not None and known:
        check_known("player", zero, known)
    played = [tally for tally in tallies if tally.games > 0 and tally.first != tally.second]
    names = list(dict.fromkeys(name for tally in played for name in (tally.first, tally.second)))
    if zero is not None and zero not in names:
        names.append(zero)
    model = _Model(names, played, first_player, added_games)
    theta, covariance = model.fit()
    size = len(names)
    nu = math.exp(theta[-1]) if model.has_draws else 0.0
    # With draws a lead d scores fewer points, so ratings would grow with the share of draws. This
    # keeps Elo's meaning near equality: the same slope of the expected score as without draws.
    scale = _ELO * 2 / (2 + nu)
    groups = _groups(names, played)
    elo = scale * theta[:size]
    shared = scale**2 * covariance[:size, :size]
    for group in groups:
        _centre(elo, shared, [names.index(name) for name in group], names, zero)
    advantage = scale * theta[size] if first_player else 0.0
    doubt = scale * math.sqrt(max(0.0, covariance[size, size])) if first_player else 0.0
    return Ratings(
        {name: _rating(elo[i], math.sqrt(max(0.0, shared[i, i]))) for i, name in enumerate(names)},
        _rating(advantage, doubt),
        nu / (2 + nu),
        groups,
        shared,
    )


def _rating(elo: float, deviation: float) -> Rating:
    return Rating(float(elo), float(elo - Z95 * deviation), float(elo + Z95 * deviation))


def _centre(
    elo: Vector, covariance: Vector, group: list[int], names: Sequence[str], zero: str | None
) -> None:
    """Shift a group's ratings so that one player's rating, or their mean, is exactly 0."""
    base = np.zeros(len(elo))
    if zero is not None and names.index(zero) in group:
        base[names.index(zero)] = 1
    else:
        base[group] = 1 / len(group)
    shift = np.eye(len(elo))
    shift[group] -= base
    elo[:] = shift @ elo
    covariance[:] = shift @ covariance @ shift.T


class _Model:
    """The likelihood of the results as a function of theta: players, advantage, ln(nu)."""

    def __init__(
        self, names: Sequence[str], tallies: Sequence[Tally], first_player: bool, added: float
    ) -> None:
        self.has_draws = any(tally.draws for tally in tallies)
        self.players = len(names)
        self.size = self.players + first_player + self.has_draws
        index = {name: i for i, name in enumerate(names)}
        rows = [(tally, True) for tally in tallies]
        if added > 0:
            pairings = {frozenset((tally.first, tally.second)): tally for tally in tallies}
            half = added / 2
            rows += [(Tally(t.first, t.second, half, 0, half), False) for t in pairings.values()]
        self.lead = np.zeros((len(rows), self.size))  # d = lead @ theta
        for row, (tally, is_real) in enumerate(rows):
            self.lead[row, index[tally.first]] = 1
            self.lead[row, index[tally.second]] = -1
            if first_player and is_real:  # added games have no first player
                self.lead[row, self.players] = 1
        self.may_draw = np.array([is_real for _, is_real in rows], bool) & self.has_draws
        counts = np.array([(t.wins, t.draws, t.losses) for t, _ in rows], np.float64)
        self.counts = counts.reshape(-1, 3)  # [rows, 3]
        self.pull = np.zeros(self.size)  # precision of the prior, which is centred at 0
        if added > 0:
            self.pull[self.players :] = 1 / _SPREAD**2

    def fit(self) -> tuple[Vector, Vector]:
        """The most likely theta, and the covariance of its errors."""
        theta: Vector = np.zeros(self.size)
        value = self._value(theta)
        for _ in range(_MOST_STEPS):
            gradient, curvature = self._derivatives(theta)
            # A group can be shifted as a whole; the pseudo-inverse ignores such shifts.
            step = np.linalg.pinv(curvature, hermitian=True) @ gradient
            # A full step may overshoot far from the maximum; a small enough one never does.
            while (after := self._value(theta + step)) < value and _longest(step) > _CLOSE:
                step /= 2
            theta, value = theta + step, after
            if _longest(step) < _CLOSE:
                break
        covariance = np.linalg.pinv(self._derivatives(theta)[1], hermitian=True)
        return theta, np.asarray(covariance, np.float64)

    def _chances(self, theta: Vector) -> Vector:
        """Probabilities of a win, a draw and a loss, row by row."""
        lead = self.lead @ theta
        draw = np.where(self.may_draw, theta[-1] if self.has_draws else 0.0, -np.inf)
        logs = np.stack([lead / 2, draw, -lead / 2], axis=1)
        logs -= logs.max(axis=1, keepdims=True)
        weights = np.exp(logs)
        chances: Vector = weights / weights.sum(axis=1, keepdims=True)
        return chances

    def _value(self, theta: Vector) -> float:
        logs = np.log(np.maximum(self._chances(theta), 1e-300))
        return float((self.counts * logs).sum() - (self.pull * theta**2).sum() / 2)

    def _derivatives(self, theta: Vector) -> tuple[Vector, Vector]:
        """The gradient and the negative Hessian of the log-likelihood."""
        win, draw, loss = self._chances(theta).T
        games = self.counts.sum(axis=1)
        surplus = (self.counts[:, 0] - self.counts[:, 2] - games * (win - loss)) / 2
        gradient = self.lead.T @ surplus - self.pull * theta
        spread = games * ((win + loss) - (win - loss) ** 2) / 4
        curvature = (self.lead.T * spread) @ self.lead + np.diag(self.pull)
        if self.has_draws:
            gradient[-1] += (self.counts[:, 1] - games * draw).sum()
            curvature[-1, -1] += (games * draw * (1 - draw)).sum()
            across = self.lead.T @ (-games * draw * (win - loss) / 2)
            curvature[:-1, -1] += across[:-1]
            curvature[-1, :-1] += across[:-1]
        return gradient, curvature


def _longest(step: Vector) -> float:
    return float(np.abs(step).max(initial=0))


def _groups(names: Sequence[str], tallies: Sequence[Tally]) -> tuple[frozenset[str], ...]:
    """Players connected by games, directly or through others."""
    group = {name: {name} for name in names}
    for tally in tallies:
        if group[tally.first] is not group[tally.second]:
            group[tally.first] |= group[tally.second]
            for name in group[tally.second]:
                group[name] = group[tally.first]
    return tuple(dict.fromkeys(frozenset(members) for members in group.values()))
