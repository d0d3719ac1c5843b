"""The Gymnasium environment: its checker, and what it promises about views and rewards."""

from __future__ import annotations

import random
import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from plyground import quoridor
from plyground.agents import PathfinderAgent
from plyground.config import Settings
from plyground.envs import QuoridorEnv
from plyground.errors import ConfigError, IllegalMoveError
from plyground.games.base import Option
from plyground.quoridor import GameConfig, State

NAME = "plyground.envs:Quoridor-v0"


def make(**settings: Option) -> QuoridorEnv:
    env = gymnasium.make(NAME, **settings).unwrapped
    assert isinstance(env, QuoridorEnv)
    return env


def number(name: str, state: State) -> int:
    """A move's number as the player to move sees it."""
    size = state.board_size
    action = quoridor.notation_to_action(name, size)
    return action if state.current_player == 1 else quoridor.flip_action(action, size)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"opponent": "self"},
        {"opponent": "pathfinder", "player": 2, "preset": "small"},
        {"player": "random", "preset": "tiny"},
        {"player": 2, "illegal": "random", "config": GameConfig.for_size(4)},
    ],
)
def test_gymnasiums_own_checker(settings: Settings) -> None:
    check_env(make(**settings))  # warnings fail, too


def test_masks_are_found_on_what_make_returns() -> None:
    for name in (NAME, "plyground.envs:Reversi-v0"):
        env = gymnasium.make(name)
        with pytest.raises(ResetNeeded):
            env.step(0)
        _, info = env.reset(seed=1)
        masks = env.get_wrapper_attr("action_masks")()
        np.testing.assert_array_equal(masks, info["action_mask"])
        assert env.spec is not None
        assert env.spec.id == name.partition(":")[2]


def test_whole_games(rng: random.Random) -> None:
    env = gymnasium.make(NAME, preset="small", player="random")
    for _ in range(5):
        _, info = env.reset(seed=rng.randrange(1000))
        over = False
        while not over:
            action = rng.choice(np.flatnonzero(info["action_mask"]))
            observation, reward, over, truncated, info = env.step(action)
            assert not truncated
            np.testing.assert_array_equal(info["action_mask"], observation["action_mask"])
        assert reward == {0: -0.05, info["player"]: 1.0}.get(info["winner"], -1.0)


def test_importing_the_package_leaves_gymnasium_alone() -> None:
    program = "import sys, plyground; sys.exit('gymnasium' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize(
    ("library", "module"),
    [("gymnasium", "plyground.envs"), ("pettingzoo", "plyground.envs.quoridor_v0")],
)
def test_a_missing_library_is_named_with_its_extra(library: str, module: str) -> None:
    program = f"import sys; sys.modules[{library!r}] = None; import {module}"
    run = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True)
    assert run.stderr.decode().strip().endswith("pip install 'plyground[env]'")


@pytest.mark.parametrize("preset", ["tiny", "small", "standard"])
def test_self_play_shows_the_next_player_its_own_view(preset: str, rng: random.Random) -> None:
    env = make(opponent="self", preset=preset)
    state = State(GameConfig.preset(preset))
    observation, info = env.reset()
    while not state.game_over:
        spatial, scalars = quoridor.encode_state(state)
        np.testing.assert_array_equal(observation["spatial"], spatial)
        np.testing.assert_array_equal(observation["scalars"], scalars)
        mask = quoridor.get_action_mask(state, flipped=True)
        np.testing.assert_array_equal(observation["action_mask"], mask)
        np.testing.assert_array_equal(env.action_masks(), mask)
        assert (env.action_masks().dtype.name, info["action_mask"].dtype.name) == ("bool", "int8")
        assert info["player"] == state.current_player
        action = rng.choice(state.legal_actions())
        seen = number(quoridor.action_to_notation(action, state.board_size), state)
        state = state.play(action)
        observation, reward, over, _, info = env.step(seen)
        assert env.state == state
        assert over == state.game_over
    # The reward is the last mover's, who cannot have lost.
    assert reward == (state.config.draw_penalty if state.winner is None else 1.0)
    assert not observation["action_mask"].any()
    assert state.outcome is not None
    assert (info["winner"], info["reason"]) == (state.winner or 0, state.outcome.reason)


@pytest.mark.parametrize("player", [1, 2])
def test_the_learner_always_sees_its_own_side(player: int, rng: random.Random) -> None:
    env = make(opponent="random", player=player, preset="tiny")
    for seed in range(20):
        observation, info = env.reset(seed=seed)
        over = False
        while not over:
            assert info["player"] == player
            assert env.state.current_player == player
            spatial, scalars = quoridor.encode_state(env.state)
            np.testing.assert_array_equal(observation["spatial"], spatial)
            np.testing.assert_array_equal(observation["scalars"], scalars)
            action = rng.choice(np.flatnonzero(observation["action_mask"]))
            observation, _, over, _, info = env.step(action)
        # Also after the game, whichever player moved last: the learner's pawn comes first.
        row, col = env.state.player1_pos if player == 1 else env.state.player2_pos
        row = row if player == 1 else 2 - row
        assert np.argwhere(observation["spatial"][0]).tolist() == [[row, col]]
        assert observation["scalars"][2] == player - 1


@pytest.mark.parametrize("history_length", [1, 9])
def test_the_history_may_be_shorter_or_longer(history_length: int, rng: random.Random) -> None:
    env = make(opponent="self", preset="small", history_length=history_length)
    observation, _ = env.reset()
    for _ in range(12):
        spatial, _ = quoridor.encode_state(env.state, history_length)
        np.testing.assert_array_equal(observation["spatial"], spatial)
        assert observation in env.observation_space
        observation, *_ = env.step(rng.choice(np.flatnonzero(observation["action_mask"])))


def test_rewards_are_the_learners_against_an_opponent() -> None:
    # Both run; the learner, second to move, is beaten, and wins when one step is taken away.
    env = make(opponent="pathfinder", player=2, preset="tiny")
    env.reset()
    _, reward, over, truncated, info = env.step(number("a3", env.state))
    assert (reward, over, truncated) == (-1.0, True, False)
    assert (info["winner"], info["reason"]) == (1, "goal")
    env.reset(options={"position": "3 a2/b2 - 0/0 2 5 5"})
    _, reward, over, truncated, info = env.step(number("b1", env.state))
    assert (reward, over, truncated) == (1.0, True, False)
    assert (info["winner"], info["reason"]) == (2, "goal")


@pytest.mark.parametrize("opponent", ["self", "pathfinder"])
def test_draws_terminate_and_cost_the_penalty(opponent: str) -> None:
    config = GameConfig(board_size=5, walls_per_player=0, max_moves=4, draw_penalty=-0.25)
    env = make(opponent=opponent, config=config)
    env.reset()
    over, rewards = False, []
    while not over:
        action = np.flatnonzero(env.action_masks())[0]
        _, reward, over, truncated, info = env.step(action)
        rewards.append(reward)
    assert rewards == [0.0] * (len(rewards) - 1) + [-0.25]
    assert not truncated
    assert (info["winner"], info["reason"]) == (0, "move limit")
    assert len(rewards) == (4 if opponent == "self" else 2)


@pytest.mark.parametrize("opponent", ["self", "random"])
def test_an_illegal_action_loses(opponent: str) -> None:
    env = make(opponent=opponent)
    env.reset()
    before = env.state
    observation, reward, over, truncated, info = env.step(0)
    assert (reward, over, truncated) == (-1.0, True, False)
    assert (info["winner"], info["reason"]) == (2, "illegal move")
    assert env.state == before
    assert not observation["action_mask"].any()
    with pytest.raises(ResetNeeded, match="the game is over"):
        env.step(13)


def test_an_illegal_action_may_raise() -> None:
    env = make(illegal="raise", opponent="self")
    env.reset()
    with pytest.raises(
        IllegalMoveError, match=r"illegal move 'a1' in .*: no pawn move leads there"
    ):
        env.step(0)
    env.step(number("e2", env.state))
    assert env.state.move_count == 1  # the refused one was not played
    with pytest.raises(IllegalMoveError, match="illegal move 'a9'"):  # as player 2 sees a1
        env.step(0)


def test_an_illegal_action_may_be_replaced_by_a_random_one() -> None:
    games = []
    for _ in range(2):
        env = make(illegal="random", opponent="self", preset="small")
        env.reset(seed=5)
        while env.state.move_count < 10:
            env.step(0)
        games.append(env.state.text())
    assert games[0] == games[1]


@pytest.mark.parametrize("action", [-1, 209, 1.0, "e2", None, [13, 13]])
def test_what_is_no_action_always_raises(action: Option) -> None:
    env = make(opponent="self")
    env.reset()
    with pytest.raises(IllegalMoveError, match="expected an action"):
        env.step(action)
    assert env.state.move_count == 0


@pytest.mark.parametrize("action", [13, np.int64(13), np.uint8(13), np.array(13), np.array([13])])
def test_whole_numbers_of_any_kind_are_actions(action: Option) -> None:
    env = make(opponent="self")
    env.reset()
    env.step(action)
    assert env.state == State().play("e2")


def test_a_seed_fixes_the_game_and_the_next_ones() -> None:
    def play(env: QuoridorEnv, seed: int) -> list[str]:
        texts = []
        for reset_seed in (seed, None, None):
            env.reset(seed=reset_seed)
            for _ in range(6):
                texts.append(env.state.text())
                env.step(np.flatnonzero(env.action_masks())[-1])
        return texts

    env = make(player="random")
    first = play(env, 1)
    assert play(env, 1) == first
    assert play(make(player="random"), 1) == first
    assert play(env, 2) != first
    fixed = make(opponent="random:seed=3")
    assert play(fixed, 1) == play(fixed, 2)  # a seed of the opponent's own comes first


def test_seats_are_drawn_evenly(seed: int) -> None:
    env = make(player="random", preset="tiny")
    env.reset(seed=seed)
    seats = [env.reset()[1]["player"] for _ in range(200)]
    assert 60 < seats.count(1) < 140


def test_an_agent_may_be_the_opponent_and_hears_of_new_games() -> None:
    class Counting(PathfinderAgent):
        games = 0

        def new_game(self) -> None:
            self.games += 1

    opponent = Counting()
    env = make(opponent=opponent, player=2)
    env.reset(seed=1)
    env.reset()
    assert opponent.games == 2
    assert env.state.move_count == 1


def test_positions_to_start_from() -> None:
    env = make(preset="small")
    position = State(env.config).play("c2").play("c4")
    for given in (position, position.text()):
        env.reset(options={"position": given})
        assert env.state == position
    for bad, why in [
        (State(), "of this environment's game"),
        ("5 c5/c4 - 5/5 2 9 9", "the game is over"),
        (17, "of this environment's game"),
    ]:
        with pytest.raises(ConfigError, match=why):
            env.reset(options={"position": bad})
    with pytest.raises(ConfigError, match="unknown reset option 'positon'"):
        env.reset(options={"positon": position})


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"opponent": "nobody"}, "unknown agent 'nobody'"),
        ({"player": 3}, "expected player to be one of 1, 2, 'random', got 3"),
        ({"illegal": "ignore"}, "expected illegal to be one of 'lose', 'raise', 'random'"),
        ({"preset": "huge"}, "expected a preset among"),
        ({"preset": "tiny", "config": GameConfig()}, "expected a preset or a config, got both"),
        ({"config": {"board_size": 5}}, "expected a GameConfig"),
        ({"render_mode": "video"}, "expected render_mode to be one of"),
        ({"history_length": 0}, "expected history_length to be a whole number from 1 to 16, got 0"),
    ],
)
def test_settings_that_cannot_work(settings: Settings, why: str) -> None:
    with pytest.raises(ConfigError, match=why):
        QuoridorEnv(**settings)


def test_nothing_works_before_the_first_reset() -> None:
    env = QuoridorEnv()
    for use in (lambda: env.step(13), env.render, env.action_masks, lambda: env.state):
        with pytest.raises(ResetNeeded, match=r"call reset\(\)"):
            use()
