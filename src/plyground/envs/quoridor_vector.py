"""Thousands of games of Quoridor at once, in native code: arrays in, arrays out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from math import prod
from typing import Literal, TypedDict

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from plyground import _core
from plyground.envs import common
from plyground.envs.common import Illegal, Info
from plyground.envs.quoridor_view import QuoridorView, game_config
from plyground.errors import ConfigError, IllegalMoveError
from plyground.games.quoridor import HISTORY_LENGTH, State, action_space_size
from plyground.games.quoridor_config import GameConfig
from plyground.machine import available_cores

Planes = Literal["float32", "uint8", "bits"]
PLANES: tuple[Planes | None, ...] = ("float32", "uint8", "bits", None)
Arrays = dict[str, NDArray[np.float32] | NDArray[np.uint8] | NDArray[np.int8]]
MOST_THREADS = 256
"""The most threads that the core takes."""
METADATA: Info = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}


class Ending(IntEnum):
    """How a game of the vector ended."""

    ONGOING = 0
    PLAYER_1 = 1
    PLAYER_2 = 2
    MOVE_LIMIT = 3
    NO_PROGRESS = 4
    ILLEGAL = 5


class QuoridorVectorEnv(VectorEnv[Arrays, ArrayLike, NDArray[np.float32] | NDArray[np.bool_]]):
    """Many games in which the learner plays both sides, stepped with one call.

    Each step plays one move in each game. As in `QuoridorEnv` with the opponent "self", actions,
    masks and planes are the mover's view, and the reward is for the player who made the move: 1 for
    a win, the config's `draw_penalty` for a draw, -1 for an illegal action, else 0.

    A game that ends starts again in the same step: `terminated` and the reward are the old game's,
    the observation is the new one's. The value of a last observation is known, so there is no
    `final_obs`. The infos are arrays: `player` (1 or 2, the player to move), `ending` (an `Ending`)
    and `move_count` of the game that was stepped.

    The work is divided among threads, and other Python threads can run meanwhile.

    >>> envs = QuoridorVectorEnv(64, preset="small")
    >>> observations, infos = envs.reset(seed=1)
    >>> observations["spatial"].shape, observations["action_mask"].shape
    ((64, 16, 5, 5), (64, 57))
    >>> observations, rewards, terminated, truncated, infos = envs.step(envs.random_actions())
    >>> infos["player"][:4].tolist()
    [2, 2, 2, 2]
    """

    metadata = METADATA

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
        self.num_envs = num_envs
        self.config = game_config(preset, config)
        view = QuoridorView(self.config, history_length)
        if opponent != "self":
            raise ConfigError(
                f"expected the opponent 'self' in the native vector, got {opponent!r}"
            )
        common.one_of("planes", planes, PLANES)
        start = common.start_position(view, position)
        seed = int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
        threads = threads or min(available_cores(), MOST_THREADS)
        self._games = _core.QuoridorVector(num_envs, start, illegal, threads, seed, history_length)

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

    def state(self, index: int) -> State:
        """The position of one game."""
        return self._games.state(index)

    def unpack_planes(self, spatial: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Planes given as "bits", as 0 and 1: [games, 4 * history_length, n, n]."""
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
        count = action_space_size(self.config.board_size)
        for game in np.flatnonzero((given < 0) | (given >= count)):
            raise IllegalMoveError(
                f"expected actions from 0 to {count - 1}, got {given[game]} for game {game}"
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
