"""The network's own policy for a position, before any search."""

from __future__ import annotations

import numpy as np

from plyground.agents.zero import ZeroAgent
from plyground.errors import ConfigError
from plyground.games.base import State
from plyground.search.limits import SearchLimits


def network_policy(agent: ZeroAgent, state: State) -> dict[int, float]:
    """The network's probability of each legal move; they add up to 1."""
    if state.outcome is not None:
        raise ConfigError("the game is over: the network has no move to suggest")
    if not state.game.trusts_network(state):
        raise ConfigError(f"no network for this board of {state.game.name} comes with the package")
    agent.new_game()  # a tree from an earlier search would know more than the network does
    agent.search(state, SearchLimits(simulations=1))
    moves = agent.tree_search.moves()
    logits = np.array([move["logit"] for move in moves])
    shares = np.exp(logits - logits.max())
    shares /= shares.sum()
    return {int(move["action"]): float(share) for move, share in zip(moves, shares, strict=True)}
