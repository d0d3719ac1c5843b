"""Perfect play of Quoridor on boards small enough to solve."""

from __future__ import annotations

from weakref import WeakSet

from plyground.agents.base import Agent, legal_actions
from plyground.errors import ConfigError
from plyground.games import base
from plyground.games.base import Action
from plyground.games.quoridor import State, expect_state
from plyground.search.limits import SearchLimits
from plyground.search.quoridor_solver import Solution, solve

_shared: WeakSet[Solution] = WeakSet()
"""Solutions of the agents in this process, so that two agents share one."""


class SolvedAgent(Agent):
    """Plays the shortest win, or else a draw, or else the longest loss; the same move every time.

    Without a solution it solves the game at the first move, which is fast on 3x3 and 4x4 boards and
    takes up to half a minute and several gigabytes on 5x5. On larger boards it solves the rest of
    the game from the current position once that is small enough, and raises a ConfigError before.

    A solution ignores the draw counters. The agent sees when a move would end the game as a draw at
    once, but does not plan for it: it still plays a win that takes longer than the counters allow.
    The limits of the presets are far away: perfect games last 12 plies on tiny and 25 on small.
    """

    name = "solved"
    default_limits = None
    kept_limits = ()

    def __init__(self, solution: Solution | None = None) -> None:
        self.solution = solution

    def select_action(self, state: base.State, limits: SearchLimits | None = None) -> int:  # noqa: ARG002
        """Choose the best move."""
        legal_actions(state)
        position = expect_state(state)
        if self.solution is None or not self.solution.covers(position):
            self.solution = _solution_for(position)
        return Action.of(state, self.solution.best_action(position))


def _solution_for(state: State) -> Solution:
    """A solution of the whole game if that is possible, else of the rest of the game."""
    for solution in _shared:
        if solution.covers(state):
            return solution
    try:
        solution = solve(state.config)
    except ConfigError:
        solution = solve(state)
    if not solution.covers(state):  # not reachable from the start of its config
        solution = solve(state)
    _shared.add(solution)
    return solution
