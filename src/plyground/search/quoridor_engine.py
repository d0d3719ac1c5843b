"""Quoridor's alpha-beta engine: its options and its evaluation."""

from __future__ import annotations

from collections.abc import Mapping

from plyground import _core
from plyground.checks import check_range
from plyground.errors import ConfigError
from plyground.games.quoridor import State

DRAW_SCORE = -20
"""The score of a draw for the player who searches, in hundredths of a step."""
MOST_WEIGHT = 1000
"""Largest weight that the core takes."""


def make_engine(
    hash_mb: int,
    threads: int,
    weights: Mapping[str, int] | None = None,
    switches: Mapping[str, bool] | None = None,
    draw_score: int = DRAW_SCORE,
    evaluator: str | None = None,
) -> _core.QuoridorEngine:
    """The core's engine with these options."""
    if evaluator is not None:
        raise ConfigError("Quoridor has one evaluator; leave out 'evaluator'")
    for name, value in (weights or {}).items():
        check_range(f"the weight {name!r}", value, -MOST_WEIGHT, MOST_WEIGHT)
    return _core.QuoridorEngine(
        hash_mb, threads, dict(weights or {}), dict(switches or {}), draw_score
    )


def default_weights() -> dict[str, int]:
    """The weights of Quoridor's evaluation, in hundredths of a step."""
    return _core.quoridor_weights()


def features(state: State) -> dict[str, int]:
    """Quoridor's evaluation terms, for the player to move; the score is their weighted sum.

    >>> features(State())["tempo"]
    1
    """
    return _core.quoridor_features(state)
