"""Reversi's alpha-beta engine: its options."""

from __future__ import annotations

from collections.abc import Mapping

from plyground import _core
from plyground.errors import ConfigError
from plyground.search.reversi_patterns import shipped_patterns


def make_engine(
    hash_mb: int,
    threads: int,
    switches: Mapping[str, bool] | None = None,
    evaluator: str | None = None,
    weights: Mapping[str, int] | None = None,
    draw_score: int | None = None,
) -> _core.ReversiEngine:
    """The core's engine with these options."""
    if weights or draw_score is not None:
        raise ConfigError("'weights' and 'draw_score' are Quoridor's; Reversi has neither")
    return _core.ReversiEngine(hash_mb, threads, _patterns(evaluator), dict(switches or {}))


def _patterns(evaluator: str | None) -> _core.ReversiPatterns | None:
    if evaluator in (None, "patterns"):
        return shipped_patterns()
    if evaluator == "classic":
        return None
    raise ConfigError(f"expected the evaluator 'patterns' or 'classic', got {evaluator!r}")
