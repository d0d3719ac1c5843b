"""The agent of the textbooks: alpha-beta to a fixed depth, with a game's plain evaluation."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from plyground.agents.base import Progress, legal_actions
from plyground.config import read_yaml
from plyground.errors import ConfigError, IllegalMoveError
from plyground.games import reversi
from plyground.games.quoridor_config import GameConfig
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult
from plyground.search.reversi_evaluator import ReversiEvaluator
from plyground.search.textbook import (
    State,
    TextbookWeights,
    alphabeta,
    check_settings,
    default_weights,
)
from plyground.search.weights import TUNED, read_textbook_weights, tuned_textbook_weights

_SETTINGS = ("depth", "max_wall_moves", "path_weight", "progress_weight", "wall_weight")


class MinimaxAgent:
    """Plays any game by a plain alpha-beta search, the same move in the same position every time.

    `player_number` is the player it plays for, None for whoever is to move. In Quoridor it tries
    the pawn moves and the `max_wall_moves` legal walls nearest to the opponent's pawn, or all of
    them if that is None, and evaluates by the three weights; in Reversi it tries everything and
    asks the `evaluator`. What the search does is in `plyground.search.textbook`.

    `weights` stands in place of the three: weights, a file of them, or "tuned" for those that
    matches chose for each size of board (docs/tuning.md).

    >>> MinimaxAgent(1, depth=3).search(reversi.State()).best_move
    19
    """

    def __init__(
        self,
        player_number: int | None = None,
        depth: int = 2,
        max_wall_moves: int | None = 8,
        path_weight: float = 12.0,
        progress_weight: float = 1.5,
        wall_weight: float = 2.0,
        evaluator: ReversiEvaluator | None = None,
        weights: TextbookWeights | str | Path | None = None,
    ) -> None:
        if player_number not in (None, 1, 2):
            raise ConfigError(f"expected player_number to be 1, 2 or None, got {player_number!r}")
        check_settings(depth, max_wall_moves)
        self.player_number = player_number
        self.depth = depth
        self.max_wall_moves = max_wall_moves
        self.weights = TextbookWeights(path_weight, progress_weight, wall_weight)
        if weights is not None and self.weights != TextbookWeights():
            raise ConfigError("expected weights or single ones such as path_weight, got both")
        self.is_tuned = weights == TUNED
        if isinstance(weights, TextbookWeights):
            self.weights = weights
        elif weights is not None and not self.is_tuned:
            self.weights = read_textbook_weights(weights)
        self.evaluator = evaluator or ReversiEvaluator()

    @classmethod
    def from_yaml(cls, path: str | Path, player_number: int | None = None) -> MinimaxAgent:
        """Read an agent from a YAML file: any of the constructor's arguments by name.

        `preset: NAME` begins with the weights for that preset's board, which the others override.
        """
        settings = read_yaml(path, ("preset", *_SETTINGS))
        try:
            board = GameConfig.preset(settings.pop("preset", "standard")).board_size
            weights = default_weights(board)
            return cls(player_number, **(asdict(weights) | settings))
        except ConfigError as error:
            raise ConfigError(f"{error} in {path}") from error

    def select_action(self, state: State, limits: SearchLimits | None = None) -> int:
        """Choose a move; of the limits only a depth counts, and replaces the agent's own."""
        return self.search(state, limits).best_move

    def points(self, state: State) -> float | None:
        """Scores are in what a step weighs, or in Reversi's own points."""
        if isinstance(state, reversi.State):
            return 1.0
        return self.weights_for(state.board_size).path_weight or 1.0

    def weights_for(self, board_size: int) -> TextbookWeights:
        """What it evaluates positions of Quoridor by."""
        return tuned_textbook_weights(board_size) if self.is_tuned else self.weights

    def search(
        self,
        state: State,
        limits: SearchLimits | None = None,
        on_progress: Progress | None = None,  # noqa: ARG002  it has but one depth to tell of
    ) -> SearchResult:
        """Search to the agent's depth or the limits', for the player to move."""
        legal_actions(state)
        depth = (limits and limits.depth) or self.depth
        if self.player_number not in (None, state.current_player):
            raise IllegalMoveError(
                f"player {self.player_number} cannot choose a move in {state.text()!r}: "
                f"it is player {state.current_player}'s turn"
            )
        if isinstance(state, reversi.State):
            return alphabeta(state, depth, self.evaluator)
        weights = self.weights_for(state.board_size)
        return alphabeta(state, depth, weights, max_wall_moves=self.max_wall_moves)
