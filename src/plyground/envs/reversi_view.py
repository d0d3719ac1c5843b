"""Reversi as the players of an environment see it.

The board is not turned: each player is shown its own discs first, and squares have the same
numbers for both.
"""

from __future__ import annotations

from typing import TypeGuard

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from plyground.envs import grid_picture
from plyground.envs.common import Features
from plyground.envs.picture import Picture
from plyground.games.reversi import ACTION_SPACE_SIZE, State
from plyground.games.reversi_game import REVERSI

SIZE = 8
SQUARES = SIZE * SIZE


class ReversiView:
    """Reversi on 8x8."""

    game = REVERSI
    actions = ACTION_SPACE_SIZE
    draw_reward = 0.0

    def start(self) -> State:
        """The start position."""
        return State()

    def parse(self, text: str) -> State:
        """The position that a text describes."""
        return REVERSI.start({"Board": str(SIZE)}, text)

    def is_position(self, position: object) -> TypeGuard[State]:
        """Whether this is a state of the game."""
        return isinstance(position, State) and position.board_size == SIZE

    def spaces(self) -> dict[str, spaces.Box]:
        """The spaces of the features, by name."""
        return {
            "spatial": spaces.Box(0, 1, (2, SIZE, SIZE), np.float32),
            "scalars": spaces.Box(0, 1, (2,), np.float32),
        }

    def features(self, state: State, player: int) -> Features:
        """My discs and the opponent's; the player (0 or 1), and the share of squares filled."""
        black, white = _plane(state.black), _plane(state.white)
        filled = sum(state.counts.values()) / SQUARES
        return {
            "spatial": np.stack([black, white] if player == 1 else [white, black]),
            "scalars": np.array([player - 1, filled], np.float32),
        }

    def mask(self, state: State) -> NDArray[np.bool_]:
        """The legal actions."""
        mask = np.zeros(self.actions, np.bool_)
        mask[state.legal_actions()] = True
        return mask

    def to_board(self, state: State, action: int) -> int:  # noqa: ARG002
        """The number itself."""
        return action

    def with_other_player(self, state: State) -> State:
        """The same position with the other player to move."""
        squares, side = state.text().split()
        return self.parse(f"{squares} {'O' if side == 'X' else 'X'}")

    def draw(self, state: State) -> Picture:
        """The board as a picture."""
        to_move = None if state.game_over else state.current_player
        return grid_picture.draw(self.game.board(state), to_move)


def _plane(squares: int) -> NDArray[np.float32]:
    """A set of squares, given as bits, as a plane; a1 is at [0, 0]."""
    bits = np.frombuffer(squares.to_bytes(SIZE, "little"), np.uint8)
    return np.unpackbits(bits, bitorder="little").reshape(SIZE, SIZE).astype(np.float32)
