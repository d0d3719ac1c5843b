"""Quoridor for two learners, as a PettingZoo environment: `env()`, `raw_env()`, `parallel_env()`.

The agents are `player_1` and `player_2`. Each sees the board from its own side, as in
`plyground.envs.common`: for player 2 the board is turned, and so are action numbers and the mask.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle

from plyground.envs import common, render
from plyground.errors import ConfigError
from plyground.games.quoridor import State
from plyground.games.quoridor_config import GameConfig

try:
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise ImportError("this environment needs PettingZoo: pip install 'plyground[env]'") from error

PLAYERS = {"player_1": 1, "player_2": 2}

Observation = dict[str, Any]
METADATA: dict[str, Any] = {
    "name": "quoridor_v0",
    "render_modes": common.RENDER_MODES,
    "render_fps": 2,
    "is_parallelizable": False,  # the second player answers the first
}


def env(**settings: Any) -> Any:
    """The environment with PettingZoo's usual checks; arguments are those of `raw_env`."""
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw_env(**settings)))


class raw_env(AECEnv[str, Observation, Any], EzPickle):  # noqa: N801, PettingZoo's own name for it
    """A game of Quoridor between `player_1` and `player_2`, who take turns.

    Observations: `observation`, with `spatial` [4 * history_length, n, n] and `scalars` [5] as
    `encode_state` gives them, from the agent's own side; and `action_mask`, int8, all zero unless
    it is the agent's turn.

    Rewards come at the end: 1 to the winner, -1 to the loser, the config's `draw_penalty` to both
    for a draw. The infos then have `winner` (0 for a draw) and `reason`. Draws terminate, since the
    draw rules are rules of the game; only `max_cycles` truncates.
    """

    metadata = METADATA

    def __init__(
        self,
        preset: str | None = None,
        config: GameConfig | None = None,
        illegal: common.Illegal | None = None,
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Set up a game.

        Args:
            preset: "standard", "small" or "tiny"; or give a `config`.
            config: the settings of the game.
            illegal: what an illegal action does: "lose" the game (1 to the other), "raise"
                IllegalMoveError, or have a "random" legal move played. By default "lose"; with
                `max_cycles` "random", for harnesses that step blindly.
            max_cycles: truncate the game once each player has moved this often.
            render_mode: "human" prints the board after each step, "ansi" and "rgb_array" have
                `render` return it.
        """
        EzPickle.__init__(self, preset, config, illegal, max_cycles, render_mode)
        self.config = common.game_config(preset, config)
        if illegal is None:
            illegal = "lose" if max_cycles is None else "random"
        self._illegal = common.one_of("illegal", illegal, common.Illegal)
        if max_cycles is not None and max_cycles < 1:
            raise ConfigError(f"expected max_cycles of 1 or more, got {max_cycles!r}")
        self._max_cycles = max_cycles
        self.render_mode = common.one_of("render_mode", render_mode, [None, *common.RENDER_MODES])
        self.possible_agents = list(PLAYERS)
        self.agents: list[str] = []
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Dict(common.view_spaces(self.config)),
                    "action_mask": common.mask_space(self.config),
                }
            )
            for agent in PLAYERS
        }
        self.action_spaces = {agent: common.action_space(self.config) for agent in PLAYERS}
        self._rng = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Space[Observation]:
        """What an agent may be shown."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """All actions of the board, legal or not."""
        return self.action_spaces[agent]

    @property
    def game_state(self) -> State:
        """The position now."""
        return self._match.state

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game. The option `position`, a state or its text, starts it there."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        position = (options or {}).get("position")
        self._match = common.Match(self.config, position, self._illegal, self._rng)
        self._moves = 0
        self.agents = list(PLAYERS)
        self.rewards = dict.fromkeys(PLAYERS, 0.0)
        self._cumulative_rewards = dict.fromkeys(PLAYERS, 0.0)
        self.terminations = dict.fromkeys(PLAYERS, False)
        self.truncations = dict.fromkeys(PLAYERS, False)
        self.infos = {agent: {} for agent in PLAYERS}
        self._select_mover()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """What an agent sees, its turn or not."""
        player = PLAYERS[agent]
        return {
            "observation": common.view(self._match.state, player),
            "action_mask": self._match.mask(player),
        }

    def step(self, action: Any) -> None:
        """Play an action of the agent selected, seen from its side; None once it is done."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._match.play(action)
        self._moves += 1
        for agent, player in PLAYERS.items():
            self.rewards[agent] = self._match.reward(player)
            self.terminations[agent] = self._match.outcome is not None
            self.infos[agent] = self._match.ending()
        if self._moves == 2 * (self._max_cycles or 0) and self._match.outcome is None:
            self.truncations = dict.fromkeys(PLAYERS, True)
        self._select_mover()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """The board as text ("ansi") or picture ("rgb_array"); "human" prints it."""
        return render.render(self._match.state, self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""

    def _select_mover(self) -> None:
        self.agent_selection = self.possible_agents[self._match.state.current_player - 1]


class parallel_env(ParallelEnv[str, Observation, Any], EzPickle):  # noqa: N801, as above
    """The same game for harnesses in which both agents give their actions at once.

    The player to move moves first; the other's action, chosen without knowing that move, is played
    after it unless the game is over. Its mask shows what would be legal if it were to move now, and
    the action may have become illegal meanwhile: so `illegal` is "random" by default. Quoridor is a
    game of turns: use `env` where you can.
    """

    metadata = METADATA

    def __init__(self, illegal: common.Illegal = "random", **settings: Any) -> None:
        EzPickle.__init__(self, illegal, **settings)
        self._game = raw_env(illegal=illegal, **settings)
        self.render_mode = self._game.render_mode
        self.possible_agents = self._game.possible_agents
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Space[Observation]:
        """What an agent may be shown."""
        return self._game.observation_space(agent)

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """All actions of the board, legal or not."""
        return self._game.action_space(agent)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Start a game, as `raw_env` does."""
        self._game.reset(seed, options)
        self.agents = self.possible_agents[:]
        return self._observations(), self._game.infos.copy()

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Play both agents' actions, one after the other."""
        game = self._game
        for _ in self.agents:
            if not game.terminations[game.agent_selection]:
                game.step(actions[game.agent_selection])
        if any(game.terminations.values()) or any(game.truncations.values()):
            self.agents = []
        return (
            self._observations(),
            game.rewards.copy(),
            game.terminations.copy(),
            game.truncations.copy(),
            game.infos.copy(),
        )

    def render(self) -> Any:
        """The board, as `raw_env` renders it."""
        return self._game.render()

    def close(self) -> None:
        """Nothing is held open."""

    def _observations(self) -> dict[str, Observation]:
        observations = {agent: self._game.observe(agent) for agent in self.possible_agents}
        if self.agents:
            # The second to move is shown what would be legal if it were the first.
            state = self._game.game_state
            fields = state.text().split()
            fields[4] = str(3 - state.current_player)
            other = common.Match(state.config, " ".join(fields))
            second = self.possible_agents[2 - state.current_player]
            observations[second]["action_mask"] = other.mask(PLAYERS[second])
        return observations
