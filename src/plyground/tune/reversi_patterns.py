"""Fits the pattern values of Reversi's evaluation to recorded games.

1. Positions of the games get scores: the last ones are solved, earlier ones take what is known of
   the game's value (cpp/search/reversi_fit.h).
2. The values of each phase are fitted to them by least squares.
3. With these, a search scores positions after random moves, which recorded games lack.
4. The values are fitted again, to both.

Every 20th game is held out, and says how good the fit is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground import _core
from plyground.errors import ConfigError
from plyground.tune.wthor import Games

PHASES = _core.REVERSI_PATTERN_PHASES
MOST_RIDGE = 1_000_000
_HELD_OUT = 20
_CHUNK = 500  # games, between two looks at Ctrl-C


@dataclass(frozen=True)
class FitSettings:
    """What can be set of a fit."""

    solve_from: int = 12
    """Positions with up to so many empty squares are solved."""
    ridge: float = 10.0
    """Holds values of rare patterns near zero: as much as so many positions of error 0 would."""
    steps: int = 20
    """Conjugate gradient steps for a phase."""
    overlap: int = 2
    """A phase is fitted also to positions with so many discs more or fewer than its own."""
    deviations: int = 6
    """Positions after random moves, out of each game."""
    weight: int = 6
    """How many positions of games one of these counts as: their scores are less noisy."""
    depth: int = 6
    """Plies of the search that scores them."""
    threads: int = 1
    """Processors to use; the result does not depend on it."""
    seed: int = 1
    """Of the random moves."""

    def __post_init__(self) -> None:
        if not 0 <= self.ridge <= MOST_RIDGE:  # NaN, too; better said before the endings are solved
            raise ConfigError(f"expected ridge from 0 to {MOST_RIDGE:,}, got {self.ridge}")


@dataclass(frozen=True)
class Positions:
    """Positions with scores for the side to move."""

    own: NDArray[np.uint64]
    other: NDArray[np.uint64]
    score: NDArray[np.int8]
    discs: NDArray[np.uint8]
    game: NDArray[np.uint32]

    def where(self, chosen: NDArray[np.bool_]) -> Positions:
        """Some of them."""
        return Positions(
            self.own[chosen],
            self.other[chosen],
            self.score[chosen],
            self.discs[chosen],
            self.game[chosen],
        )


@dataclass(frozen=True)
class Fit:
    """Fitted values, and how far off they are in games that they were not fitted to."""

    values: NDArray[np.int16]  # [phases * values], hundredths of a disc
    errors: list[float]  # [phases], root mean square in discs; NaN without held-out games


Progress = Callable[[str, int, int], object]
"""Called with what is being done, how much of it is done, and how much there is."""


def fit_patterns(games: Games, settings: FitSettings, progress: Progress) -> Fit:
    """Fit all phases to the games."""
    recorded = _in_chunks(
        "solving endings",
        len(games),
        progress,
        lambda first, last: _core.reversi_label_games(
            games.squares[first:last],
            games.played[first:last],
            games.theoretical[first:last],
            games.theory_empties[first:last],
            settings.solve_from,
            settings.threads,
            settings.seed + first,
        ),
    )
    fit = _fit_phases("fitting", recorded, settings, progress)
    if settings.deviations == 0:
        return fit
    patterns = _core.ReversiPatterns(fit.values)
    deviating = _in_chunks(
        "scoring deviations",
        len(games),
        progress,
        lambda first, last: _core.reversi_label_deviations(
            games.squares[first:last],
            patterns,
            settings.solve_from,
            settings.deviations,
            settings.depth,
            settings.threads,
            settings.seed + first,
        ),
    )
    positions = _joined([recorded] + [deviating] * settings.weight)
    return _fit_phases("fitting again", positions, settings, progress)


def _in_chunks(
    what: str, games: int, progress: Progress, label: Callable[[int, int], tuple[NDArray[Any], ...]]
) -> Positions:
    parts: list[Positions] = []
    for first in range(0, games, _CHUNK):
        progress(what, first, games)
        last = min(first + _CHUNK, games)
        own, other, score, discs, row = label(first, last)
        parts.append(Positions(own, other, score, discs, row + np.uint32(first)))
    progress(what, games, games)
    return _joined(parts)


def _joined(parts: list[Positions]) -> Positions:
    return Positions(
        np.concatenate([part.own for part in parts]),
        np.concatenate([part.other for part in parts]),
        np.concatenate([part.score for part in parts]),
        np.concatenate([part.discs for part in parts]),
        np.concatenate([part.game for part in parts]),
    )


def _fit_phases(what: str, positions: Positions, settings: FitSettings, progress: Progress) -> Fit:
    discs = positions.discs.astype(np.int16)
    held_out = positions.game % _HELD_OUT == _HELD_OUT - 1
    values: list[NDArray[np.int16]] = []
    errors: list[float] = []
    for phase in range(PHASES):
        progress(what, phase, PHASES)
        lowest = 5 + phase * _core.REVERSI_DISCS_PER_PHASE
        highest = lowest + _core.REVERSI_DISCS_PER_PHASE - 1
        near = (discs >= lowest - settings.overlap) & (discs <= highest + settings.overlap)
        train = positions.where(near & ~held_out)
        fit = _core.ReversiPatternFit(train.own, train.other, train.score, settings.ridge)
        for _ in range(settings.steps):
            fit.step()
        test = positions.where((discs >= lowest) & (discs <= highest) & held_out)
        errors.append(fit.error(test.own, test.other, test.score))
        values.append((fit.values() * 100).round().clip(-32767, 32767).astype(np.int16))
    progress(what, PHASES, PHASES)
    return Fit(np.concatenate(values), errors)
