"""A textbook agent: alpha-beta to a fixed depth with a simple evaluation."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path

from plyground.agents.base import Agent, Progress, legal_actions
from plyground.config import read_yaml
from plyground.errors import ConfigError, IllegalMoveError
from plyground.games.base import Option, State
from plyground.games.quoridor_config import GameConfig
from plyground.games.score import ScoreScale
from plyground.search.limits import SearchLimits
from plyground.search.quoridor_textbook import TextbookWeights, default_textbook_weights
from plyground.search.quoridor_weights import TUNED, read_textbook_weights, tuned_textbook_weights
from plyground.search.result import SearchResult
from plyground.search.reversi_evaluator import ReversiEvaluator
from plyground.search.textbook import Evaluate, Poll, alphabeta, check_settings

STANDARD_BOARD = 9
"""The board whose weights the attributes show; only tuned weights depend on the board."""
DIJKSTRA = "dijkstra"
"""The value of the option `order` for the opponent with caches."""
_SETTINGS = ("depth", "max_wall_moves", "path_weight", "progress_weight", "wall_weight")


def make_minimax(order: str | None = None, **options: Option) -> MinimaxAgent:
    """The agent that the options of a string name: with `order=dijkstra`, the one with caches."""
    if order is None:
        return MinimaxAgent(**options)
    from plyground.agents.quoridor_dijkstra import DijkstraAgent

    if order != DIJKSTRA:
        raise ConfigError(f"expected order={DIJKSTRA}, got order={order}")
    if others := [name for name in options if name != "depth"]:
        raise ConfigError(f"minimax with order={DIJKSTRA} has no option {others[0]!r}, only depth")
    return DijkstraAgent(**options)


class MinimaxAgent(Agent):
    """Plays any game by a plain alpha-beta search, the same move in the same position every time.

    `player_number` is the player it plays for, None for either. In Quoridor it tries the pawn moves
    and the `max_wall_moves` legal walls nearest to the opponent's pawn (0 or None for all walls),
    and evaluates positions by the three weights. In other games it tries every move and evaluates
    positions by the `evaluator`. A function as `evaluator` works for all games. The search itself
    is in `plyground.search.textbook`.

    `weights` replaces the three weights: a TextbookWeights, a file, or "tuned" for the ones tuned
    for each board size (docs/tuning.md).

    >>> from plyground import reversi
    >>> MinimaxAgent(1, depth=3).search(reversi.State()).best_move
    19
    """

    name = "minimax"
    evaluates = True
    keeps_time_limits = False
    kept_limits = ("depth",)

    def __init__(
        self,
        player_number: int | None = None,
        depth: int = 2,
        max_wall_moves: int | None = 8,
        path_weight: float = 12.0,
        progress_weight: float = 1.5,
        wall_weight: float = 2.0,
        evaluator: ReversiEvaluator | Evaluate | None = None,
        weights: TextbookWeights | str | Path | None = None,
    ) -> None:
        if player_number not in (None, 1, 2):
            raise ConfigError(f"expected player_number to be 1, 2 or None, got {player_number!r}")
        check_settings(depth, max_wall_moves)
        self.player_number = player_number
        self.max_depth = depth
        self.limits = SearchLimits(depth=depth)
        self.max_wall_moves = max_wall_moves
        self.weights = TextbookWeights(path_weight, progress_weight, wall_weight)
        if weights is not None and self.weights != TextbookWeights():
            raise ConfigError("expected weights or single weights such as path_weight, got both")
        self.is_tuned = weights == TUNED
        if isinstance(weights, TextbookWeights):
            self.weights = weights
        elif weights is not None and not self.is_tuned:
            self.weights = read_textbook_weights(weights)
        self.evaluator = evaluator

    @classmethod
    def from_yaml(cls, path: str | Path, player_number: int | None = None) -> MinimaxAgent:
        """Read an agent from a YAML file with any of the constructor's arguments by name.

        `preset: NAME` sets the weights for that preset's board, which other keys override.
        """
        settings = read_yaml(path, ("preset", *_SETTINGS))
        try:
            board = GameConfig.preset(settings.pop("preset", "standard")).board_size
            weights = default_textbook_weights(board)
            return cls(player_number, **(asdict(weights) | settings))
        except ConfigError as error:
            raise ConfigError(f"{error} in {path}") from error

    @property
    def path_weight(self) -> float:
        """Points for each step by which its shortest path is shorter, on the standard board."""
        return self.weights_for(STANDARD_BOARD).path_weight

    @property
    def progress_weight(self) -> float:
        """Points for each row by which its pawn is further ahead, on the standard board."""
        return self.weights_for(STANDARD_BOARD).progress_weight

    @property
    def wall_weight(self) -> float:
        """Points for each wall that it has more than the opponent, on the standard board."""
        return self.weights_for(STANDARD_BOARD).wall_weight

    def weights_for(self, board_size: int) -> TextbookWeights:
        """The weights of its evaluation on a Quoridor board of this size."""
        return tuned_textbook_weights(board_size) if self.is_tuned else self.weights

    def search(
        self,
        state: State,
        limits: SearchLimits | None = None,
        on_progress: Progress | None = None,
    ) -> SearchResult:
        """Search for the player to move; all limits except the depth are ignored.

        A fixed depth has no result so far, so `on_progress` receives that of depth 1. An exception
        that it raises ends the search.
        """
        legal_actions(state)
        if self.player_number not in (None, state.current_player):
            raise IllegalMoveError(
                f"player {self.player_number} cannot choose a move in {state.text()!r}: "
                f"it is player {state.current_player}'s turn"
            )
        depth = (limits and limits.depth) or self.depth_for(state)
        if on_progress is None:
            return self._search(state, depth)
        report = on_progress
        glance: list[SearchResult] = []

        def poll() -> None:
            if not glance:
                glance.append(self._search(state, 1))
            report(glance[0])

        return self._search(state, depth, poll)

    def limits_for(
        self, given: SearchLimits | None, at_most_s: float | None = None
    ) -> SearchLimits | None:
        """The limits of one search; a host that limits the time gets at most the agent's own depth.

        No time ends a search, so a greater depth could take for ever.
        """
        limits = super().limits_for(given, at_most_s)
        if at_most_s is None or given is None or given.depth is None:
            return limits
        return replace(limits or SearchLimits(), depth=min(given.depth, self.max_depth))

    def check_kept(self, limits: SearchLimits) -> None:
        """Raise a ConfigError for a limit that the agent ignores, or a depth beyond its own."""
        super().check_kept(limits)
        if limits.depth is not None and limits.depth > self.max_depth:
            raise ConfigError(
                f"expected a depth from 1 to {self.max_depth} for the agent {self.name!r}, "
                f"got {limits.depth}"
            )

    def depth_for(self, state: State) -> int:  # noqa: ARG002
        """The depth in a position."""
        return self.max_depth

    def _search(self, state: State, depth: int, poll: Poll | None = None) -> SearchResult:
        known = state.game.textbook_options
        weights = self.weights_for(state.game.board_size(state))
        if callable(self.evaluator):
            return alphabeta(state, depth, evaluator=self.evaluator)
        return alphabeta(
            state,
            depth,
            weights if "weights" in known else None,
            evaluator=self.evaluator if "weights" not in known else None,
            max_wall_moves=(self.max_wall_moves or None) if "max_wall_moves" in known else None,
            poll=poll,
        )

    def cache_scale(self, state: State) -> ScoreScale:
        """The numbers of the search itself, in which the first weight is one step."""
        game = state.game
        if "weights" not in game.textbook_options:
            return ScoreScale(game.unit)
        weights = self.weights_for(game.board_size(state))
        return ScoreScale(game.unit, weights.path_weight or 1.0)
