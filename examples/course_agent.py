#!/usr/bin/env python3
"""An agent for the Quoridor course's framework, to copy and improve: docs/course.md.

python course_agent.py -p 8000               plays random moves
python course_agent.py -p 8001 --depth 1     searches one ply
"""

import random

from plyground.course import Agent, Game, NoPath, agent_main, dict_to_board, search


class MyAgent(Agent, Game):
    """Plays random moves, or searches with its own successors, cutoff and evaluation."""

    depth = 0

    def successors(self, state):
        """The actions to try, each with the position that it leads to."""
        board, player = state
        for action in board.get_actions(player):
            yield action, (board.clone().play_action(action, player), 1 - player)

    def cutoff(self, state, depth):
        """Whether to stop here: at the depth limit, or when the game is over."""
        board, _ = state
        return depth >= self.depth or board.is_finished()

    def evaluate(self, state):
        """The value of a position for this agent; larger is better."""
        board, _ = state
        try:
            return board.get_score(self.player)
        except NoPath:  # a pawn blocks the only way of the other, until it moves on
            return 0

    def play(self, percepts, player, step, time_left):
        """Return ("P", row, column), ("WH", row, column) or ("WV", row, column)."""
        board, self.player = dict_to_board(percepts), player
        if self.depth == 0 or (time_left is not None and time_left < 5):
            return random.choice(board.get_actions(player))
        return search((board, player), self)


def add_options(agent, parser):
    """Add the options of this agent."""
    parser.add_argument("--depth", default=0, type=int, help="plies to look ahead (0: random)")


def set_up(agent, parser, options):
    """Apply the options of this agent."""
    agent.depth = options.depth


if __name__ == "__main__":
    agent_main(MyAgent(), add_options, set_up)
