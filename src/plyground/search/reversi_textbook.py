"""Reversi's part of the textbook searches. The evaluation is a `ReversiEvaluator`.

Moves are ordered by their squares, corners first and squares beside a corner last. The value of a
draw is 0.
"""

from __future__ import annotations

from plyground import _core
from plyground.errors import ConfigError
from plyground.games.reversi import State
from plyground.search.result import SearchResult
from plyground.search.reversi_evaluator import ReversiEvaluator
from plyground.search.textbook import Algorithm, Poll, timed_result


def search(
    algorithm: Algorithm,
    state: State,
    depth: int,
    evaluator: ReversiEvaluator | None = None,
    poll: Poll | None = None,
) -> SearchResult:
    """Search to a fixed depth."""
    evaluator = ReversiEvaluator() if evaluator is None else evaluator
    if not isinstance(evaluator, ReversiEvaluator):
        raise ConfigError(f"expected a ReversiEvaluator for this game, got {evaluator!r}")
    core = _core.reversi_minimax if algorithm == "minimax" else _core.reversi_alphabeta
    native = evaluator.native
    return timed_result(lambda: core(state, depth, native, poll), state, depth, state.game.unit)
