"""Thousands of games of Reversi at once, in native code."""

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
from plyground.envs.reversi_view import ReversiView
from plyground.games.reversi import State


class ReversiVectorEnv(GameVectorEnv[State]):
    """Many games of Reversi in which the learner plays both sides.

    `GameVectorEnv` describes a step. Observations are as in `ReversiEnv` with the opponent "self".
    The player who makes the last move can lose, so a reward of -1 does not always mean an illegal
    action: `infos["ending"]` tells. `move_count` includes passes.

    >>> envs = ReversiVectorEnv(64)
    >>> observations, infos = envs.reset(seed=1)
    >>> observations["spatial"].shape, observations["action_mask"].shape
    ((64, 2, 8, 8), (64, 65))
    >>> observations, rewards, terminated, truncated, infos = envs.step(envs.random_actions())
    >>> infos["player"][:4].tolist()
    [2, 2, 2, 2]
    """

    def __init__(
        self,
        num_envs: int = 1024,
        position: str | State | None = None,
        illegal: Illegal = "lose",
        planes: Planes | None = "float32",
        mask: bool = True,
        copy: bool = True,
        threads: int | None = None,
        opponent: Literal["self"] = "self",
    ) -> None:
        """Set up the games; `QuoridorVectorEnv` describes the arguments."""
        require_self_play(opponent)
        view = ReversiView()
        start = common.start_position(view, position)
        games = _core.ReversiVector(num_envs, start, illegal, thread_count(threads), fresh_seed())
        super().__init__(num_envs, view, games, planes, mask, copy)
