"""The games as OpenSpiel's algorithms see them; needs the extra `openspiel`.

Importing this module registers `plyground_quoridor` and `plyground_reversi` with OpenSpiel:
`pyspiel.load_game("plyground_quoridor")`. `register` adds other boards and other games.

As in the other environments, players see the board from their own side, and actions are numbered
in the view of the player to move. An observation is a tensor [planes, rows, columns] in which each
scalar fills a plane. Returns are 1, -1 or 0: a draw is worth 0, so that the game is a zero-sum
game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic

import numpy as np
from numpy.typing import NDArray

from plyground.envs.common import EnvView, S
from plyground.envs.planes import planes_space, scalars_as_planes
from plyground.envs.quoridor_view import QuoridorView
from plyground.envs.reversi_view import ReversiView
from plyground.errors import ConfigError
from plyground.games.quoridor_config import GameConfig

try:
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ImportError as error:
    raise ImportError("this needs OpenSpiel: pip install 'plyground[openspiel]'") from error

if TYPE_CHECKING:
    from collections.abc import Mapping

LONGEST_REVERSI = 120
"""More moves than any game has: 60 discs, and a pass before each."""


def register(view: EnvView[S], name: str, max_game_length: int) -> None:
    """Make a game known to `pyspiel.load_game` under a name of its own.

    Args:
        view: the game and its settings, such as `QuoridorView(GameConfig.preset("small"))`.
        name: OpenSpiel's name of the game, in lower case with underscores.
        max_game_length: number of moves that no game exceeds.
    """
    if name in pyspiel.registered_names():
        raise ConfigError(f"OpenSpiel already has a game {name!r}")
    game_type = pyspiel.GameType(
        short_name=name,
        long_name=f"Plyground {view.game.name.capitalize()}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )
    game_info = pyspiel.GameInfo(
        num_distinct_actions=view.actions,
        max_chance_outcomes=0,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=max_game_length,
    )

    class SpielGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
        """The game as OpenSpiel makes it."""

        def __init__(self, params: Mapping[str, object] | None = None) -> None:
            super().__init__(game_type, game_info, params or {})

        def new_initial_state(self) -> SpielState[S]:
            """The start of a game."""
            return SpielState(self, view)

        def make_py_observer(
            self,
            iig_obs_type: pyspiel.IIGObservationType | None = None,
            params: Mapping[str, object] | None = None,
        ) -> SpielObserver[S] | IIGObserverForPublicInfoGame:
            """What writes observations."""
            if iig_obs_type is None or (
                iig_obs_type.public_info and not iig_obs_type.perfect_recall
            ):
                return SpielObserver(view)
            return IIGObserverForPublicInfoGame(iig_obs_type, params)

    pyspiel.register_game(game_type, SpielGame)


class SpielState(pyspiel.State, Generic[S]):  # type: ignore[misc]  # as above
    """A position and the moves before it."""

    def __init__(self, game: pyspiel.Game, view: EnvView[S]) -> None:
        super().__init__(game)
        self._view = view
        self.position: S = view.start()

    def current_player(self) -> int:
        """0, 1, or the number that OpenSpiel gives to finished games."""
        if self.position.game_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return self.position.current_player - 1

    def _legal_actions(self, player: int) -> list[int]:
        if player != self.current_player():
            return []
        return [int(action) for action in np.flatnonzero(self._view.mask(self.position))]

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(self._view.to_board(self.position, action))

    def _action_to_string(self, player: int, action: int) -> str:  # noqa: ARG002
        if self.position.game_over:
            return str(action)
        return self.position.format_move(self._view.to_board(self.position, action))

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position.game_over

    def returns(self) -> list[float]:
        """The result for both players; zeros until the game is over."""
        outcome = self.position.outcome
        if outcome is None or outcome.winner is None:
            return [0.0, 0.0]
        return [1.0, -1.0] if outcome.winner == 1 else [-1.0, 1.0]

    def __str__(self) -> str:
        return self.position.text()


class SpielObserver(Generic[S]):
    """Writes observations into one tensor."""

    def __init__(self, view: EnvView[S]) -> None:
        self._view = view
        rows, columns, planes = planes_space(view.spaces()).shape
        self.tensor: NDArray[np.float32] = np.zeros(planes * rows * columns, np.float32)
        self.dict = {"observation": self.tensor.reshape(planes, rows, columns)}

    def set_from(self, state: SpielState[S], player: int) -> None:
        """Write what a player sees."""
        planes = scalars_as_planes(self._view.features(state.position, player + 1))
        self.dict["observation"][:] = np.moveaxis(planes, -1, 0)

    def string_from(self, state: SpielState[S], player: int) -> str:  # noqa: ARG002
        """The position as text, the same for both players."""
        return state.position.text()


register(QuoridorView(GameConfig()), "plyground_quoridor", GameConfig().max_moves)
register(ReversiView(), "plyground_reversi", LONGEST_REVERSI)
