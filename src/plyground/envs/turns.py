"""A game for two learners, as PettingZoo has it: `TurnEnv`, and `BothEnv` for both at once.

The agents are `player_1` and `player_2`. Each sees the board from its own side, as the game's
`GameView` shows it. Each game has a module of its own with PettingZoo's usual names:
`quoridor_v0.py` and `reversi_v0.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle

from plyground.envs import common
from plyground.errors import ConfigError

try:
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise ImportError("this environment needs PettingZoo: pip install 'plyground[env]'") from error

PLAYERS = {"player_1": 1, "player_2": 2}

Observation = dict[str, Any]


def metadata(name: str) -> dict[str, Any]:
    """What PettingZoo wants to know of an environment."""
    return {
        "name": name,
        "render_modes": common.RENDER_MODES,
        "render_fps": 2,
        "is_parallelizable": False,  # the second player answers the first
    }


def checked(env: TurnEnv) -> Any:
    """An environment with PettingZoo's usual checks around it."""
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


class TurnEnv(AECEnv[str, Observation, Any]):
    """A game between `player_1` and `player_2`, who take turns.

    Observations: `observation`, what the game's view shows from the agent's own side; and
    `action_mask`, int8, all zero unless it is the agent's turn.

    Rewards come at the end: 1 to the winner, -1 to the loser, what the game gives for a draw to
    both. The infos then have `winner` (0 for a draw) and `reason`. Draws terminate, since draw
    rules are rules of the game; only `max_cycles` truncates.
    """

    def __init__(
        self,
        view: common.GameView,
        illegal: common.Illegal | None,
        max_cycles: int | None,
        render_mode: str | None,
    ) -> None:
        """Set up a game.

        Args:
            view: the game.
            illegal: what an illegal action does: "lose" the game (1 to the other), "raise"
                IllegalMoveError, or have a "random" legal move played. By default "lose"; with
                `max_cycles` "random", for harnesses that step blindly.
            max_cycles: truncate the game once each player has moved this often.
            render_mode: "human" prints the board after each step, "ansi" and "rgb_array" have
                `render` return it.
        """
        self.view = view
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
                    "observation": spaces.Dict(view.spaces()),
                    "action_mask": common.mask_space(view),
                }
            )
            for agent in PLAYERS
        }
        self.action_spaces = {agent: common.action_space(view) for agent in PLAYERS}
        self._rng = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Space[Observation]:
        """What an agent may be shown."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """All actions of the board, legal or not."""
        return self.action_spaces[agent]

    @property
    def game_state(self) -> Any:
        """The position now."""
        return self._match.state

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game. The option `position`, a state or its text, starts it there."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        position = (options or {}).get("position")
        self._match = common.Match(self.view, position, self._illegal, self._rng)
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
            "observation": self.view.see(self._match.state, player),
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
        return common.render(self.view, self._match.state, self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""

    def _select_mover(self) -> None:
        self.agent_selection = self.possible_agents[self._match.state.current_player - 1]


class BothEnv(ParallelEnv[str, Observation, Any], EzPickle):
    """The same game for harnesses in which both agents give their actions at once.

    The player to move moves first; the other's action, chosen without knowing that move, is played
    after it unless the game is over. Its mask shows what would be legal if it were to move now, and
    the action may have become illegal meanwhile: so `illegal` is "random" by default. These are
    games of turns: use `TurnEnv` where you can.
    """

    game: ClassVar[Callable[..., TurnEnv]]
    """The game's own `TurnEnv`, which takes the other arguments."""

    def __init__(self, illegal: common.Illegal = "random", **settings: Any) -> None:
        EzPickle.__init__(self, illegal, **settings)
        self._game = type(self).game(illegal=illegal, **settings)
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
        """Start a game, as `TurnEnv` does."""
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
        """The board, as `TurnEnv` renders it."""
        return self._game.render()

    def close(self) -> None:
        """Nothing is held open."""

    def _observations(self) -> dict[str, Observation]:
        observations = {agent: self._game.observe(agent) for agent in self.possible_agents}
        if self.agents:
            # The second to move is shown what would be legal if it were the first.
            state = self._game.game_state
            other = common.Match(self._game.view, self._game.view.turn_given_away(state))
            second = self.possible_agents[2 - state.current_player]
            observations[second]["action_mask"] = other.mask(PLAYERS[second])
        return observations
