"""Reversi for two learners, as a PettingZoo environment: `env()`, `raw_env()`, `parallel_env()`.

`turns.py` tells how it is played. `observation` has `spatial` [2, 8, 8], the agent's discs and the
other's, and `scalars` [2]: the player (0 or 1), and the share of squares with a disc. A player who
has no other move must choose the pass. A draw is worth 0.
"""

from __future__ import annotations

from typing import Any

from gymnasium.utils import EzPickle

from plyground.envs import common
from plyground.envs.reversi_view import ReversiView
from plyground.envs.turns import BothEnv, TurnEnv, checked, metadata

METADATA = metadata("reversi_v0")


def env(**settings: Any) -> Any:
    """The environment with PettingZoo's usual checks; arguments are those of `raw_env`."""
    return checked(raw_env(**settings))


class raw_env(TurnEnv, EzPickle):  # noqa: N801, PettingZoo's own name for it
    """A game of Reversi between `player_1`, who is black, and `player_2`, who take turns."""

    metadata = METADATA

    def __init__(
        self,
        illegal: common.Illegal | None = None,
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Set up a game; the arguments are told in `TurnEnv`."""
        EzPickle.__init__(self, illegal, max_cycles, render_mode)
        super().__init__(ReversiView(), illegal, max_cycles, render_mode)


class parallel_env(BothEnv):  # noqa: N801, as above
    """The same game for harnesses in which both agents give their actions at once."""

    metadata = METADATA
    game = raw_env
