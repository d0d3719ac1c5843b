"""Any legal move, each as likely as the next: the opponent everything else should beat."""

from __future__ import annotations

import random
from typing import Any

from plyground.agents.base import legal_actions
from plyground.games.base import State


class RandomAgent:
    """Plays any game at random; with a seed, the same game every time."""

    def __init__(self, seed: int | None = None) -> None:
        self._rng = random.Random(seed)

    def select_action(self, state: State, limits: Any = None) -> int:  # noqa: ARG002
        """Choose a legal action."""
        return self._rng.choice(legal_actions(state))
