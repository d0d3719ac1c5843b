"""Any game with a board of squares, as the players of an environment see it.

The board is not turned: each player is shown its own pieces first, and actions have the same
numbers for both.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, TypeGuard, cast

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from plyground.envs import grid_picture
from plyground.envs.common import Features, S
from plyground.envs.picture import Picture
from plyground.errors import ConfigError
from plyground.games.base import Game
from plyground.games.board import GridBoard


class PlainView(Generic[S]):
    """A game in plain Python whose `Game.board` is a `GridBoard`.

    The features are `spatial` [2, rows, columns], my pieces and the opponent's, and `scalars` [1],
    the player (0 or 1). A draw is worth 0.
    """

    draw_reward = 0.0

    def __init__(self, game: Game[S], settings: Mapping[str, str] | None = None) -> None:
        self.game = game
        self._settings = dict(settings or {})
        start = self.start()
        self.actions = game.action_count(start)
        self._rules = game.settings(start)
        board = self._board(start)
        self._shape = (board.rows, board.columns)

    def start(self) -> S:
        """The start position."""
        return self.game.start(self._settings)

    def parse(self, text: str) -> S:
        """The position that a text describes."""
        return self.game.start(self._settings, text)

    def is_position(self, position: object) -> TypeGuard[S]:
        """Whether this is a state of the game, under these settings."""
        if not isinstance(position, self.game.state_type):
            return False
        state = cast(S, position)
        return self.game.settings(state) == self._rules

    def spaces(self) -> dict[str, spaces.Box]:
        """The spaces of the features, by name."""
        return {
            "spatial": spaces.Box(0, 1, (2, *self._shape), np.float32),
            "scalars": spaces.Box(0, 1, (1,), np.float32),
        }

    def features(self, state: S, player: int) -> Features:
        """My pieces and the opponent's, and the player (0 or 1)."""
        spatial = np.zeros((2, *self._shape), np.float32)
        for (row, column), owner in self._board(state).pieces.items():
            spatial[int(owner != player), row, column] = 1
        return {"spatial": spatial, "scalars": np.array([player - 1], np.float32)}

    def mask(self, state: S) -> NDArray[np.bool_]:
        """The legal actions."""
        mask = np.zeros(self.actions, np.bool_)
        mask[state.legal_actions()] = True
        return mask

    def to_board(self, state: S, action: int) -> int:  # noqa: ARG002
        """The number itself."""
        return action

    def with_other_player(self, state: S) -> S:  # noqa: ARG002
        """Not possible: the text of a position may imply whose turn it is."""
        raise ConfigError(f"{self.game.name} has no environment in which both players act at once")

    def draw(self, state: S) -> Picture:
        """The board as a picture."""
        to_move = None if state.game_over else state.current_player
        return grid_picture.draw(self._board(state), to_move)

    def _board(self, state: S) -> GridBoard:
        board = self.game.board(state)
        if not isinstance(board, GridBoard):
            raise ConfigError(f"{self.game.name} needs an `env_view` of its own for this board")
        return board
