"""Quoridor as the players of an environment see it.

They see the board as `encode_state` shows it to the player to move: for player 2 its rows are
flipped, so that both run towards the last row. Actions and masks are flipped with it.
"""

from __future__ import annotations

from typing import TypeGuard

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from plyground.checks import check_range
from plyground.envs import quoridor_picture
from plyground.envs.common import Features
from plyground.envs.picture import Picture
from plyground.errors import ConfigError
from plyground.games.quoridor import HISTORY_LENGTH, State, action_space_size, flip_action
from plyground.games.quoridor_config import GameConfig
from plyground.games.quoridor_game import QUORIDOR

SCALARS = 5
MOST_HISTORY = 16
"""Positions that a state remembers, the present one included."""


def game_config(preset: str | None = None, config: GameConfig | None = None) -> GameConfig:
    """The config that an environment's arguments describe, by default the standard one."""
    if config is None:
        return GameConfig.preset("standard" if preset is None else preset)
    if preset is not None:
        raise ConfigError(f"expected a preset or a config, got both {preset!r} and {config}")
    if not isinstance(config, GameConfig):
        raise ConfigError(f"expected a GameConfig, got {config!r}")
    return config


class QuoridorView:
    """Quoridor under one config; `history_length` positions are shown."""

    game = QUORIDOR

    def __init__(self, config: GameConfig, history_length: int = HISTORY_LENGTH) -> None:
        check_range("history_length", history_length, 1, MOST_HISTORY)
        self.config = config
        self.history_length = history_length
        self.actions = action_space_size(config.board_size)
        self.draw_reward = config.draw_penalty

    def start(self) -> State:
        """The start position."""
        return State(self.config)

    def parse(self, text: str) -> State:
        """The position that a text describes."""
        return State.parse(text, self.config)

    def is_position(self, position: object) -> TypeGuard[State]:
        """Whether this is a state of the game, under this config."""
        return isinstance(position, State) and bool(position.config == self.config)

    def spaces(self) -> dict[str, spaces.Box]:
        """The spaces of the features, by name."""
        n = self.config.board_size
        shape = (4 * self.history_length, n, n)
        return {
            "spatial": spaces.Box(0, 1, shape, np.float32),
            "scalars": spaces.Box(0, 1, (SCALARS,), np.float32),
        }

    def features(self, state: State, player: int) -> Features:
        """The planes and scalars of `encode_state`, from a player's side."""
        spatial, scalars = state.encode(self.history_length)
        if player != state.current_player:
            spatial, scalars = turned(spatial, scalars)
        return {"spatial": spatial, "scalars": scalars}

    def mask(self, state: State) -> NDArray[np.bool_]:
        """The legal actions as the player to move sees them."""
        return state.action_mask(flipped=True)

    def to_board(self, state: State, action: int) -> int:
        """The game's number of an action that the player to move has chosen in its view."""
        return action if state.current_player == 1 else flip_action(action, state.board_size)

    def with_other_player(self, state: State) -> State:
        """The same position with the other player to move, without the moves that led to it."""
        fields = state.text().split()
        fields[4] = str(3 - state.current_player)
        return self.parse(" ".join(fields))

    def draw(self, state: State) -> Picture:
        """The board as a picture."""
        return quoridor_picture.draw(state)


def turned(
    spatial: NDArray[np.float32], scalars: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The planes and scalars of one player as the other player sees them."""
    n = spatial.shape[-1]
    frames = spatial.reshape(-1, 4, n, n)
    flipped = np.zeros_like(frames)
    flipped[:, 0] = frames[:, 1, ::-1]
    flipped[:, 1] = frames[:, 0, ::-1]
    # A horizontal wall lies on the north edge of the cells that show it: row r becomes n-2-r.
    flipped[:, 2, : n - 1] = frames[:, 2, : n - 1][:, ::-1]
    flipped[:, 3] = frames[:, 3, ::-1]
    mine, theirs, player, moves, since_wall = scalars
    return (
        flipped.reshape(spatial.shape),
        np.array([theirs, mine, 1 - player, moves, since_wall], np.float32),
    )
