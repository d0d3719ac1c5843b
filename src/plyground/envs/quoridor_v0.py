"""Quoridor for two learners, as a PettingZoo environment: `env()`, `raw_env()`, `parallel_env()`.

`turns.py` tells how it is played. For player 2 the board is turned, and so are action numbers and
the mask: `observation` has `spatial` [4 * history_length, n, n] and `scalars` [5] as `encode_state`
gives them. A draw is worth the config's `draw_penalty` to both.
"""

from __future__ import annotations

from typing import Any

from gymnasium.utils import EzPickle

from plyground.envs import common
from plyground.envs.quoridor_view import QuoridorView, game_config
from plyground.envs.turns import BothEnv, TurnEnv, checked, metadata
from plyground.games.quoridor_config import GameConfig

METADATA = metadata("quoridor_v0")


def env(**settings: Any) -> Any:
    """The environment with PettingZoo's usual checks; arguments are those of `raw_env`."""
    return checked(raw_env(**settings))


class raw_env(TurnEnv, EzPickle):  # noqa: N801, PettingZoo's own name for it
    """A game of Quoridor between `player_1` and `player_2`, who take turns."""

    metadata = METADATA

    def __init__(
        self,
        preset: str | None = None,
        config: GameConfig | None = None,
        illegal: common.Illegal | None = None,
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Set up a game: `preset` is "standard", "small" or "tiny", or give a `config`.

        The other arguments are told in `TurnEnv`.
        """
        EzPickle.__init__(self, preset, config, illegal, max_cycles, render_mode)
        self.config = game_config(preset, config)
        super().__init__(QuoridorView(self.config), illegal, max_cycles, render_mode)


class parallel_env(BothEnv):  # noqa: N801, as above
    """The same game for harnesses in which both agents give their actions at once."""

    metadata = METADATA
    game = raw_env
