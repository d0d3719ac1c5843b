"""An agent in Python, to copy and improve: docs/python-agents.md.

plyground match my_agent:Runner pathfinder --games 20
plyground match my_agent:Runner:caution=0.5 random --games 20
plyground play --p2 my_agent:Runner
"""

import random

from plyground.agents import Agent


class Runner(Agent):
    """Runs along its shortest path, and sometimes plays any legal move instead."""

    def __init__(self, caution=0.0, seed=1):
        """With `caution` 0.2, one move in five is random."""
        self.caution = caution
        self.rng = random.Random(seed)

    def select_action(self, state, limits=None):
        """Return a legal action: state.play(action), state.outcome, state.format_move(action)..."""
        actions = state.legal_actions()
        if self.rng.random() < self.caution:
            return self.rng.choice(actions)
        player = state.current_player
        return max(actions, key=lambda action: self.value(state.play(action), player))

    def value(self, state, player):
        """The game's own evaluation of a position, for one player."""
        if state.outcome is not None:
            return 1e9 if state.outcome.winner == player else -1e9
        return state.game.evaluate(state).pov(player).value
