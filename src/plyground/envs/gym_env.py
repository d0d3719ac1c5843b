"""A game for one learner, as a Gymnasium environment: against any agent, or against itself."""

from __future__ import annotations

from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from plyground.agents import Agent, make
from plyground.agents.spec import AGENTS
from plyground.envs import common
from plyground.envs.quoridor_view import QuoridorView, game_config
from plyground.envs.reversi_view import ReversiView
from plyground.errors import ConfigError
from plyground.games.quoridor_config import GameConfig

Observation = dict[str, NDArray[Any]]
METADATA: dict[str, Any] = {"render_modes": common.RENDER_MODES, "render_fps": 2}


Seat = Literal[1, 2, "random"]


class BoardEnv(gymnasium.Env[Observation, np.int64]):
    """A game of any kind; one step is one move of the learner, and the opponent's answer.

    Everything is seen by the learner, the numbers of actions and the mask as well; the game's own
    class says what that means.

    Observations: what the game's view shows, and `action_mask` [actions], int8, all zero once the
    game is over. The info has the mask as well, `player` (1 or 2, whose view it is) and, at the
    end, `winner` (0 for a draw) and `reason`.

    Reward: 0 until the game ends, then 1 for a win, -1 for a loss and what the game gives for a
    draw, for the learner. With the opponent "self" each step is one move of either side, the
    observation is the next player's, and the reward is for the player who made the move. A value
    estimated from the next observation is then the opponent's: negate it. Games always terminate;
    draw rules are rules, not truncation.
    """

    metadata = METADATA

    def __init__(
        self,
        view: common.GameView,
        opponent: str | Agent,
        player: Seat,
        illegal: common.Illegal,
        render_mode: str | None,
    ) -> None:
        """Set up a game; the arguments are those of the game's own class."""
        self.render_mode = common.one_of("render_mode", render_mode, [None, *common.RENDER_MODES])
        self._view = view
        self._illegal = common.one_of("illegal", illegal, common.Illegal)
        self._seat: Any = common.one_of("player", player, [1, 2, "random"])
        self._opponent_name = opponent if isinstance(opponent, str) else None
        self._opponent = None if opponent == "self" else self._agent(opponent)
        views = view.spaces() | {"action_mask": common.mask_space(view)}
        self.observation_space: spaces.Space[Any] = spaces.Dict(views)
        self.action_space = common.action_space(view)
        self._match: common.Match | None = None
        self._learner = 1

    @property
    def match(self) -> common.Match:
        """The game in progress."""
        if self._match is None:
            raise ResetNeeded("no game has begun: call reset()")
        return self._match

    @property
    def state(self) -> Any:
        """The position now."""
        return self.match.state

    @property
    def player(self) -> int:
        """Whose view the observation is: the learner's; in self-play, the next player's."""
        return self.state.current_player if self._opponent is None else self._learner

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions as booleans, as maskable learners ask for them."""
        return self.match.mask(self.player).astype(bool)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a game; the opponent moves first where it is its turn.

        The option `position`, a state or its text, starts the game there. A seed fixes the seats
        and what a random opponent plays, unless its name has a seed of its own.
        """
        reseed = seed is not None or self._np_random is None
        super().reset(seed=seed)
        options = options or {}
        if unknown := options.keys() - {"position"}:
            raise ConfigError(f"unknown reset option {min(unknown)!r}; known is 'position'")
        position = options.get("position")
        self._match = common.Match(self._view, position, self._illegal, self.np_random)
        seat = self._seat
        self._learner = int(self.np_random.integers(1, 3)) if seat == "random" else seat
        if self._opponent is not None:
            if self._opponent_name and reseed:
                seed = int(self.np_random.integers(2**31))
                self._opponent = self._agent(self._opponent_name, seed)
            elif new_game := getattr(self._opponent, "new_game", None):
                new_game()
            self._answer()
        return self._seen()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play the learner's action, seen from its side, and the opponent's answer."""
        if self.match.outcome is not None:
            raise ResetNeeded("the game is over: call reset()")
        mover = self.player
        self.match.play(action)
        self._answer()
        observation, info = self._seen()
        over = self.match.outcome is not None
        return observation, self.match.reward(mover), over, False, info

    def render(self) -> Any:
        """The board as text ("ansi") or picture ("rgb_array"); "human" prints it."""
        return common.render(self._view, self.state, self.render_mode)

    def _answer(self) -> None:
        """Let the opponent move if it is its turn."""
        match = self.match
        if self._opponent is None or match.outcome is not None:
            return
        if match.state.current_player != self._learner:
            match.state = match.state.play(self._opponent.select_action(match.state))
            match.outcome = match.state.outcome

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        if self.render_mode == "human":
            self.render()
        mask = self.match.mask(self.player)
        observation = self._view.see(self.state, self.player) | {"action_mask": mask}
        info = {"action_mask": mask.copy(), "player": self.player} | self.match.ending()
        return observation, info

    def _agent(self, opponent: str | Agent, seed: int | None = None) -> Agent:
        """The opponent; with a seed of ours where its name takes one and has none."""
        if not isinstance(opponent, str):
            return opponent
        entry = AGENTS.get(opponent.partition(":")[0])
        if seed is not None and entry and "seed" in entry.options and "seed=" not in opponent:
            opponent += f"{',' if ':' in opponent else ':'}seed={seed}"
        return make(opponent, self._view.game)


class QuoridorEnv(BoardEnv):
    """A game of Quoridor; what every game has in common is told in `BoardEnv`.

    For player 2 the board is turned, and so are the numbers of actions and the mask
    (`plyground.quoridor.flip_action` maps them to the board and back). Beside the mask,
    observations are `spatial` [4 * history_length, n, n] and `scalars` [5] as `encode_state` gives
    them. A draw is worth the config's `draw_penalty`.
    """

    def __init__(
        self,
        opponent: str | Agent = "random",
        player: Seat = 1,
        preset: str | None = None,
        config: GameConfig | None = None,
        illegal: common.Illegal = "lose",
        render_mode: str | None = None,
    ) -> None:
        """Set up a game.

        Args:
            opponent: an agent by name ("pathfinder", "engine:time=0.1"), an agent, or "self".
            player: the learner's seat; "random" draws it for each game. Of no account in self-play.
            preset: "standard", "small" or "tiny"; or give a `config`.
            config: the settings of the game.
            illegal: what an illegal action does: "lose" the game at -1, "raise" IllegalMoveError,
                or have a "random" legal move played.
            render_mode: "human" prints the board after each step, "ansi" and "rgb_array" have
                `render` return it.
        """
        self.config = game_config(preset, config)
        super().__init__(QuoridorView(self.config), opponent, player, illegal, render_mode)


class ReversiEnv(BoardEnv):
    """A game of Reversi; what every game has in common is told in `BoardEnv`.

    Beside the mask, observations are `spatial` [2, 8, 8], my discs and the opponent's, and
    `scalars` [2]: the player (0 or 1), and the share of squares with a disc. Actions are the
    squares, a1 first, and the pass, which a player who has nothing else must choose. A draw is
    worth 0.
    """

    def __init__(
        self,
        opponent: str | Agent = "random",
        player: Seat = 1,
        illegal: common.Illegal = "lose",
        render_mode: str | None = None,
    ) -> None:
        """Set up a game; the arguments are those of `QuoridorEnv` that Reversi has."""
        super().__init__(ReversiView(), opponent, player, illegal, render_mode)
