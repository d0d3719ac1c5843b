"""What the network alone would play in a position, before any search."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import numpy as np

from plyground.agents.zero import ZeroAgent
from plyground.errors import ConfigError
from plyground.games import quoridor
from plyground.search.limits import SearchLimits

BOARDS = range(5, 10)
"""Where Quoridor's networks in the package are worth asking."""


def has_network(state: Any) -> bool:
    """Whether the package has a network for this game and board."""
    if isinstance(state, quoridor.State):
        return state.board_size in BOARDS
    return (files("plyground") / "data" / "reversi.onnx").is_file()


def network_policy(agent: ZeroAgent, state: Any) -> dict[int, float]:
    """The share that the network gives to each legal move; they add up to 1."""
    if state.outcome is not None:
        raise ConfigError("the game is over: the network has nothing to say")
    if not has_network(state):
        raise ConfigError("there is no network for this game; Quoridor's know 5 x 5 to 9 x 9")
    agent.new_game()  # a tree kept from elsewhere would know more than the network does
    agent.search(state, SearchLimits(simulations=1))
    moves = agent.tree_search.moves()
    logits = np.array([move["logit"] for move in moves])
    shares = np.exp(logits - logits.max())
    shares /= shares.sum()
    return {int(move["action"]): float(share) for move, share in zip(moves, shares, strict=True)}
