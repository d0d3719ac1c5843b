"""Self-play of a linear evaluation of Quoridor, for TD(lambda).

At depth 1 it weighs any features after every legal move. Deeper, it plays the move of the textbook
search, as `MinimaxAgent` does. The features are then limited to those of that evaluation and tempo,
which is the same at all leaves of such a search.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from plyground.arena.quoridor_openings import random_opening
from plyground.errors import ConfigError
from plyground.games.quoridor import State
from plyground.games.quoridor_config import GameConfig
from plyground.search.quoridor_engine import features
from plyground.search.quoridor_textbook import TextbookWeights
from plyground.search.textbook import alphabeta
from plyground.tune.td_lambda import Trajectory

MINIMAX = {"path": "path_weight", "progress": "progress_weight", "walls": "wall_weight"}
"""Features of the textbook evaluation, and the names of their weights there."""
MOST_TRIES = 1000
"""Openings tried for a game, since some end the game at once."""
_NO_WEIGHTS = dict.fromkeys(MINIMAX.values(), 0.0)
_WON = float("inf")


def outcome_of(state: State) -> float:
    """The outcome for player 1, from -1 to 1; a draw counts for the player nearer to the goal.

    With 0 for draws, drawn games pull all weights to 0, and players without weights draw every
    game: on 9x9 this happened to one run out of three. Without learning from draws, another run
    kept drawing with its current weights forever.
    """
    if state.winner is not None:
        return 1.0 if state.winner == 1 else -1.0
    lead = state.shortest_path_length(2) - state.shortest_path_length(1)
    return float((lead > 0) - (lead < 0))


@dataclass(frozen=True)
class TdSelfPlay:
    """The settings of self-play."""

    config: GameConfig
    names: tuple[str, ...]
    """The features, as `plyground.search.features` calls them."""
    exploration: float
    """Probability of a random legal move instead of the best one."""
    opening_plies: tuple[int, int]
    """Smallest and largest number of random plies before a game; they are not learned from."""
    depth: int = 1
    """Plies that the players search."""
    max_wall_moves: int | None = 8
    """Walls that they try in each position, at depths above 1."""

    def play(self, weights: Sequence[float], rng: random.Random) -> tuple[Trajectory, bool]:
        """Play a game: the features of its positions for player 1, and whether it was drawn.

        The player to move plays a move with the best weighted sum after it, ties broken at random,
        or the move that the search finds.
        """
        state = self._opening(rng)
        rows: list[list[float]] = []
        is_cut: list[bool] = []
        seen = self._features(state)
        while not state.game_over:
            side = 1 if state.current_player == 1 else -1
            rows.append([side * value for value in seen])
            explores = rng.random() < self.exploration
            is_cut.append(explores)
            if explores:
                state = state.play(rng.choice(state.legal_actions()))
                seen = [] if state.game_over else self._features(state)
            elif self.depth == 1:
                state, seen = self._best(state, weights, rng)
            else:
                state, seen = self._searched(state, weights)
        trajectory = Trajectory(np.array(rows), outcome_of(state), np.array(is_cut))
        return trajectory, state.winner is None

    def _opening(self, rng: random.Random) -> State:
        start = State(self.config)
        for _ in range(MOST_TRIES):
            line = random_opening(start, rng.randint(*self.opening_plies), rng)
            state = reduce(State.play, line, start)
            if not state.game_over:
                return state
        least, most = self.opening_plies
        raise ConfigError(f"expected games longer than {least} to {most} plies, found none")

    def _features(self, state: State) -> list[int]:
        """The features for the player to move."""
        found = features(state)
        return [found[name] for name in self.names]

    def _searched(self, state: State, weights: Sequence[float]) -> tuple[State, list[int]]:
        """The position after the move that a search finds, and its features."""
        # Scaled to a path weight of 12, as the textbook has it, so that draws count little.
        scaled = {MINIMAX[n]: w for n, w in zip(self.names, weights, strict=True) if n in MINIMAX}
        scale = 12 / max(abs(w) for w in scaled.values()) if any(scaled.values()) else 0.0
        given = {name: scale * weight for name, weight in scaled.items()}
        found = alphabeta(
            state,
            self.depth,
            TextbookWeights(**(_NO_WEIGHTS | given)),
            max_wall_moves=self.max_wall_moves,
        )
        after = state.play(found.best_move)
        return after, [] if after.game_over else self._features(after)

    def _best(
        self, state: State, weights: Sequence[float], rng: random.Random
    ) -> tuple[State, list[int]]:
        """The position after the best move, and its features."""
        best, ties = -_WON, 0
        chosen: tuple[State, list[int]] | None = None
        for action in state.legal_actions():
            after = state.play(action)
            if after.game_over:
                seen: list[int] = []
                value = 0.0 if after.winner is None else _WON
            else:
                seen = self._features(after)  # for the opponent, so a smaller sum is better
                value = -sum(w * x for w, x in zip(weights, seen, strict=True))
            if value < best:
                continue
            ties = 1 if value > best else ties + 1
            best = value
            if chosen is None or ties == 1 or rng.random() * ties < 1:
                chosen = after, seen
        assert chosen is not None
        return chosen
