"""Quoridor for two learners, as a PettingZoo environment: `env()`, `raw_env()`, `parallel_env()`.

`turns.py` describes how it is played. For player 2 the board is flipped, and so are action numbers
and the mask. `observation` has the 4 * history_length planes and the 5 scalars of `encode_state`:
as one array [n, n, planes], or with `observations="dict"` as `spatial` [4 * history_length, n, n]
and `scalars` [5]. A draw is worth the config's `draw_penalty` to both.
"""

from __future__ import annotations

from typing import TypedDict, Unpack

from gymnasium.utils import EzPickle

from plyground.envs.common import Illegal
from plyground.envs.quoridor_view import QuoridorView, game_config
from plyground.envs.turns import (
    CheckedEnv,
    ObservationForm,
    SimultaneousEnv,
    TurnEnv,
    checked,
    metadata,
)
from plyground.games.quoridor import HISTORY_LENGTH, State
from plyground.games.quoridor_config import GameConfig

METADATA = metadata("quoridor_v0")


class QuoridorSettings(TypedDict, total=False):
    """The arguments of `raw_env`, except `illegal`."""

    preset: str | None
    config: GameConfig | None
    max_cycles: int | None
    render_mode: str | None
    history_length: int
    observations: ObservationForm


def env(illegal: Illegal | None = None, **settings: Unpack[QuoridorSettings]) -> CheckedEnv:
    """The environment with PettingZoo's usual checks; `raw_env` describes the arguments."""
    return checked(raw_env(illegal=illegal, **settings))


class raw_env(TurnEnv[State], EzPickle):  # noqa: N801  PettingZoo's own name for it
    """A game of Quoridor between `player_1` and `player_2`, who take turns."""

    metadata = METADATA

    def __init__(
        self,
        preset: str | None = None,
        config: GameConfig | None = None,
        illegal: Illegal | None = None,
        max_cycles: int | None = None,
        render_mode: str | None = None,
        history_length: int = HISTORY_LENGTH,
        observations: ObservationForm = "planes",
    ) -> None:
        """Set up a game: `preset` is "standard", "small" or "tiny", or give a `config`.

        `history_length` is the number of positions shown, from 1 to 16. `TurnEnv` describes the
        other arguments.
        """
        EzPickle.__init__(
            self, preset, config, illegal, max_cycles, render_mode, history_length, observations
        )
        self.config = game_config(preset, config)
        view = QuoridorView(self.config, history_length)
        TurnEnv.__init__(self, view, illegal, max_cycles, render_mode, observations)


class parallel_env(SimultaneousEnv[State], EzPickle):  # noqa: N801  as above
    """The same game for harnesses in which both agents act at once."""

    metadata = METADATA

    def __init__(self, illegal: Illegal = "random", **settings: Unpack[QuoridorSettings]) -> None:
        """Set up a game; `raw_env` describes the arguments."""
        EzPickle.__init__(self, illegal, **settings)
        SimultaneousEnv.__init__(self, raw_env(illegal=illegal, **settings))
