"""Players: subclasses of `Agent`. `make("random:seed=3")` builds one by name."""

from plyground.agents.base import Agent
from plyground.agents.engine import EngineAgent
from plyground.agents.level import LevelAgent
from plyground.agents.minimax import MinimaxAgent
from plyground.agents.pathfinder import PathfinderAgent
from plyground.agents.random import RandomAgent
from plyground.agents.solved import SolvedAgent
from plyground.agents.spec import make
from plyground.agents.zero import ZeroAgent

__all__ = [
    "Agent",
    "EngineAgent",
    "LevelAgent",
    "MinimaxAgent",
    "PathfinderAgent",
    "RandomAgent",
    "SolvedAgent",
    "ZeroAgent",
    "make",
]
