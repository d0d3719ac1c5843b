"""Measures how well shallow searches of Reversi predict deep ones, for ProbCut's margins.

Positions of recorded games are searched without speculative pruning. The standard deviation of the
difference between a deep and a shallow score is then fitted by

    base + per_square * max(0, 38 - empty squares) + per_ply * (difference in depth - 3)

in hundredths of a disc: the constants of cpp/search/reversi_knowledge.cpp.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from plyground.errors import ConfigError
from plyground.games.reversi import PASS, State
from plyground.search import Engine, SearchLimits, SearchResult
from plyground.tune.reversi_patterns import OnStageProgress
from plyground.tune.reversi_wthor import WthorArrays

_EMPTIES = (15, 23, 31, 39, 47)
"""Empty squares of the measured positions."""
_PAIRS = ((4, 2), (5, 1), (6, 2), (7, 3), (8, 4), (9, 3), (10, 4))
"""Depths, each with the shallow depth that predicts it."""
_SPECULATIVE = ("reductions", "futility", "probcut", "exact_results")


@dataclass(frozen=True)
class Deviation:
    """The constants of the fit."""

    base: float
    per_square: float
    per_ply: float


def measure_deviation(
    games: WthorArrays, positions: int, rng: random.Random, progress: OnStageProgress
) -> Deviation:
    """Search that many positions at each stage of the game, and fit the deviations."""
    deepest = max(deep for deep, _ in _PAIRS)
    rows: list[tuple[float, float, float]] = []
    deviations: list[float] = []
    for stage, empties in enumerate(_EMPTIES):
        scores: list[dict[int, float]] = []
        misses = 0
        while len(scores) < positions:
            if misses > 100 * (positions + len(games)):
                raise ConfigError(f"expected games that reach {empties} empty squares, found none")
            progress("searching", stage * positions + len(scores), len(_EMPTIES) * positions)
            state = _position(games, empties, rng)
            found = _scores(state, deepest) if state is not None else {}
            if deepest in found:
                scores.append(found)
            else:
                misses += 1
        for deep, shallow in _PAIRS:
            differences = [100 * (found[deep] - found[shallow]) for found in scores]
            deviations.append(float(np.std(differences)))
            rows.append((1.0, max(0, 38 - empties), deep - shallow - 3))
    base, per_square, per_ply = np.linalg.lstsq(np.array(rows), np.array(deviations), rcond=None)[0]
    return Deviation(float(base), float(per_square), float(per_ply))


def _position(games: WthorArrays, empties: int, rng: random.Random) -> State | None:
    """A position of a random game with that many empty squares, if the game reaches one."""
    state = State()
    for square in games.squares[rng.randrange(len(games))].tolist():
        if state.is_legal(PASS):
            state = state.play(PASS)
        if 64 - sum(state.counts.values()) == empties and not state.game_over:
            return state
        if not state.is_legal(square):
            return None
        state = state.play(square)
    return None


def _scores(state: State, deepest: int) -> dict[int, float]:
    """The scores in discs of a search without speculative pruning, by depth."""
    switches = dict.fromkeys(_SPECULATIVE, False)
    engine = Engine(hash_mb=16, game=state.game, switches=switches)
    scores: dict[int, float] = {}

    def note(result: SearchResult) -> None:
        if result.score is not None:
            scores.setdefault(result.depth, result.score.value)

    engine.search(state, SearchLimits(depth=deepest), note)
    return scores
