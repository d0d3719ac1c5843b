#!/usr/bin/env python3
"""An agent for the Quoridor course's framework, to copy and improve: docs/course.md.

python course_agent.py -p 8000               plays random moves
python course_agent.py -p 8001 --depth 3     searches three plies
"""

import argparse
import random
from xmlrpc.server import SimpleXMLRPCServer

from plyground.protocol.course import action_message, state_of
from plyground.search import alphabeta


class RandomAgent:
    """Plays any legal move."""

    def initialize(self, percepts, players, time_left):
        """Begin a game. players[0] is your number, 0 or 1; time_left is None without a clock."""

    def play(self, percepts, player, step, time_left):
        """Return ["P", row, column], ["WH", row, column] or ["WV", row, column]."""
        state = state_of(percepts, player, step)
        return action_message(state, self.choose(state, time_left))

    def choose(self, state, time_left):
        """Choose an action here: state.legal_actions(), state.play(action), state.outcome, ..."""
        return random.choice(state.legal_actions())


class AlphaBetaAgent(RandomAgent):
    """Plays by the textbook's search with the package's evaluation; try your own."""

    def __init__(self, depth):
        self.depth = depth

    def choose(self, state, time_left):
        """Search to the full depth, or one ply when time is short."""
        hurried = time_left is not None and time_left < 5
        return alphabeta(state, depth=1 if hurried else self.depth).best_move


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-b", "--bind", default="127.0.0.1", metavar="ADDRESS")
    parser.add_argument("-p", "--port", default=8000, type=int)
    parser.add_argument("--depth", default=0, type=int, help="plies to look ahead (0: random)")
    args = parser.parse_args()
    with SimpleXMLRPCServer((args.bind, args.port), allow_none=True, logRequests=False) as server:
        server.register_instance(AlphaBetaAgent(args.depth) if args.depth else RandomAgent())
        print(f"Listening on {args.bind}:{server.server_address[1]}", flush=True)
        server.serve_forever()
