"""What a position is worth without looking ahead, in the words of the engine protocol."""

from __future__ import annotations

from typing import Any

from plyground.agents.base import Thinker
from plyground.agents.zero import ZeroAgent
from plyground.errors import IllegalMoveError
from plyground.games import quoridor
from plyground.search.engine import default_weights, features
from plyground.search.limits import SearchLimits
from plyground.search.reversi_patterns import shipped_patterns


def evaluation(state: Any, agent: Thinker) -> str:
    """The network's value where there is one, else the evaluation, with Quoridor's terms.

    >>> from plyground.agents import EngineAgent
    >>> evaluation(quoridor.State(), EngineAgent(hash_mb=1)).split()[:4]
    ['steps', '0.50', 'tempo', '1']
    """
    if state.outcome is not None:
        raise IllegalMoveError(f"nothing to evaluate in {state.text()!r}: {state.outcome}")
    if isinstance(agent, ZeroAgent):
        found = agent.search(state, SearchLimits(simulations=1))
        return f"value {found.score:.3f}"
    if not isinstance(state, quoridor.State):
        return f"discs {shipped_patterns().evaluate(state):.2f}"
    terms, weights = features(state), default_weights()
    steps = sum(weights[name] * value for name, value in terms.items()) / 100
    words = [f"{name} {value}" for name, value in terms.items() if weights[name] and value]
    return " ".join([f"steps {steps:.2f}", *words])
