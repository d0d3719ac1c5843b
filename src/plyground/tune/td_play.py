"""Games that a linear evaluation of Quoridor plays against itself.

One ply deep it weighs any features after every legal move. Deeper, the textbook's search chooses,
as `MinimaxAgent` does, and the features can only be those that its evaluation has, and tempo, which
is the same at all leaves of such a search.
"""

from __future__ import annotations

import random
from collections.abc import Sequence as ListLike
from dataclasses import dataclass
from functools import reduce

import numpy as np

from plyground.arena.openings import random_opening
from plyground.errors import ConfigError
from plyground.games.quoridor import State
from plyground.games.quoridor_config import GameConfig
from plyground.search.engine import features
from plyground.search.textbook import TextbookWeights, alphabeta
from plyground.tune.td_lambda import Sequence

MINIMAX = {"path": "path_weight", "progress": "progress_weight", "walls": "wall_weight"}
"""Features that the textbook's evaluation has, and what it calls their weights."""
MOST_TRIES = 1000
"""Openings tried before a game, where many end at once."""
_NO_WEIGHTS = dict.fromkeys(MINIMAX.values(), 0.0)
_WON = float("inf")


def outcome_of(state: State) -> float:
    """How a game ended for player 1, from -1 to 1; a drawn one by who was nearer to the goal.

    Were it 0, drawn games would pull all weights to 0 together, and players who value nothing draw
    every game: on 9x9 one run out of three was caught so. Learning nothing from them, another one
    went on to draw for ever with the weights that it had.
    """
    if state.winner is not None:
        return 1.0 if state.winner == 1 else -1.0
    lead = state.shortest_path_length(2) - state.shortest_path_length(1)
    return float((lead > 0) - (lead < 0))


@dataclass(frozen=True)
class SelfPlay:
    """How games are played."""

    config: GameConfig
    names: tuple[str, ...]
    """The features, as `plyground.search.features` calls them."""
    exploration: float
    """How likely a move is any legal one instead of the best."""
    opening_plies: tuple[int, int]
    """Plies at random before the game begins, from and to; they are not learned from."""
    depth: int = 1
    """Plies that the players look ahead."""
    max_wall_moves: int | None = 8
    """Walls that they try in each position, deeper than one ply."""

    def play(self, weights: ListLike[float], rng: random.Random) -> tuple[Sequence, bool]:
        """A game, with the features of all its positions from player 1's side; and if it was drawn.

        The player to move takes the move after which the weighted sum is best, of several such any;
        or what the search prefers.
        """
        state = self._begin(rng)
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
        return Sequence(np.array(rows), outcome_of(state), np.array(is_cut)), state.winner is None

    def _begin(self, rng: random.Random) -> State:
        for _ in range(MOST_TRIES):
            line = random_opening(self.config, rng.randint(*self.opening_plies), rng)
            state = reduce(State.play, line, State(self.config))
            if not state.game_over:
                return state
        least, most = self.opening_plies
        raise ConfigError(f"expected games that go on after {least} to {most} plies, found none")

    def _features(self, state: State) -> list[int]:
        """For the player to move."""
        found = features(state)
        return [found[name] for name in self.names]

    def _searched(self, state: State, weights: ListLike[float]) -> tuple[State, list[int]]:
        """The position after the move that a search prefers, and its features."""
        # In steps of 12, as the textbook counts; a draw's value does not matter then.
        scaled = {MINIMAX[n]: w for n, w in zip(self.names, weights, strict=True) if n in MINIMAX}
        scale = 12 / max(abs(w) for w in scaled.values()) if any(scaled.values()) else 0.0
        limits = {name: scale * weight for name, weight in scaled.items()}
        found = alphabeta(
            state,
            self.depth,
            TextbookWeights(**(_NO_WEIGHTS | limits)),
            max_wall_moves=self.max_wall_moves,
        )
        after = state.play(found.best_move)
        return after, [] if after.game_over else self._features(after)

    def _best(
        self, state: State, weights: ListLike[float], rng: random.Random
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
                seen = self._features(after)  # for the other player, so less of it is better
                value = -sum(w * x for w, x in zip(weights, seen, strict=True))
            if value < best:
                continue
            ties = 1 if value > best else ties + 1
            best = value
            if chosen is None or ties == 1 or rng.random() * ties < 1:
                chosen = after, seen
        assert chosen is not None
        return chosen
