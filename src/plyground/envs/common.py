"""What all environments share: how a game is seen and played through an environment.

What differs from game to game is a `GameView`: `quoridor_view.py` and `reversi_view.py`. A player
sees the board from its own side, and actions and masks are numbered in the same view;
`GameView.to_board` turns a number back.
"""

from __future__ import annotations

from typing import Any, Literal, Protocol, get_args

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from plyground.errors import ConfigError, IllegalMoveError
from plyground.games.base import Outcome

Illegal = Literal["lose", "raise", "random"]
"""What an illegal action does: loses the game, raises, or has a random legal move played."""

RENDER_MODES = ["human", "ansi", "rgb_array"]


class GameView(Protocol):
    """A game under its settings, as the players of an environment see it."""

    @property
    def game(self) -> str:
        """The game's name in the registry."""

    @property
    def actions(self) -> int:
        """How many actions there are, legal or not."""

    @property
    def draw_reward(self) -> float:
        """What a draw is worth to both players."""

    def start(self) -> Any:
        """The start position."""

    def parse(self, text: str) -> Any:
        """The position that a text describes."""

    def is_position(self, position: Any) -> bool:
        """Whether this is a state of the game, under its settings."""

    def spaces(self) -> dict[str, spaces.Space[Any]]:
        """The spaces of what `see` gives, by name."""

    def see(self, state: Any, player: int) -> dict[str, NDArray[np.float32]]:
        """What a player sees, whoever is to move."""

    def mask(self, state: Any) -> NDArray[np.bool_]:
        """The legal actions as the player to move sees them."""

    def to_board(self, state: Any, action: int) -> int:
        """The number on the board of an action that the player to move has named."""

    def turn_given_away(self, state: Any) -> Any:
        """The same position with the other player to move, legal or not."""

    def draw(self, state: Any) -> NDArray[np.uint8]:
        """The board as a picture, [height, width, 3]."""


def one_of(name: str, value: Any, choices: Any) -> Any:
    """The value, if it is one of the choices (a Literal, or any values)."""
    known = get_args(choices) or tuple(choices)
    if value not in known:
        listed = ", ".join(map(repr, known))
        raise ConfigError(f"expected {name} to be one of {listed}, got {value!r}")
    return value


def action_space(view: GameView) -> spaces.Discrete:
    """All actions of the game, legal or not."""
    return spaces.Discrete(view.actions)


def mask_space(view: GameView) -> spaces.Box:
    """The space of masks."""
    return spaces.Box(0, 1, (view.actions,), np.int8)


def start_position(view: GameView, position: Any = None) -> Any:
    """The state that a game begins with: the usual one, or a state or its text."""
    if position is None:
        return view.start()
    state = view.parse(position) if isinstance(position, str) else position
    if not view.is_position(state):
        raise ConfigError(f"expected a position of this environment's game, got {position!r}")
    if state.game_over:
        raise ConfigError(f"cannot start a game at {state.text()!r}: the game is over")
    return state


def render(view: GameView, state: Any, mode: str | None) -> Any:
    """The board as an environment's render mode asks for it; "human" prints it."""
    if mode == "rgb_array":
        return view.draw(state)
    if mode == "human":
        print(state, flush=True)
        return None
    return str(state) if mode == "ansi" else None


class Match:
    """One game in progress, as environments play it: actions are seen by the player to move."""

    def __init__(
        self,
        view: GameView,
        position: Any = None,
        illegal: Illegal = "lose",
        rng: np.random.Generator | None = None,
    ) -> None:
        self.view = view
        self.state = start_position(view, position)
        self.outcome: Outcome | None = None
        self._illegal = illegal
        self._rng = rng or np.random.default_rng()

    def play(self, action: Any) -> None:
        """Play an action, or do what `illegal` says; a number of no action is always an error."""
        number = self.view.to_board(self.state, self._number(action))
        if self._illegal == "random" and not self.state.is_legal(number):
            number = int(self._rng.choice(self.state.legal_actions()))
        if self._illegal == "lose" and not self.state.is_legal(number):
            self.outcome = Outcome(3 - self.state.current_player, "illegal move")
            return
        self.state = self.state.play(number)
        self.outcome = self.state.outcome

    def _number(self, action: Any) -> int:
        try:
            number = int(np.asarray(action).astype(np.int64, casting="safe").item())
        except (TypeError, ValueError):
            raise IllegalMoveError(f"expected an action number, got {action!r}") from None
        if not 0 <= number < self.view.actions:
            raise IllegalMoveError(
                f"expected an action from 0 to {self.view.actions - 1}, got {number}"
            )
        return number

    def reward(self, player: int) -> float:
        """What the game is worth to a player so far: nothing until it ends."""
        if self.outcome is None:
            return 0.0
        if self.outcome.winner is None:
            return self.view.draw_reward
        return 1.0 if self.outcome.winner == player else -1.0

    def mask(self, player: int) -> NDArray[np.int8]:
        """The legal actions as a player sees them, 1 or 0; none unless it is that player's turn."""
        if self.outcome is not None or player != self.state.current_player:
            return np.zeros(self.view.actions, np.int8)
        return self.view.mask(self.state).astype(np.int8)

    def ending(self) -> dict[str, Any]:
        """How the game ended, for an info: `winner`, 0 for a draw, and `reason`."""
        if self.outcome is None:
            return {}
        return {"winner": self.outcome.winner or 0, "reason": self.outcome.reason}
