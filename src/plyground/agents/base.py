"""What every agent is: something that chooses a move. To add one, see `spec.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

from plyground.errors import IllegalMoveError
from plyground.games.base import State
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult

Progress = Callable[[SearchResult], object]
"""Told what is known so far, some times a second; what it raises ends the search."""


class Forfeit(Exception):  # noqa: N818  it is no mistake of ours
    """What an agent raises that has lost by something else than its moves, with the reason."""


class Agent(Protocol):
    """A player. It sees the position and nothing else: no clocks, displays or files."""

    def select_action(self, state: Any, limits: Any = None) -> int:
        """Choose a legal action; `limits` bound the thinking of agents that think ahead."""


@runtime_checkable
class Thinker(Agent, Protocol):
    """An agent that looks ahead, and can tell what it found."""

    def points(self, state: Any) -> float | None:
        """What a step or a disc is worth in its scores; None where they go from -1 to 1."""

    def search(
        self,
        state: Any,
        limits: SearchLimits | None = None,
        on_progress: Progress | None = None,
    ) -> SearchResult:
        """Look ahead and tell what was found; a search that takes a moment tells its progress."""


@runtime_checkable
class Ranker(Thinker, Protocol):
    """A thinker that can tell at a glance which moves are worth a search."""

    def ranking(self, state: Any) -> list[tuple[int, float]]:
        """All moves with their scores for the side to move, best first; [] if it cannot tell."""


def legal_actions(state: State) -> list[int]:
    """The actions an agent may choose from; an error in a finished game."""
    actions = state.legal_actions()
    if not actions:
        raise IllegalMoveError(f"no move to choose in {state.text()!r}: the game is over")
    return actions
