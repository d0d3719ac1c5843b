"""Players: subclasses of `Agent`. `make("random:seed=3")` builds one by name."""

from typing import TYPE_CHECKING

from plyground.agents.base import Agent, Forfeit, ForfeitKind
from plyground.agents.engine import EngineAgent
from plyground.agents.human import HumanAgent
from plyground.agents.level import LevelAgent
from plyground.agents.minimax import MinimaxAgent
from plyground.agents.quoridor_pathfinder import PathfinderAgent
from plyground.agents.quoridor_solved import SolvedAgent
from plyground.agents.random import RandomAgent
from plyground.agents.spec import make
from plyground.agents.zero import ZeroAgent

if TYPE_CHECKING:
    from plyground.agents.course_remote import RemoteAgent

__all__ = [
    "Agent",
    "EngineAgent",
    "Forfeit",
    "ForfeitKind",
    "HumanAgent",
    "LevelAgent",
    "MinimaxAgent",
    "PathfinderAgent",
    "RandomAgent",
    "RemoteAgent",
    "SolvedAgent",
    "ZeroAgent",
    "make",
]


if not TYPE_CHECKING:  # type checkers use the import above

    def __getattr__(name: str) -> type[Agent]:
        """Import RemoteAgent on first use: the libraries of its connection load slowly."""
        if name == "RemoteAgent":
            from plyground.agents.course_remote import RemoteAgent

            return RemoteAgent
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
