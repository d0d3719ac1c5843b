"""A player of random moves: the baseline that every other agent should beat."""

from __future__ import annotations

import random

from plyground.agents.base import Agent, legal_actions
from plyground.games.base import Action, State
from plyground.search.limits import SearchLimits


class RandomAgent(Agent):
    """Plays uniformly random legal moves of any game; a seed makes its games repeatable."""

    name = "random"
    default_limits = None
    kept_limits = ("time_s",)  # it answers at once

    def __init__(self, seed: int | None = None) -> None:
        self._rng = random.Random(seed)

    def select_action(self, state: State, limits: SearchLimits | None = None) -> int:  # noqa: ARG002
        """Choose a legal action."""
        return Action.of(state, self._rng.choice(legal_actions(state)))
