"""Measure how often the network's search agrees with the solver on a small board of Quoridor.

Half of the positions come from random games, half from games of the agent itself with 24
simulations per move and some random moves. The solved game has no draws, so the counters of the
draw rules start anew in each position: otherwise many are drawn before the solver's win. For each
half it counts the positions in which the value of the search has the sign of the solved value, and
in which its move keeps that value. Then the agent plays the start, as the player who wins it,
against perfect play.

Example: python benchmarks/solved_positions.py --board 5 --walls 5 --positions 2000
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator

from plyground.agents import Agent, SolvedAgent, ZeroAgent
from plyground.arena import play_game
from plyground.quoridor import GameConfig, State
from plyground.search.limits import SearchLimits
from plyground.search.quoridor_solver import Solution, solve

RANDOM_SHARE = 0.15
"""Share of random moves in the agent's own games."""
QUICK = SearchLimits(simulations=24)


def positions(start: State, agent: Agent | None, count: int, rng: random.Random) -> list[State]:
    """Positions of games; without an agent, of random ones."""
    found: list[State] = []
    while len(found) < count:
        game = list(play(start, agent, rng))
        found += map(without_counters, rng.sample(game, min(3, len(game))))
    return found[:count]


def without_counters(state: State) -> State:
    """The position with the counters of the draw rules at 0."""
    *position, _, _ = state.text().split()
    return State.parse(" ".join([*position, "0", "0"]), state.config)


def play(start: State, agent: Agent | None, rng: random.Random) -> Iterator[State]:
    """The positions of one game, which begins with up to two random moves."""
    state, plies = start, 0
    random_plies = rng.randrange(3)
    while not state.game_over:
        if plies >= random_plies:
            yield state
        at_random = agent is None or plies < random_plies or rng.random() < RANDOM_SHARE
        if agent is None or at_random:
            action = rng.choice(state.legal_actions())
        else:
            action = agent.select_action(state, QUICK)
        state, plies = state.play(action), plies + 1


def sign(value: float) -> int:
    """-1, 0 or 1."""
    return (value > 0) - (value < 0)


def value_after(solution: Solution, state: State, action: int) -> int:
    """The result for the player to move if the game goes on with this action and perfect play."""
    after = state.play(action)
    if after.game_over:
        return sign(after.reward(state.current_player))
    return -sign(solution.value(after))


def count_agreement(agent: ZeroAgent, solution: Solution, found: list[State]) -> tuple[int, int]:
    """In how many positions its value has the right sign, and its move keeps the value."""
    values = moves = 0
    for state in found:
        agent.new_game()
        result = agent.search(state)
        assert result.score is not None
        assert result.best_move is not None
        truth = sign(solution.value(state))
        values += sign(result.score.pov(state.current_player).value) == truth
        moves += value_after(solution, state, result.best_move) == truth
    return values, moves


def main() -> None:
    """Count, and print a line for each half and for the won starts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--board", type=int, default=5, help="board size (default: 5)")
    parser.add_argument("--walls", type=int, default=5, help="walls per player (default: 5)")
    parser.add_argument("--positions", type=int, default=2000, help="in all (default: 2000)")
    parser.add_argument("--sims", type=int, default=800, help="simulations (default: 800)")
    parser.add_argument("--network", help="ONNX file (default: the network of the package)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    start = State(GameConfig(board_size=args.board, walls_per_player=args.walls))
    solution = solve(args.board, args.walls)
    agent = ZeroAgent(sims=args.sims, network=args.network)
    rng = random.Random(args.seed)
    half = args.positions // 2
    for name, player in (("random games", None), ("its own games", agent)):
        found = positions(start, player, half, rng)
        values, moves = count_agreement(agent, solution, found)
        print(
            f"{name}: right sign {values} of {half} ({values / half:.1%}), "
            f"value kept {moves} of {half} ({moves / half:.1%})",
            flush=True,
        )
    if (winner := solution.winner) is not None:
        players = {winner: agent, 3 - winner: SolvedAgent(solution)}
        result = play_game(start, players).result
        print(f"start, won by player {winner}: {result} with the network as player {winner}")


if __name__ == "__main__":
    main()
