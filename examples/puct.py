"""PUCT, the tree search of AlphaZero, over the network that comes with the package.

python puct.py              searches the start position of Quoridor and a lost one
"""

import math

from plyground.games.base import State
from plyground.nets import load
from plyground.quoridor import State as QuoridorState

net = load("builtin")


class Node:
    """A position in the tree, with what was found below it for its player to move."""

    def __init__(self, state: State) -> None:
        self.state, self.visits, self.total = state, 0, 0.0
        self.priors: dict[int, float] = {}
        self.children: dict[int, Node] = {}

    def simulate(self) -> float:
        """Follow the best scores to a new position; the value for the player to move here."""
        if self.state.game_over:
            value = self.state.reward(self.state.current_player)
        elif not self.priors:
            self.priors, value = net(self.state)
        else:
            action = max(self.priors, key=self.score)
            child = self.children.setdefault(action, Node(self.state.play(action)))
            value = -child.simulate()
        self.visits += 1
        self.total += value
        return value

    def score(self, action: int) -> float:
        """The mean value of a move, and a bonus for likely moves with few visits."""
        child = self.children.get(action)
        visits, total = (child.visits, child.total) if child else (0, 0.0)
        bonus = 1.5 * self.priors[action] * math.sqrt(self.visits) / (1 + visits)
        return bonus - total / max(1, visits)


for state in (QuoridorState(), QuoridorState.parse("9 e7/c8 - 3/3 2 8 8")):
    root = Node(state)
    for _ in range(100):
        root.simulate()
    best = max(root.children, key=lambda action: root.children[action].visits)
    print(state.format_move(best), f"{root.total / root.visits:+.2f}")
