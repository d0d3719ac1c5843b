"""Players: anything with `select_action(state)`. `make("random:seed=3")` builds one by name."""

from plyground.agents.base import Agent
from plyground.agents.pathfinder import PathfinderAgent
from plyground.agents.random import RandomAgent
from plyground.agents.spec import make

__all__ = ["Agent", "PathfinderAgent", "RandomAgent", "make"]
