"""A game for one learner as a Gymnasium environment: against any agent, or against itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, Literal

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from plyground.agents import Agent, make
from plyground.agents.spec import AGENTS
from plyground.envs import common
from plyground.envs.common import AnySpace, EnvView, Episode, Illegal, Info, Observation, S
from plyground.envs.picture import Picture
from plyground.envs.quoridor_view import QuoridorView, game_config
from plyground.envs.reversi_view import ReversiView
from plyground.errors import ConfigError
from plyground.games import quoridor, registry, reversi
from plyground.games.base import AnyGame, Option, State
from plyground.games.quoridor_config import GameConfig

METADATA: Info = {"render_modes": common.RENDER_MODES, "render_fps": 2}

LearnerSeat = Literal[1, 2, "random"]
SEATS: tuple[LearnerSeat, ...] = (1, 2, "random")


class BoardEnv(gymnasium.Env[Observation, np.int64], Generic[S]):
    """A game of any kind; one step is a move of the learner and the opponent's answer.

    Observations, action numbers and masks are those of the learner; the game's own class describes
    them.

    Observations: the features of the game's view, and `action_mask` [actions], int8, all zero once
    the game is over. The info has the mask as well, `player` (1 or 2, whose view it is) and, at the
    end, `winner` (0 for a draw) and `reason`.

    Reward: 0 until the game ends, then 1 for a win of the learner, -1 for a loss, and the game's
    reward of a draw. With the opponent "self" each step is one move of either side, the observation
    is the next player's, and the reward is for the player who made the move. A value estimated from
    the next observation is then the opponent's: negate it. Games always terminate; draw rules are
    rules, not truncation.
    """

    metadata = METADATA

    def __init__(
        self,
        view: EnvView[S],
        opponent: str | Agent,
        player: LearnerSeat,
        illegal: Illegal,
        render_mode: str | None,
    ) -> None:
        """Set up a game; the game's own class describes the arguments."""
        self.render_mode = common.one_of("render_mode", render_mode, [None, *common.RENDER_MODES])
        self._view = view
        self._illegal: Illegal = common.one_of("illegal", illegal, common.ILLEGAL)
        self._seat: LearnerSeat = common.one_of("player", player, SEATS)
        self._opponent_name = opponent if isinstance(opponent, str) else None
        self._opponent = None if opponent == "self" else self._agent(opponent)
        parts = {**view.spaces(), "action_mask": common.mask_space(view)}
        self.observation_space: AnySpace = common.dict_space(parts)
        self.action_space = common.action_space(view)
        self._episode: Episode[S] | None = None
        self._learner = 1

    @property
    def episode(self) -> Episode[S]:
        """The game in progress."""
        if self._episode is None:
            raise ResetNeeded("no game has begun: call reset()")
        return self._episode

    @property
    def state(self) -> S:
        """The current position."""
        return self.episode.state

    @property
    def player(self) -> int:
        """The player who is shown the observation: the learner; in self-play, the next player."""
        return self.state.current_player if self._opponent is None else self._learner

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions as booleans, under the name that maskable learners call."""
        return self.episode.mask(self.player).astype(bool)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, object] | None = None
    ) -> tuple[Observation, Info]:
        """Start a game; the opponent makes the first move if it is its turn.

        The option `position`, a state or its text, starts the game there. A seed fixes the seats
        and the moves of a random opponent, unless its name has a seed of its own.
        """
        reseed = seed is not None or self._np_random is None
        super().reset(seed=seed)
        options = options or {}
        if unknown := options.keys() - {"position"}:
            raise ConfigError(f"unknown reset option {min(unknown)!r}; known is 'position'")
        position = options.get("position")
        self._episode = Episode(self._view, position, self._illegal, self.np_random)
        seat = self._seat
        self._learner = int(self.np_random.integers(1, 3)) if seat == "random" else seat
        if self._opponent is not None:
            if self._opponent_name and reseed:
                seed = int(self.np_random.integers(2**31))
                self._opponent = self._agent(self._opponent_name, seed)
            self._opponent.new_game()
            self._answer()
        return self._observe()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, Info]:
        """Play the learner's action, numbered in its view, and the opponent's answer."""
        if self.episode.outcome is not None:
            raise ResetNeeded("the game is over: call reset()")
        mover = self.player
        self.episode.play(action)
        self._answer()
        observation, info = self._observe()
        over = self.episode.outcome is not None
        return observation, self.episode.reward(mover), over, False, info

    def render(self) -> str | Picture | None:
        """The board as text ("ansi") or picture ("rgb_array"); "human" prints it."""
        return common.render(self._view, self.state, self.render_mode)

    def _answer(self) -> None:
        """Let the opponent move if it is its turn."""
        episode = self.episode
        if self._opponent is None or episode.outcome is not None:
            return
        if episode.state.current_player != self._learner:
            episode.move(self._opponent.select_action(episode.state))

    def _observe(self) -> tuple[Observation, Info]:
        if self.render_mode == "human":
            self.render()
        mask = self.episode.mask(self.player)
        features = self._view.features(self.state, self.player)
        info = {"action_mask": mask.copy(), "player": self.player} | self.episode.ending()
        return {**features, "action_mask": mask}, info

    def _agent(self, opponent: str | Agent, seed: int | None = None) -> Agent:
        """The opponent; with this seed if its name takes one and has none."""
        if not isinstance(opponent, str):
            return opponent
        entry = AGENTS.get(opponent.partition(":")[0])
        if seed is not None and entry and "seed" in entry.options and "seed=" not in opponent:
            opponent += f"{',' if ':' in opponent else ':'}seed={seed}"
        return make(opponent, self._view.game)


class GameEnv(BoardEnv[State]):
    """A game of any registered game; `BoardEnv` describes what all games have in common.

    A game in plain Python is shown as `PlainView` describes. Options that are not listed here go to
    `Game.env_view`, such as `settings={"Board": "5"}`.

    >>> env = GameEnv("reversi", opponent="self")
    >>> observation, info = env.reset(seed=1)
    >>> observation["spatial"].shape
    (2, 8, 8)
    """

    def __init__(
        self,
        game: AnyGame | str | None = None,
        opponent: str | Agent = "random",
        player: LearnerSeat = 1,
        illegal: Illegal = "lose",
        render_mode: str | None = None,
        **options: Option,
    ) -> None:
        """Set up a game; `QuoridorEnv` describes the other arguments."""
        view = registry.find(game).env_view(**options)
        super().__init__(view, opponent, player, illegal, render_mode)


class QuoridorEnv(BoardEnv[quoridor.State]):
    """A game of Quoridor; `BoardEnv` describes what all games have in common.

    For player 2 the board is flipped, and so are action numbers and the mask
    (`plyground.quoridor.flip_action` maps them to the board and back). Beside the mask,
    observations are `spatial` [4 * history_length, n, n] and `scalars` [5], as `encode_state`
    returns them. A draw is worth the config's `draw_penalty`.
    """

    def __init__(
        self,
        opponent: str | Agent = "random",
        player: LearnerSeat = 1,
        preset: str | None = None,
        config: GameConfig | None = None,
        illegal: Illegal = "lose",
        render_mode: str | None = None,
        history_length: int = quoridor.HISTORY_LENGTH,
    ) -> None:
        """Set up a game.

        Args:
            opponent: an agent by name ("pathfinder", "engine:time=0.1"), an agent, or "self".
            player: the learner's seat; "random" draws it for each game. Ignored in self-play.
            preset: "standard", "small" or "tiny"; or give a `config`.
            config: the settings of the game.
            illegal: what an illegal action does: "lose" the game at -1, "raise" IllegalMoveError,
                or have a "random" legal move played.
            render_mode: "human" prints the board after each step; with "ansi" and "rgb_array",
                `render` returns it.
            history_length: positions shown, the present one included, from 1 to 16.
        """
        self.config = game_config(preset, config)
        view = QuoridorView(self.config, history_length)
        super().__init__(view, opponent, player, illegal, render_mode)


class ReversiEnv(BoardEnv[reversi.State]):
    """A game of Reversi; `BoardEnv` describes what all games have in common.

    Beside the mask, observations are `spatial` [2, 8, 8], my discs and the opponent's, and
    `scalars` [2]: the player (0 or 1), and the share of squares with a disc. Actions are the
    squares, a1 first, and the pass, which a player without another move must choose. A draw is
    worth 0.
    """

    def __init__(
        self,
        opponent: str | Agent = "random",
        player: LearnerSeat = 1,
        illegal: Illegal = "lose",
        render_mode: str | None = None,
    ) -> None:
        """Set up a game; `QuoridorEnv` describes the arguments."""
        super().__init__(ReversiView(), opponent, player, illegal, render_mode)
