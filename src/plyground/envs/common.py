"""What all environments share: the view of a game, and an episode in progress.

What differs from game to game is an `EnvView`: `quoridor_view.py`, `reversi_view.py`, and
`plain_view.py` for any other game. Players see the board from their own side, and actions and masks
are numbered in the same view; `EnvView.to_board` converts a number back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeGuard, TypeVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from plyground.envs.picture import Picture
from plyground.errors import ConfigError, IllegalMoveError
from plyground.games.base import AnyGame, Outcome, State

S = TypeVar("S", bound=State)
T = TypeVar("T")

Illegal = Literal["lose", "raise", "random"]
"""What an illegal action does: loses the game, raises, or has a random legal move played."""
ILLEGAL: tuple[Illegal, ...] = ("lose", "raise", "random")
RENDER_MODES = ["human", "ansi", "rgb_array"]

Features: TypeAlias = dict[str, NDArray[np.float32]]
"""What a player sees of a position: arrays by name."""
Observation: TypeAlias = dict[str, NDArray[np.float32] | NDArray[np.int8]]
"""The features and the `action_mask`."""
AnySpace: TypeAlias = spaces.Space[Any]  # a mapping of spaces holds different ones
Info: TypeAlias = dict[str, Any]  # the type that Gymnasium and PettingZoo give to infos


class EnvView(Protocol[S]):
    """A game under its settings, as the players of an environment see it."""

    @property
    def game(self) -> AnyGame:
        """The game."""

    @property
    def actions(self) -> int:
        """The number of actions, legal or not."""

    @property
    def draw_reward(self) -> float:
        """The reward of a draw for both players."""

    def start(self) -> S:
        """The start position."""

    def parse(self, text: str) -> S:
        """The position that a text describes."""

    def is_position(self, position: object) -> TypeGuard[S]:
        """Whether this is a state of the game, under its settings."""

    def spaces(self) -> dict[str, spaces.Box]:
        """The spaces of the features, by name."""

    def features(self, state: S, player: int) -> Features:
        """The position as a player sees it, even if it is the other player's turn."""

    def mask(self, state: S) -> NDArray[np.bool_]:
        """The legal actions as the player to move sees them."""

    def to_board(self, state: S, action: int) -> int:
        """The game's number of an action that the player to move has chosen in its view."""

    def with_other_player(self, state: S) -> S:
        """The same position with the other player to move, legal or not."""

    def draw(self, state: S) -> Picture:
        """The board as a picture, [height, width, 3]."""


def one_of(name: str, value: T, choices: Sequence[T]) -> T:
    """The value; a ConfigError unless it is one of the choices."""
    if value not in choices:
        listed = ", ".join(map(repr, choices))
        raise ConfigError(f"expected {name} to be one of {listed}, got {value!r}")
    return value


def action_space(view: EnvView[S]) -> spaces.Discrete:
    """All actions of the game, legal or not."""
    return spaces.Discrete(view.actions)


def mask_space(view: EnvView[S]) -> spaces.Box:
    """The space of masks."""
    return spaces.Box(0, 1, (view.actions,), np.int8)


def dict_space(parts: Mapping[str, AnySpace]) -> AnySpace:
    """The space of dictionaries with these parts."""
    return spaces.Dict(dict(parts))


def start_position(view: EnvView[S], position: object = None) -> S:
    """The state at which an episode starts: the usual one, or a given state or text."""
    if position is None:
        return view.start()
    state = view.parse(position) if isinstance(position, str) else position
    if not view.is_position(state):
        raise ConfigError(f"expected a position of this environment's game, got {position!r}")
    if state.game_over:
        raise ConfigError(f"cannot start a game at {state.text()!r}: the game is over")
    return state


def render(view: EnvView[S], state: S, mode: str | None) -> str | Picture | None:
    """The board as text ("ansi") or picture ("rgb_array"); "human" prints it."""
    if mode == "rgb_array":
        return view.draw(state)
    if mode == "human":
        print(state, flush=True)
        return None
    return str(state) if mode == "ansi" else None


class Episode(Generic[S]):
    """One game in progress; actions are numbered as the player to move sees them."""

    def __init__(
        self,
        view: EnvView[S],
        position: object = None,
        illegal: Illegal = "lose",
        rng: np.random.Generator | None = None,
    ) -> None:
        self.view = view
        self.state: S = start_position(view, position)
        self.outcome: Outcome | None = None
        self._illegal = illegal
        self._rng = rng or np.random.default_rng()

    def play(self, action: object) -> None:
        """Play an action; an illegal one is treated as `illegal` says.

        An action that is not one of the game's numbers always raises an IllegalMoveError.
        """
        number = self.view.to_board(self.state, self._number(action))
        if self._illegal == "random" and not self.state.is_legal(number):
            number = int(self._rng.choice(self.state.legal_actions()))
        if self._illegal == "lose" and not self.state.is_legal(number):
            self.outcome = Outcome(3 - self.state.current_player, "illegal move")
            return
        self.move(number)

    def move(self, action: int) -> None:
        """Play a legal action, given by the game's own number."""
        self.state = self.state.play(action)
        self.outcome = self.state.outcome

    def _number(self, action: object) -> int:
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
        """The reward of a player: 0 until the game ends."""
        if self.outcome is None:
            return 0.0
        if self.outcome.winner is None:
            return self.view.draw_reward
        return 1.0 if self.outcome.winner == player else -1.0

    def mask(self, player: int) -> NDArray[np.int8]:
        """The legal actions as a player sees them, 1 or 0; all 0 if it is the other's turn."""
        if self.outcome is not None or player != self.state.current_player:
            return np.zeros(self.view.actions, np.int8)
        return self.view.mask(self.state).astype(np.int8)

    def ending(self) -> Info:
        """How the game ended, for an info: `winner`, 0 for a draw, and `reason`."""
        if self.outcome is None:
            return {}
        return {"winner": self.outcome.winner or 0, "reason": self.outcome.reason}
