"""A game for two learners as PettingZoo environments: `TurnEnv`, and `SimultaneousEnv`.

The agents are `player_1` and `player_2`. Each sees the board from its own side, as the game's
`EnvView` shows it. Each game has a module of its own with PettingZoo's usual names:
`quoridor_v0.py` and `reversi_v0.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plyground.checks import check_range
from plyground.envs import common
from plyground.envs.common import AnySpace, EnvView, Episode, Illegal, Info, S
from plyground.envs.picture import Picture
from plyground.envs.planes import planes_space, scalars_as_planes
from plyground.extras import needs_extra

with needs_extra("this environment needs PettingZoo"):
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils import wrappers

PLAYERS = {"player_1": 1, "player_2": 2}

ActionNumber: TypeAlias = np.int64 | int | None
"""An action in the view of the player to move; None for an agent that is done."""


ObservationForm = Literal["planes", "dict", "array"]
"""The form of observations: see `TurnEnv`."""
OBSERVATION_FORMS: tuple[ObservationForm, ...] = ("planes", "dict", "array")


AgentObservation: TypeAlias = Any  # a dictionary or an array, as `observations` says
CheckedEnv: TypeAlias = wrappers.OrderEnforcingWrapper[str, AgentObservation, ActionNumber]


def metadata(name: str) -> Info:
    """The metadata of an environment of that name."""
    return {
        "name": name,
        "render_modes": common.RENDER_MODES,
        "render_fps": 2,
        "is_parallelizable": False,  # the second player answers the first
    }


def checked(env: TurnEnv[S]) -> CheckedEnv:
    """An environment with PettingZoo's usual checks around it."""
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


class TurnEnv(AECEnv[str, AgentObservation, ActionNumber], Generic[S]):
    """A game between `player_1` and `player_2`, who take turns.

    An agent sees the features of the game's view from its own side, and a mask of the legal
    actions, int8, all zero unless it is the agent's turn. `observations` is their form:

    - "planes": a dictionary as in PettingZoo's own board games. `observation` is one array
      [rows, columns, planes] in which each scalar fills a plane, `action_mask` is the mask.
    - "dict": the same, but `observation` is the dictionary of the features.
    - "array": the array alone; the mask is in the infos, as `action_mask`.

    Rewards come at the end: 1 for the winner, -1 for the loser, the game's reward of a draw for
    both. The infos then have `winner` (0 for a draw) and `reason`. Draws terminate, since draw
    rules are rules of the game; only `max_cycles` truncates.
    """

    def __init__(
        self,
        view: EnvView[S],
        illegal: Illegal | None,
        max_cycles: int | None,
        render_mode: str | None,
        observations: ObservationForm = "planes",
    ) -> None:
        """Set up a game.

        Args:
            view: the game.
            illegal: what an illegal action does: "lose" the game (1 to the other), "raise"
                IllegalMoveError, or have a "random" legal move played. By default "lose"; with
                `max_cycles` "random", for harnesses that ignore the mask.
            max_cycles: number of moves of each player after which the game is truncated.
            render_mode: "human" prints the board after each step; with "ansi" and "rgb_array",
                `render` returns it.
            observations: form of the observations, "planes", "dict" or "array".
        """
        self.view = view
        self._form = common.one_of("observations", observations, OBSERVATION_FORMS)
        if illegal is None:
            illegal = "lose" if max_cycles is None else "random"
        self._illegal: Illegal = common.one_of("illegal", illegal, common.ILLEGAL)
        if max_cycles is not None:
            check_range("max_cycles", max_cycles, 1)
        self._max_cycles = max_cycles
        self.render_mode = common.one_of("render_mode", render_mode, [None, *common.RENDER_MODES])
        self.possible_agents = list(PLAYERS)
        self.agents: list[str] = []
        self.observation_spaces: dict[str, AnySpace] = {
            agent: self._observation_space() for agent in PLAYERS
        }
        self.action_spaces: dict[str, AnySpace] = {
            agent: common.action_space(view) for agent in PLAYERS
        }
        self._rng = np.random.default_rng()

    def observation_space(self, agent: str) -> AnySpace:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> AnySpace:
        """All actions of the board, legal or not."""
        return self.action_spaces[agent]

    @property
    def game_state(self) -> S:
        """The current position."""
        return self._episode.state

    def reset(self, seed: int | None = None, options: Mapping[str, object] | None = None) -> None:
        """Start a game. The option `position`, a state or its text, starts it there."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        position = (options or {}).get("position")
        self._episode = Episode(self.view, position, self._illegal, self._rng)
        self._moves = 0
        self.agents = list(PLAYERS)
        self.rewards = dict.fromkeys(PLAYERS, 0.0)
        self._cumulative_rewards = dict.fromkeys(PLAYERS, 0.0)
        self.terminations = dict.fromkeys(PLAYERS, False)
        self.truncations = dict.fromkeys(PLAYERS, False)
        self.infos: dict[str, Info] = self._infos()
        self._select_mover()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> AgentObservation:
        """What an agent sees, even if it is not its turn."""
        return self.observation_with(agent, self.mask(agent))

    def mask(self, agent: str) -> NDArray[np.int8]:
        """The legal actions of an agent, all zero unless it is its turn."""
        return self._episode.mask(PLAYERS[agent])

    def observation_with(self, agent: str, mask: NDArray[np.int8]) -> AgentObservation:
        """What an agent sees, with this mask."""
        features = self.view.features(self._episode.state, PLAYERS[agent])
        if self._form == "dict":
            return {"observation": features, "action_mask": mask}
        planes = scalars_as_planes(features)
        return planes if self._form == "array" else {"observation": planes, "action_mask": mask}

    def info_with(self, mask: NDArray[np.int8]) -> Info:
        """How the game ended, if it did; with the mask if observations have none."""
        info = self._episode.ending()
        if self._form == "array":
            info["action_mask"] = mask
        return info

    def step(self, action: ActionNumber) -> None:
        """Play an action of the selected agent, numbered in its view; None once it is done."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._episode.play(action)
        self._moves += 1
        for agent, player in PLAYERS.items():
            self.rewards[agent] = self._episode.reward(player)
            self.terminations[agent] = self._episode.outcome is not None
        self.infos = self._infos()
        if self._moves == 2 * (self._max_cycles or 0) and self._episode.outcome is None:
            self.truncations = dict.fromkeys(PLAYERS, True)
        self._select_mover()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | Picture | None:
        """The board as text ("ansi") or picture ("rgb_array"); "human" prints it."""
        return common.render(self.view, self._episode.state, self.render_mode)

    def close(self) -> None:
        """Do nothing: there are no resources to release."""

    def _observation_space(self) -> AnySpace:
        parts = self.view.spaces()
        if self._form == "array":
            return planes_space(parts)
        features = common.dict_space(parts) if self._form == "dict" else planes_space(parts)
        mask = common.mask_space(self.view)
        return common.dict_space({"observation": features, "action_mask": mask})

    def _infos(self) -> dict[str, Info]:
        return {agent: self.info_with(self.mask(agent)) for agent in PLAYERS}

    def _select_mover(self) -> None:
        self.agent_selection = self.possible_agents[self._episode.state.current_player - 1]


class SimultaneousEnv(ParallelEnv[str, AgentObservation, ActionNumber], Generic[S]):
    """A game for harnesses in which both agents act at once.

    The player to move moves first. The other's action, chosen without knowing that move, is played
    after it unless the game is over. Its mask shows what would be legal if it were to move now, and
    the action may have become illegal meanwhile, so `illegal` is "random" by default. These are
    games of turns: use `TurnEnv` if you can.
    """

    def __init__(self, game: TurnEnv[S]) -> None:
        self._game = game
        self.render_mode = game.render_mode
        self.possible_agents = game.possible_agents
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> AnySpace:
        """The space of an agent's observations."""
        return self._game.observation_space(agent)

    def action_space(self, agent: str) -> AnySpace:
        """All actions of the board, legal or not."""
        return self._game.action_space(agent)

    def reset(
        self, seed: int | None = None, options: Mapping[str, object] | None = None
    ) -> tuple[dict[str, AgentObservation], dict[str, Info]]:
        """Start a game, as `TurnEnv` does."""
        self._game.reset(seed, options)
        self.agents = self.possible_agents[:]
        return self._observations_and_infos()

    def step(
        self, actions: dict[str, ActionNumber]
    ) -> tuple[
        dict[str, AgentObservation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, Info],
    ]:
        """Play both agents' actions, one after the other."""
        game = self._game
        for _ in self.agents:
            if not game.terminations[game.agent_selection]:
                game.step(actions[game.agent_selection])
        if any(game.terminations.values()) or any(game.truncations.values()):
            self.agents = []
        observations, infos = self._observations_and_infos()
        return (
            observations,
            game.rewards.copy(),
            game.terminations.copy(),
            game.truncations.copy(),
            infos,
        )

    def render(self) -> str | Picture | None:
        """The board, as `TurnEnv` renders it."""
        return self._game.render()

    def close(self) -> None:
        """Do nothing: there are no resources to release."""

    def _observations_and_infos(self) -> tuple[dict[str, AgentObservation], dict[str, Info]]:
        masks = {agent: self._mask(agent) for agent in self.possible_agents}
        return (
            {agent: self._game.observation_with(agent, mask) for agent, mask in masks.items()},
            {agent: self._game.info_with(mask) for agent, mask in masks.items()},
        )

    def _mask(self, agent: str) -> NDArray[np.int8]:
        """The legal actions; for the second to move, those it would have if it were the first."""
        view, state = self._game.view, self._game.game_state
        if not self.agents or PLAYERS[agent] == state.current_player:
            return self._game.mask(agent)
        return Episode(view, view.with_other_player(state)).mask(PLAYERS[agent])
