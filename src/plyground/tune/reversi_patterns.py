"""Fits the pattern values of Reversi's evaluation to recorded games.

1. Positions of the games are labelled with scores: late ones are solved, earlier ones take the best
   known value of the game (cpp/search/reversi_fit.h).
2. The values of all phases are fitted to the scores by least squares.
3. The engine plays itself with these values, from XOT openings. Searches score the positions of
   its games and positions a few moves off them, which recorded games lack.
4. The values are fitted again, to all positions so far. Then steps 3 and 4 are repeated.

Every 20th game is held out to measure the error of the fit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from plyground import _core
from plyground.arena.reversi_openings import xot_lines
from plyground.checks import check_range
from plyground.games.reversi import parse_transcript
from plyground.tune.reversi_wthor import WthorArrays

PHASES = _core.REVERSI_PATTERN_PHASES
MOST_PENALTY = 1_000_000
_HELD_OUT = 20
_CHUNK = 500
"""Games labelled by one call of the core; Ctrl-C takes effect between calls."""

_EARLIER_ROUNDS = 4
_RECORDED_WEIGHT = 0.1
"""Of a position of a recorded game relative to one of the engine's games, whose score is less
noisy."""
_FAR = 20.0
"""Discs from balance at which a position counts half."""
_ROUNDING = 16
"""Of values, in hundredths of a disc: far below their error, and the file is half as large."""

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
    ridge: float = 5.0
    """Penalty that keeps the values of rare patterns near zero, in positions."""
    smoothing: float = 20.0
    """Penalty that keeps the values of rare patterns near those of the phases beside."""
    steps: int = 30
    """Conjugate gradient steps of a fit."""
    own_games: int = 80_000
    """Games of the engine against itself in the last round; those before have a quarter."""
    rounds: int = 2
    """Rounds of such games, each with the values of the round before."""
    depth: int = 6
    """Plies of the searches in such games."""
    own_solve_from: int = 16
    """Like solve_from, in such games."""
    threads: int = 1
    """Threads to use; the result does not depend on it."""
    seed: int = 1
    """Seed of the random moves."""

    def __post_init__(self) -> None:
        check_range("ridge", self.ridge, 0, MOST_PENALTY, float)
        check_range("smoothing", self.smoothing, 0, MOST_PENALTY, float)


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
    positions = recorded
    weight = np.ones(len(recorded.score), np.float32)
    fit = _fit("fitting", positions, weight, settings, progress)
    for left in reversed(range(settings.rounds)):
        positions = _joined([positions, _own_games(fit.values, settings, left, progress)])
        weight = _near_weight(positions.score)
        weight[: len(recorded.score)] *= _RECORDED_WEIGHT
        fit = _fit("fitting again", positions, weight, settings, progress)
    return fit


def _own_games(
    values: NDArray[np.int16], settings: FitSettings, rounds_left: int, progress: OnStageProgress
) -> LabelledPositions:
    """Positions of games of the engine against itself."""
    count = settings.own_games // (1 if rounds_left == 0 else _EARLIER_ROUNDS)
    lines = np.array([parse_transcript(line) for line in xot_lines()], np.uint8)
    openings = lines[np.arange(count) % len(lines)]
    patterns = _core.ReversiPatterns(values)
    seed = settings.seed + (rounds_left + 1) * 10**9
    return _in_chunks(
        "playing",
        count,
        progress,
        lambda first, last: _core.reversi_label_own_games(
            openings[first:last],
            patterns,
            settings.own_solve_from,
            settings.depth,
            settings.threads,
            seed + first,
        ),
    )


def _near_weight(score: NDArray[np.int8]) -> NDArray[np.float32]:
    """Positions far from balance count less: a search cuts most of them off."""
    return (1 / (1 + (score.astype(np.float32) / _FAR) ** 2)).astype(np.float32)


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


def _fit(
    what: str,
    positions: LabelledPositions,
    weight: NDArray[np.float32],
    settings: FitSettings,
    progress: OnStageProgress,
) -> PatternFit:
    held_out = positions.game % _HELD_OUT == _HELD_OUT - 1
    train = positions.where(~held_out)
    fit = _core.ReversiPatternFit(
        train.own, train.other, train.score, weight[~held_out], settings.ridge, settings.smoothing
    )
    for step in range(settings.steps):
        progress(what, step, settings.steps)
        fit.step()
    progress(what, settings.steps, settings.steps)
    test = positions.where(held_out)
    errors: list[float] = []
    for phase in range(PHASES):
        lowest = 5 + phase * _core.REVERSI_DISCS_PER_PHASE
        highest = lowest + _core.REVERSI_DISCS_PER_PHASE - 1
        part = test.where((test.discs >= lowest) & (test.discs <= highest))
        errors.append(fit.error(part.own, part.other, part.score))
    return PatternFit(_rounded(fit.values()), errors)


def _rounded(discs: NDArray[np.float32]) -> NDArray[np.int16]:
    """In hundredths of a disc."""
    steps = (discs * 100 / _ROUNDING).round() * _ROUNDING
    return steps.clip(-32767, 32767).astype(np.int16)
