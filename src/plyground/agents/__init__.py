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
    from plyground.agents.quoridor_dijkstra import DijkstraAgent

__all__ = [
    "Agent",
    "DijkstraAgent",
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


if not TYPE_CHECKING:  # type checkers use the imports above
    _LAZY = {"DijkstraAgent": "quoridor_dijkstra", "RemoteAgent": "course_remote"}

    def __getattr__(name: str) -> type[Agent]:
        """Import agents on first use whose libraries load slowly: connections, SQLite."""
        if name in _LAZY:
            from importlib import import_module

            return getattr(import_module(f"plyground.agents.{_LAZY[name]}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
