"""Write an agent of your own: override one method, and any host can play it.

python own_agent.py         plays it against random moves, on both sides
"""

from plyground.agents import Agent, RandomAgent
from plyground.arena import play_game
from plyground.quoridor import GameConfig, State


class Runner(Agent):
    """Takes the pawn move that leaves the shortest path to the goal; places no walls."""

    def select_action(self, state, limits=None):
        """Choose a move: an action number, or notation."""
        me = state.current_player
        moves = [a for a in state.legal_actions() if len(state.format_move(a)) == 2]
        return min(moves, key=lambda action: state.play(action).shortest_path_length(me))


if __name__ == "__main__":
    start = State(GameConfig.preset("small"))
    points = 0.0
    for number in range(6):
        mine = number % 2 + 1
        agents = {mine: Runner(), 3 - mine: RandomAgent(seed=number)}
        points += play_game(start, agents).points(mine)
    print(f"{points:g} of 6 points against random moves")
