"""Thousands of games at once, in native code: arrays in, arrays out.

`quoridor_vector.py` and `reversi_vector.py` have an environment for each game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from math import prod
from typing import Generic, Literal, Protocol, TypedDict, TypeVar

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from plyground.envs import common
from plyground.envs.common import EnvView, Info, S
from plyground.errors import ConfigError, IllegalMoveError
from plyground.machine import available_cores

Planes = Literal["float32", "uint8", "bits"]
PLANES: tuple[Planes | None, ...] = ("float32", "uint8", "bits", None)
Arrays = dict[str, NDArray[np.float32] | NDArray[np.uint8] | NDArray[np.int8]]
MOST_THREADS = 256
"""The most threads that the core takes."""
METADATA: Info = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}

S_co = TypeVar("S_co", covariant=True)


class Ending(IntEnum):
    """How a game of the vector ended."""

    ONGOING = 0
    PLAYER_1 = 1
    PLAYER_2 = 2
    MOVE_LIMIT = 3
    NO_PROGRESS = 4
    ILLEGAL = 5
    DRAW = 6


class NativeVector(Protocol[S_co]):
    """The games in the core. The arrays that it writes have one row per game."""

    def reset(
        self,
        players: NDArray[np.uint8] | None = None,
        masks: NDArray[np.int8] | None = None,
        planes: NDArray[np.float32] | NDArray[np.uint8] | None = None,
        scalars: NDArray[np.float32] | None = None,
    ) -> None:
        """Restart every game."""

    def step(
        self,
        actions: NDArray[np.int32],
        rewards: NDArray[np.float32],
        terminated: NDArray[np.bool_],
        endings: NDArray[np.uint8],
        move_counts: NDArray[np.int32],
        players: NDArray[np.uint8] | None = None,
        masks: NDArray[np.int8] | None = None,
        planes: NDArray[np.float32] | NDArray[np.uint8] | None = None,
        scalars: NDArray[np.float32] | None = None,
    ) -> None:
        """Play one move in every game; restart the games that end."""

    def random_actions(self, actions: NDArray[np.int32]) -> None:
        """Write a legal action for every game."""

    def seed(self, seed: int) -> None:
        """Seed the random choices of every game."""

    def state(self, index: int) -> S_co:
        """The position of one game."""


class GameVectorEnv(
    VectorEnv[Arrays, ArrayLike, NDArray[np.float32] | NDArray[np.bool_]], Generic[S]
):
    """Many games in which the learner plays both sides, stepped with one call.

    Each step plays one move in each game. As in the environments with the opponent "self", actions,
    masks and planes are the mover's view, and the reward is for the player who made the move: 1 for
    a win, -1 for a loss or an illegal action, the game's reward of a draw, else 0.

    A game that ends starts again in the same step: `terminated` and the reward are the old game's,
    the observation is the new one's. The value of a last observation is known, so there is no
    `final_obs`. The infos are arrays: `player` (1 or 2, the player to move), `ending` (an `Ending`)
    and `move_count` of the game that was stepped.

    The work is divided among threads, and other Python threads can run meanwhile.
    """

    metadata = METADATA

    def __init__(
        self,
        num_envs: int,
        view: EnvView[S],
        games: NativeVector[S],
        planes: Planes | None,
        mask: bool,
        copy: bool,
    ) -> None:
        """Set up the arrays; the game's own class describes the arguments."""
        self.num_envs = num_envs
        self._games = games
        self._actions = view.actions
        common.one_of("planes", planes, PLANES)
        views = view.spaces()
        self._plane_shape = views["spatial"].shape
        if planes is None:
            del views["spatial"]
        elif planes == "uint8":
            views["spatial"] = spaces.Box(0, 1, self._plane_shape, np.uint8)
        elif planes == "bits":
            packed = ((prod(self._plane_shape) + 7) // 8,)
            views["spatial"] = spaces.Box(0, 255, packed, np.uint8)
        if mask:
            views["action_mask"] = common.mask_space(view)
        self._spaces = views
        self.single_observation_space = common.dict_space(views)
        self.single_action_space = common.action_space(view)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._kept = None if copy else self._new_arrays()

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, object] | None = None
    ) -> tuple[Arrays, Info]:
        """Start every game again; a seed fixes the random numbers of the games."""
        super().reset(seed=seed)
        if options:
            raise ConfigError(f"this environment has no reset options, got {options!r}")
        if seed is not None:
            self._games.seed(seed % 2**64)
        arrays = self._kept or self._new_arrays()
        self._games.reset(**arrays.seen)
        return arrays.observations, {"player": arrays.seen["players"]}

    def step(
        self, actions: ArrayLike
    ) -> tuple[Arrays, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], Info]:
        """Play one action in each game, numbered in the view of the player to move."""
        numbers = self._action_numbers(actions)
        arrays = self._kept or self._new_arrays()
        self._games.step(numbers, **arrays.results, **arrays.seen)
        infos = {
            "player": arrays.seen["players"],
            "ending": arrays.results["endings"],
            "move_count": arrays.results["move_counts"],
        }
        terminated = arrays.results["terminated"]
        truncated = np.zeros_like(terminated)
        return arrays.observations, arrays.results["rewards"], terminated, truncated, infos

    def random_actions(self) -> NDArray[np.int32]:
        """A legal action for each game, all equally likely."""
        actions = np.empty(self.num_envs, np.int32)
        self._games.random_actions(actions)
        return actions

    def state(self, index: int) -> S:
        """The position of one game."""
        return self._games.state(index)

    def unpack_planes(self, spatial: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Planes given as "bits", as 0 and 1: [games, planes, rows, columns]."""
        values = prod(self._plane_shape)
        flat = np.unpackbits(spatial, axis=-1, count=values, bitorder="little")
        return flat.reshape(*spatial.shape[:-1], *self._plane_shape)

    def _action_numbers(self, actions: ArrayLike) -> NDArray[np.int32]:
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise IllegalMoveError(f"expected whole numbers as actions, got type {given.dtype}")
        if given.shape != (self.num_envs,):
            raise IllegalMoveError(
                f"expected {self.num_envs} actions, one a game, got an array of shape {given.shape}"
            )
        if given.dtype == np.int32:
            return np.ascontiguousarray(given)  # the core checks the rest
        # Other types may hold what does not fit.
        for game in np.flatnonzero((given < 0) | (given >= self._actions)):
            raise IllegalMoveError(
                f"expected actions from 0 to {self._actions - 1}, got {given[game]} for game {game}"
            )
        return given.astype(np.int32)

    def _new_arrays(self) -> _StepArrays:
        """Arrays for one step; the core overwrites all of them."""
        count, shapes = self.num_envs, {name: box.shape for name, box in self._spaces.items()}
        observations: Arrays = {}
        planes: NDArray[np.float32] | NDArray[np.uint8] | None = None
        if "spatial" in shapes:
            shape = (count, *shapes["spatial"])
            is_float = self._spaces["spatial"].dtype == np.float32
            planes = np.empty(shape, np.float32) if is_float else np.empty(shape, np.uint8)
            observations["spatial"] = planes
        scalars = np.empty((count, *shapes["scalars"]), np.float32)
        observations["scalars"] = scalars
        masks = None
        if "action_mask" in shapes:
            masks = np.empty((count, *shapes["action_mask"]), np.int8)
            observations["action_mask"] = masks
        return _StepArrays(
            observations,
            {
                "players": np.empty(count, np.uint8),
                "masks": masks,
                "planes": planes,
                "scalars": scalars,
            },
            {
                "rewards": np.empty(count, np.float32),
                "terminated": np.empty(count, np.bool_),
                "endings": np.empty(count, np.uint8),
                "move_counts": np.empty(count, np.int32),
            },
        )


def require_self_play(opponent: str) -> None:
    """Raise a ConfigError unless the opponent is "self"."""
    if opponent != "self":
        raise ConfigError(f"expected the opponent 'self' in the native vector, got {opponent!r}")


def thread_count(threads: int | None) -> int:
    """The number given, or by default one for each core that the process may use."""
    return threads or min(available_cores(), MOST_THREADS)


def fresh_seed() -> int:
    """A seed from the operating system."""
    return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])


class _Seen(TypedDict):
    """The arrays of the observations, under the names that the core uses."""

    players: NDArray[np.uint8]
    masks: NDArray[np.int8] | None
    planes: NDArray[np.float32] | NDArray[np.uint8] | None
    scalars: NDArray[np.float32]


class _Results(TypedDict):
    """The arrays that a step returns beside the observations."""

    rewards: NDArray[np.float32]
    terminated: NDArray[np.bool_]
    endings: NDArray[np.uint8]
    move_counts: NDArray[np.int32]


@dataclass(frozen=True)
class _StepArrays:
    """The arrays that one step writes."""

    observations: Arrays
    seen: _Seen
    results: _Results
