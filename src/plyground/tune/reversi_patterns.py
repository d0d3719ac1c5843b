"""Fits the pattern values of Reversi's evaluation to recorded games.

1. Positions of the games are labelled with scores: late ones are solved, earlier ones take the best
   known value of the game (cpp/search/reversi_fit.h).
2. The values of each phase are fitted to the scores by least squares.
3. A search with these values scores positions after random moves, which recorded games lack.
4. The values are fitted again, to both kinds of positions.

Every 20th game is held out to measure the error of the fit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from plyground import _core
from plyground.checks import check_range
from plyground.tune.reversi_wthor import WthorArrays

PHASES = _core.REVERSI_PATTERN_PHASES
MOST_RIDGE = 1_000_000
_HELD_OUT = 20
_CHUNK = 500
"""Games labelled by one call of the core; Ctrl-C takes effect between calls."""

OnStageProgress: TypeAlias = Callable[[str, int, int], object]
"""Called with the name of the current stage, the work that is done and the work in total."""
Labels: TypeAlias = tuple[
    NDArray[np.uint64], NDArray[np.uint64], NDArray[np.int8], NDArray[np.uint8], NDArray[np.uint32]
]
"""The fields of `LabelledPositions`, in order."""


@dataclass(frozen=True)
class FitSettings:
    """The settings of a fit."""

    solve_from: int = 12
    """Largest number of empty squares at which positions are solved."""
    ridge: float = 10.0
    """Ridge penalty, which keeps the values of rare patterns near zero, in positions of error 0."""
    steps: int = 20
    """Conjugate gradient steps per phase."""
    overlap: int = 2
    """Discs by which positions may lie outside a phase and still be used to fit it."""
    deviations: int = 6
    """Positions after random moves, per game."""
    weight: int = 6
    """Weight of such a position relative to one of a game, since its score is less noisy."""
    depth: int = 6
    """Plies of the search that scores such positions."""
    threads: int = 1
    """Threads to use; the result does not depend on it."""
    seed: int = 1
    """Seed of the random moves."""

    def __post_init__(self) -> None:
        check_range("ridge", self.ridge, 0, MOST_RIDGE, float)


@dataclass(frozen=True)
class LabelledPositions:
    """Positions with scores for the side to move."""

    own: NDArray[np.uint64]
    other: NDArray[np.uint64]
    score: NDArray[np.int8]
    discs: NDArray[np.uint8]
    game: NDArray[np.uint32]

    def where(self, chosen: NDArray[np.bool_]) -> LabelledPositions:
        """The positions that a mask selects."""
        return LabelledPositions(
            self.own[chosen],
            self.other[chosen],
            self.score[chosen],
            self.discs[chosen],
            self.game[chosen],
        )


@dataclass(frozen=True)
class PatternFit:
    """Fitted values, and their errors in held-out games."""

    values: NDArray[np.int16]  # [phases * values], hundredths of a disc
    errors: list[float]  # [phases], root mean square in discs; NaN without held-out games


def fit_patterns(
    games: WthorArrays, settings: FitSettings, progress: OnStageProgress
) -> PatternFit:
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
    what: str, games: int, progress: OnStageProgress, label: Callable[[int, int], Labels]
) -> LabelledPositions:
    parts: list[LabelledPositions] = []
    for first in range(0, games, _CHUNK):
        progress(what, first, games)
        last = min(first + _CHUNK, games)
        own, other, score, discs, row = label(first, last)
        parts.append(LabelledPositions(own, other, score, discs, row + np.uint32(first)))
    progress(what, games, games)
    return _joined(parts)


def _joined(parts: list[LabelledPositions]) -> LabelledPositions:
    return LabelledPositions(
        np.concatenate([part.own for part in parts]),
        np.concatenate([part.other for part in parts]),
        np.concatenate([part.score for part in parts]),
        np.concatenate([part.discs for part in parts]),
        np.concatenate([part.game for part in parts]),
    )


def _fit_phases(
    what: str, positions: LabelledPositions, settings: FitSettings, progress: OnStageProgress
) -> PatternFit:
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
    return PatternFit(np.concatenate(values), errors)
