"""Measure how newcomers fare against the level `beginner`.

No agent plays like a person who learned the rules ten minutes ago. These come near: each follows
one simple idea, sees one or two moves ahead, and overlooks some of its moves. They play in pairs of
games from the same opening, with colours swapped.

Example: python benchmarks/beginner.py --games 100
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator

from plyground.agents import Agent, make
from plyground.arena import play_game
from plyground.games import quoridor, registry, reversi
from plyground.games.base import Action, AnyGame, State
from plyground.search import SearchLimits

Value = Callable[[State, State], float]
"""The value of the position after a move, given the one before it."""
CORNERS = (0, 7, 56, 63)


class Newcomer(Agent):
    """Plays the best move by its idea among those that it does not overlook."""

    def __init__(self, name: str, value: Value, overlooks: float, seed: int) -> None:
        self.name = f"{name}, overlooks {overlooks:.0%}"
        self._value = value
        self._overlooks = overlooks
        self._rng = random.Random(seed)

    def select_action(self, state: State, limits: SearchLimits | None = None) -> int:  # noqa: ARG002
        """Choose a move; a win in one is never overlooked."""
        moves = {action: state.play(action) for action in state.legal_actions()}
        for action, after in moves.items():
            if after.winner == state.current_player:
                return Action.of(state, action)
        noticed = [a for a in moves if self._rng.random() >= self._overlooks] or list(moves)
        best = max(noticed, key=lambda a: (self._value(state, moves[a]), self._rng.random()))
        return Action.of(state, best)


def searched(spec: str, game: str) -> Value:
    """The score of a search after the move."""
    agent = make(spec, game)

    def value(before: State, after: State) -> float:
        if after.outcome is not None:
            return 100.0 * after.reward(before.current_player)
        score = agent.search(after).score
        return 0.0 if score is None else score.pov(before.current_player).value

    return value


def steps_left(before: State, after: State) -> float:
    """Run, and never place a wall that does not help to."""
    return -quoridor.expect_state(after).shortest_path_length(before.current_player)


def lead(before: State, after: State) -> float:
    """Run or place a wall, whichever gains more steps."""
    player = before.current_player
    opponent = before.get_opponent(player)
    return quoridor.expect_state(after).shortest_path_length(opponent) + steps_left(before, after)


def discs(before: State, after: State) -> float:
    """Turn over as many discs as possible."""
    return reversi.expect_state(after).counts[before.current_player]


def corners_and_discs(before: State, after: State) -> float:
    """Take a corner if possible, or else many discs."""
    board = reversi.expect_state(after)
    own = board.black if before.current_player == 1 else board.white
    return 100 * sum(own >> corner & 1 for corner in CORNERS) + discs(before, after)


def newcomers(game: str) -> Iterator[Newcomer]:
    """The simulated newcomers to a game."""
    ideas: dict[str, dict[str, Value]] = {
        "quoridor": {
            "runs": steps_left,
            "gains most": lead,
            "minimax:depth=1": searched("minimax:depth=1", game),
        },
        "reversi": {
            "most discs": discs,
            "corners, most discs": corners_and_discs,
            "minimax:depth=1": searched("minimax:depth=1", game),
        },
    }
    for name, value in ideas[game].items():
        for overlooks in (0.1, 0.3):
            yield Newcomer(name, value, overlooks, seed=1)


def play_match(game: AnyGame, newcomer: Agent, games: int) -> tuple[int, int, int]:
    """Wins, draws and losses of a newcomer against `beginner`."""
    beginner = make("beginner:seed=1", game)
    openings = game.openings(game.start({}), games // 2, random.Random(1))
    points = []
    for opening in openings:
        for seat in (1, 2):
            record = play_game(opening, {seat: newcomer, 3 - seat: beginner})
            points.append(record.points(seat))
    return points.count(1.0), points.count(0.5), points.count(0.0)


def main() -> None:
    """Play the matches and print their results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100, help="games per newcomer (default: 100)")
    args = parser.parse_args()
    for game in registry.games().values():
        for newcomer in newcomers(game.name):
            won, drawn, lost = play_match(game, newcomer, args.games)
            share = (won + drawn / 2) / (won + drawn + lost)
            print(f"{game.name}: {newcomer.name}: +{won} ={drawn} -{lost}, {share:.1%}", flush=True)


if __name__ == "__main__":
    main()
