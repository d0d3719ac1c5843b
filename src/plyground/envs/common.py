"""What all environments share: settings, what a player sees, how actions are read.

A player sees the board as `encode_state` shows it to the player to move: for player 2 its rows are
turned, so that everybody runs towards the last row. Actions and masks are numbered in the same
view; `board_action` turns a number back.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from plyground.errors import ConfigError, IllegalMoveError
from plyground.games.base import Outcome
from plyground.games.quoridor import State, action_space_size, flip_action
from plyground.games.quoridor_config import GameConfig

Illegal = Literal["lose", "raise", "random"]
"""What an illegal action does: loses the game, raises, or has a random legal move played."""

RENDER_MODES = ["human", "ansi", "rgb_array"]
SCALARS = 5


def game_config(preset: str | None, config: GameConfig | None) -> GameConfig:
    """The settings that an environment's arguments ask for, by default the standard game's."""
    if config is None:
        return GameConfig.preset("standard" if preset is None else preset)
    if preset is not None:
        raise ConfigError(f"expected a preset or a config, got both {preset!r} and {config}")
    if not isinstance(config, GameConfig):
        raise ConfigError(f"expected a GameConfig, got {config!r}")
    return config


def one_of(name: str, value: Any, choices: Any) -> Any:
    """The value, if it is one of the choices (a Literal, or any values)."""
    known = get_args(choices) or tuple(choices)
    if value not in known:
        listed = ", ".join(map(repr, known))
        raise ConfigError(f"expected {name} to be one of {listed}, got {value!r}")
    return value


def action_space(config: GameConfig) -> spaces.Discrete:
    """All actions of the board, legal or not."""
    return spaces.Discrete(action_space_size(config.board_size))


def view_spaces(config: GameConfig) -> dict[str, spaces.Space[Any]]:
    """The spaces of `view`, by name."""
    n = config.board_size
    shape = (4 * config.history_length, n, n)
    return {
        "spatial": spaces.Box(0, 1, shape, np.float32),
        "scalars": spaces.Box(0, 1, (SCALARS,), np.float32),
    }


def mask_space(config: GameConfig) -> spaces.Box:
    """The space of masks."""
    return spaces.Box(0, 1, (action_space_size(config.board_size),), np.int8)


def view(state: State, player: int) -> dict[str, NDArray[np.float32]]:
    """What a player sees, whoever is to move: planes and scalars as in `encode_state`."""
    spatial, scalars = state.encode()
    if player != state.current_player:
        spatial, scalars = turned(spatial, scalars)
    return {"spatial": spatial, "scalars": scalars}


def turned(
    spatial: NDArray[np.float32], scalars: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """What one player sees as the other sees it."""
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


class Match:
    """One game in progress, as environments play it: actions are seen by the player to move."""

    def __init__(
        self,
        config: GameConfig,
        position: str | State | None = None,
        illegal: Illegal = "lose",
        rng: np.random.Generator | None = None,
    ) -> None:
        self.state = State(config) if position is None else _start(config, position)
        self.outcome: Outcome | None = None
        self._illegal = illegal
        self._rng = rng or np.random.default_rng()

    def play(self, action: Any) -> None:
        """Play an action, or do what `illegal` says; a number of no action is always an error."""
        number = board_action(self.state, action)
        if self._illegal == "random" and not self.state.is_legal(number):
            number = int(self._rng.choice(self.state.legal_actions()))
        if self._illegal == "lose" and not self.state.is_legal(number):
            self.outcome = Outcome(3 - self.state.current_player, "illegal move")
            return
        self.state = self.state.play(number)
        self.outcome = self.state.outcome

    def reward(self, player: int) -> float:
        """What the game is worth to a player so far: nothing until it ends."""
        if self.outcome is None:
            return 0.0
        if self.outcome.winner is None:
            return self.state.config.draw_penalty
        return 1.0 if self.outcome.winner == player else -1.0

    def mask(self, player: int) -> NDArray[np.int8]:
        """The legal actions as a player sees them, 1 or 0; none unless it is that player's turn."""
        if self.outcome is not None or player != self.state.current_player:
            return np.zeros(action_space_size(self.state.board_size), np.int8)
        return self.state.action_mask(flipped=True).astype(np.int8)

    def ending(self) -> dict[str, Any]:
        """How the game ended, for an info: `winner`, 0 for a draw, and `reason`."""
        if self.outcome is None:
            return {}
        return {"winner": self.outcome.winner or 0, "reason": self.outcome.reason}


def _start(config: GameConfig, position: Any) -> State:
    state = State.parse(position, config) if isinstance(position, str) else position
    if not isinstance(state, State) or state.config != config:
        raise ConfigError(f"expected a position of this environment's game, got {position!r}")
    if state.game_over:
        raise ConfigError(f"cannot start a game at {state.text()!r}: the game is over")
    return state


def board_action(state: State, action: Any) -> int:
    """The action's number on the board, from the number that the player to move gave."""
    count = action_space_size(state.board_size)
    try:
        number = int(np.asarray(action).astype(np.int64, casting="safe").item())
    except (TypeError, ValueError):
        raise IllegalMoveError(f"expected an action number, got {action!r}") from None
    if not 0 <= number < count:
        raise IllegalMoveError(f"expected an action from 0 to {count - 1}, got {number}")
    return number if state.current_player == 1 else flip_action(number, state.board_size)
