"""Perfect play, where the game can be solved."""

from __future__ import annotations

from typing import Any
from weakref import WeakSet

from plyground.agents.base import legal_actions
from plyground.errors import ConfigError
from plyground.games.quoridor import State
from plyground.search.solver import Solution, solve

_shared: WeakSet[Solution] = WeakSet()
"""What living agents have solved: two of them in one game need not solve it twice."""


class SolvedAgent:
    """Plays the shortest win, or else a draw, or else the longest loss; the same move every time.

    Without a solution it solves the game it is first asked about, which takes moments on 3x3 and
    4x4, and up to half a minute and some gigabytes on 5x5. A game too large for that is solved from
    the position on, once that can be done; before, it is refused with a ConfigError.

    A solution knows no draw counters. The agent sees when a move would end the game as a draw at
    once, but it does not plan for that: a win that takes longer than the counters allow is still
    played as a win. The limits of the presets are far off: perfect games last 12 plies on tiny, 25
    on small.
    """

    def __init__(self, solution: Solution | None = None) -> None:
        self.solution = solution

    def select_action(self, state: State, limits: Any = None) -> int:  # noqa: ARG002
        """Choose the best move there is."""
        legal_actions(state)
        if self.solution is None or not self.solution.covers(state):
            self.solution = _solution_for(state)
        return self.solution.best_action(state)


def _solution_for(state: State) -> Solution:
    """A solution of the whole game, to serve later games, too; else of what is left of it."""
    for solution in _shared:
        if solution.covers(state):
            return solution
    try:
        solution = solve(state.config)
    except ConfigError:
        solution = solve(state)
    if not solution.covers(state):  # a position that does not come of its config's start
        solution = solve(state)
    _shared.add(solution)
    return solution
