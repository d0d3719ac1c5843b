"""Thousands of games of Quoridor at once, in native code."""

from __future__ import annotations

from typing import Literal

from plyground import _core
from plyground.envs import common
from plyground.envs.common import Illegal
from plyground.envs.game_vector import (
    GameVectorEnv,
    Planes,
    fresh_seed,
    require_self_play,
    thread_count,
)
from plyground.envs.quoridor_view import QuoridorView, game_config
from plyground.games.quoridor import HISTORY_LENGTH, State
from plyground.games.quoridor_config import GameConfig


class QuoridorVectorEnv(GameVectorEnv[State]):
    """Many games of Quoridor in which the learner plays both sides.

    `GameVectorEnv` describes a step. Observations are as in `QuoridorEnv` with the opponent "self".
    A draw is worth the config's `draw_penalty`.

    >>> envs = QuoridorVectorEnv(64, preset="small")
    >>> observations, infos = envs.reset(seed=1)
    >>> observations["spatial"].shape, observations["action_mask"].shape
    ((64, 16, 5, 5), (64, 57))
    >>> observations, rewards, terminated, truncated, infos = envs.step(envs.random_actions())
    >>> infos["player"][:4].tolist()
    [2, 2, 2, 2]
    """

    def __init__(
        self,
        num_envs: int = 1024,
        preset: str | None = None,
        config: GameConfig | None = None,
        position: str | State | None = None,
        illegal: Illegal = "lose",
        planes: Planes | None = "float32",
        mask: bool = True,
        copy: bool = True,
        threads: int | None = None,
        opponent: Literal["self"] = "self",
        history_length: int = HISTORY_LENGTH,
    ) -> None:
        """Set up the games.

        Args:
            num_envs: number of games.
            preset: "standard", "small" or "tiny"; or give a `config`.
            config: the settings of the game.
            position: start of every game, a state or its text; by default the usual start.
            illegal: what an illegal action does: its game is lost at -1 ("lose"), the step raises
                IllegalMoveError and nothing is played ("raise"), or a "random" legal move replaces
                it.
            planes: format of `spatial`: "float32", "uint8" (a quarter of the memory), "bits" (1/32
                of it; `unpack_planes` reads them), or None to leave it out.
            mask: whether observations have an `action_mask`.
            copy: whether each step returns arrays of its own. If not, the next step overwrites the
                arrays that the last one returned, which is faster.
            threads: number of threads; by default one for each core that the process may use.
            opponent: only "self"; for other opponents use Gymnasium's own vectors.
            history_length: positions shown, the present one included, from 1 to 16.
        """
        require_self_play(opponent)
        self.config = game_config(preset, config)
        view = QuoridorView(self.config, history_length)
        start = common.start_position(view, position)
        games = _core.QuoridorVector(
            num_envs, start, illegal, thread_count(threads), fresh_seed(), history_length
        )
        super().__init__(num_envs, view, games, planes, mask, copy)
