"""Reversi for two learners, as a PettingZoo environment: `env()`, `raw_env()`, `parallel_env()`.

`turns.py` describes how it is played. `observation` is an array [8, 8, 4]: the agent's discs, the
other's, the player (0 or 1), and the share of squares with a disc. With `observations="dict"` it
has `spatial` [2, 8, 8] and `scalars` [2]. A player without another move must choose the pass. A
draw is worth 0.
"""

from __future__ import annotations

from typing import TypedDict, Unpack

from gymnasium.utils import EzPickle

from plyground.envs.common import Illegal
from plyground.envs.reversi_view import ReversiView
from plyground.envs.turns import (
    CheckedEnv,
    ObservationForm,
    SimultaneousEnv,
    TurnEnv,
    checked,
    metadata,
)
from plyground.games.reversi import State

METADATA = metadata("reversi_v0")


class ReversiSettings(TypedDict, total=False):
    """The arguments of `raw_env`, except `illegal`."""

    max_cycles: int | None
    render_mode: str | None
    observations: ObservationForm


def env(illegal: Illegal | None = None, **settings: Unpack[ReversiSettings]) -> CheckedEnv:
    """The environment with PettingZoo's usual checks; `raw_env` describes the arguments."""
    return checked(raw_env(illegal, **settings))


class raw_env(TurnEnv[State], EzPickle):  # noqa: N801  PettingZoo's own name for it
    """A game of Reversi between `player_1`, who is black, and `player_2`, who take turns."""

    metadata = METADATA

    def __init__(
        self,
        illegal: Illegal | None = None,
        max_cycles: int | None = None,
        render_mode: str | None = None,
        observations: ObservationForm = "planes",
    ) -> None:
        """Set up a game; `TurnEnv` describes the arguments."""
        EzPickle.__init__(self, illegal, max_cycles, render_mode, observations)
        TurnEnv.__init__(self, ReversiView(), illegal, max_cycles, render_mode, observations)


class parallel_env(SimultaneousEnv[State], EzPickle):  # noqa: N801  as above
    """The same game for harnesses in which both agents act at once."""

    metadata = METADATA

    def __init__(self, illegal: Illegal = "random", **settings: Unpack[ReversiSettings]) -> None:
        """Set up a game; `raw_env` describes the arguments."""
        EzPickle.__init__(self, illegal, **settings)
        SimultaneousEnv.__init__(self, raw_env(illegal, **settings))
