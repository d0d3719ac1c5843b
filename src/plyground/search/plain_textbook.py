"""The textbook searches in plain Python, for evaluations and games that the core does not know."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

from plyground.errors import ConfigError, IllegalMoveError
from plyground.games.base import State
from plyground.search.result import SearchResult
from plyground.search.textbook import WIN, Algorithm, Evaluate, Poll, textbook_score

POLL_NODES = 1024
"""Nodes between two calls of `poll`."""


def search(
    algorithm: Algorithm,
    state: State,
    depth: int,
    evaluator: Evaluate | None = None,
    poll: Poll | None = None,
    draw_value: float = 0.0,
) -> SearchResult:
    """Search to a fixed depth, moves in the order of their numbers.

    `draw_value` is that of a draw for the player to move at the root.
    """
    if evaluator is not None and not callable(evaluator):
        raise ConfigError(f"expected a function of a state as evaluator, got {evaluator!r}")
    if state.outcome is not None:
        raise IllegalMoveError(f"no move to choose in {state.text()!r}: the game is over")
    started = time.perf_counter()
    run = _Search(
        evaluator or _static_value,
        algorithm == "alphabeta",
        poll,
        {state.current_player: draw_value, 3 - state.current_player: -draw_value},
    )
    raw, line = run.search(state, depth, -math.inf, math.inf)
    return SearchResult(
        best_move=line[0],
        score=textbook_score(raw, depth, state.current_player, state.game.unit),
        depth=depth,
        pv=line,
        nodes_searched=run.nodes,
        time_ms=(time.perf_counter() - started) * 1000,
        cutoffs=run.cutoffs,
    )


def _static_value(state: State) -> float:
    return state.game.evaluate(state).pov(state.current_player).value


@dataclass(slots=True)
class _Search:
    evaluate: Evaluate
    prunes: bool
    poll: Poll | None
    draw_values: dict[int, float]
    """The value of a draw by the player to move."""
    nodes: int = 0
    cutoffs: int = 0

    def search(
        self, state: State, depth: int, alpha: float, beta: float
    ) -> tuple[float, list[int]]:
        """The value for the player to move, and the principal variation (negamax)."""
        self.nodes += 1
        if self.poll is not None and self.nodes % POLL_NODES == 0:
            self.poll()
        if (outcome := state.outcome) is not None:
            if outcome.winner is None:
                return self.draw_values[state.current_player], []
            won = outcome.winner == state.current_player
            return (WIN + depth if won else -WIN - depth), []
        if depth == 0:
            return self._estimate(state), []
        best, best_line = -math.inf, [-1]
        for action in state.legal_actions():
            value, line = self.search(state.play(action), depth - 1, -beta, -alpha)
            if -value > best:
                best, best_line = -value, [action, *line]
            alpha = max(alpha, best)
            if self.prunes and alpha >= beta:
                self.cutoffs += 1
                break
        return best, best_line

    def _estimate(self, state: State) -> float:
        value: object = self.evaluate(state)  # may be anything, whatever its type says
        if not isinstance(value, int | float) or not -WIN < value < WIN:
            raise ConfigError(f"expected an evaluation from -{WIN} to {WIN}, got {value!r}")
        return float(value)
