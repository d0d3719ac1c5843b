"""What every agent is: something that chooses a move. To add one, see `spec.py`."""

from __future__ import annotations

from typing import Any, Protocol

from plyground.errors import IllegalMoveError
from plyground.games.base import State


class Agent(Protocol):
    """A player. It sees the position and nothing else: no clocks, displays or files."""

    def select_action(self, state: Any, limits: Any = None) -> int:
        """Choose a legal action; `limits` bound the thinking of agents that think ahead."""


def legal_actions(state: State) -> list[int]:
    """The actions an agent may choose from; an error in a finished game."""
    actions = state.legal_actions()
    if not actions:
        raise IllegalMoveError(f"no move to choose in {state.text()!r}: the game is over")
    return actions
