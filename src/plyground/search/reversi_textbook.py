"""Reversi's part of the textbook searches. The evaluation is a `ReversiEvaluator`.

Moves are ordered by their squares, corners first and squares beside a corner last. The value of a
draw is 0.
"""

from __future__ import annotations

from dataclasses import replace

from plyground import _core
from plyground.games.reversi import State
from plyground.search import plain_textbook
from plyground.search.result import SearchResult
from plyground.search.reversi_evaluator import ReversiEvaluator
from plyground.search.textbook import Algorithm, Evaluate, Poll, timed_result


def search(
    algorithm: Algorithm,
    state: State,
    depth: int,
    evaluator: ReversiEvaluator | Evaluate | None = None,
    poll: Poll | None = None,
) -> SearchResult:
    """Search to a fixed depth; a custom evaluation is searched in plain Python."""
    evaluator = ReversiEvaluator() if evaluator is None else evaluator
    if not isinstance(evaluator, ReversiEvaluator):
        found = plain_textbook.search(algorithm, state, depth, evaluator, poll)
        return replace(found, is_plain_alphabeta=algorithm == "alphabeta")
    core = _core.reversi_minimax if algorithm == "minimax" else _core.reversi_alphabeta
    native = evaluator.native
    found = timed_result(lambda: core(state, depth, native, poll), state, depth, state.game.unit)
    return replace(found, is_plain_alphabeta=algorithm == "alphabeta")
