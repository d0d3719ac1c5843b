"""Measures how well shallow searches of Reversi foretell deep ones, for ProbCut's margins.

Positions of recorded games are searched without any pruning that guesses. What a deep score differs
from a shallow one by, as a standard deviation, is then fitted by

    base + per_square * (38 - empty squares, if above 0) + per_ply * (plies in between - 3)

in hundredths of a disc: the constants of cpp/search/reversi_knowledge.cpp.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from plyground.errors import ConfigError
from plyground.games.reversi import PASS, State
from plyground.search import Engine, SearchLimits, SearchResult
from plyground.tune.wthor import Games

_EMPTIES = (15, 23, 31, 39, 47)
"""Squares left empty, in the positions that are measured."""
_PAIRS = ((4, 2), (5, 1), (6, 2), (7, 3), (8, 4), (9, 3), (10, 4))
"""Depths, and the depths that foretell them."""
_GUESSING = ("reductions", "futility", "probcut", "exact_results")


@dataclass(frozen=True)
class Deviation:
    """The fitted constants."""

    base: float
    per_square: float
    per_ply: float


def measure_deviation(
    games: Games, positions: int, rng: random.Random, progress: Callable[[str, int, int], object]
) -> Deviation:
    """Search so many positions at each stage of the game, and fit."""
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


def _position(games: Games, empties: int, rng: random.Random) -> State | None:
    """A random game when so many squares are empty, if it gets there."""
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
    """What a search that leaves nothing out says at each depth."""
    engine = Engine(hash_mb=16, game="reversi", switches=dict.fromkeys(_GUESSING, False))
    scores: dict[int, float] = {}

    def note(result: SearchResult) -> None:
        scores.setdefault(result.depth, result.score)

    engine.search(state, SearchLimits(depth=deepest), note)
    return scores
