"""Reversi's environments: the checkers of both libraries, passes, views, rewards, pictures."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from numpy.typing import NDArray
from pettingzoo.test.api_test import api_test
from pettingzoo.test.max_cycles_test import max_cycles_test
from pettingzoo.test.parallel_test import parallel_api_test
from pettingzoo.test.render_test import render_test
from pettingzoo.test.seed_test import parallel_seed_test, seed_test

from plyground import quoridor
from plyground.agents import RandomAgent
from plyground.config import Settings
from plyground.envs import ReversiEnv, grid_picture, reversi_v0
from plyground.envs.picture import BACKGROUND, Picture
from plyground.envs.reversi_view import ReversiView
from plyground.envs.turns import CheckedEnv
from plyground.errors import ConfigError, IllegalMoveError
from plyground.games.base import Option
from plyground.reversi import PASS, State

NAME = "plyground.envs:Reversi-v0"
MUST_PASS = "OX" + "-" * 62 + " X"
F5, D6 = 37, 43


def make(**settings: Option) -> ReversiEnv:
    env = gymnasium.make(NAME, **settings).unwrapped
    assert isinstance(env, ReversiEnv)
    return env


def shown(state: State, player: int) -> NDArray[np.float32]:
    """What a player should see, square by square from the position's text."""
    squares = np.array(list(state.text().split()[0])).reshape(8, 8)
    mine, other = "XO" if player == 1 else "OX"
    return np.stack([squares == mine, squares == other]).astype(np.float32)


@pytest.mark.parametrize(
    "settings",
    [{}, {"opponent": "self"}, {"opponent": "minimax:depth=1", "player": 2}, {"illegal": "random"}],
)
def test_gymnasiums_own_checker(settings: Settings) -> None:
    check_env(make(**settings))  # warnings fail, too


def test_whole_games_under_gymnasiums_wrappers(rng: random.Random) -> None:
    env = gymnasium.make(NAME, player="random")
    for _ in range(5):
        _, info = env.reset(seed=rng.randrange(1000))
        over = False
        while not over:
            action = rng.choice(np.flatnonzero(info["action_mask"]))
            observation, reward, over, truncated, info = env.step(action)
            assert not truncated
            np.testing.assert_array_equal(info["action_mask"], observation["action_mask"])
        assert reward == {0: 0.0, info["player"]: 1.0}.get(info["winner"], -1.0)


def test_self_play_shows_the_next_player_its_own_discs_first(rng: random.Random) -> None:
    env = make(opponent="self")
    state = State()
    observation, info = env.reset()
    while not state.game_over:
        player = state.current_player
        assert info["player"] == player
        np.testing.assert_array_equal(observation["spatial"], shown(state, player))
        discs = sum(state.counts.values())
        assert observation["scalars"].tolist() == pytest.approx([player - 1, discs / 64])
        assert np.flatnonzero(observation["action_mask"]).tolist() == state.legal_actions()
        np.testing.assert_array_equal(env.action_masks(), observation["action_mask"])
        action = rng.choice(state.legal_actions())
        state = state.play(action)
        observation, reward, over, _, info = env.step(action)
        assert env.state == state
        assert over == state.game_over
    # The reward is the last mover's, who may have lost.
    assert reward == {None: 0.0, player: 1.0}.get(state.winner, -1.0)
    assert state.outcome is not None
    assert (info["winner"], info["reason"]) == (state.winner or 0, state.outcome.reason)
    assert not observation["action_mask"].any()


@pytest.mark.parametrize("player", [1, 2])
def test_the_learner_sees_its_own_side_against_an_opponent(player: int, rng: random.Random) -> None:
    env = make(player=player)
    for seed in range(5):
        observation, info = env.reset(seed=seed)
        over = False
        while not over:
            assert (info["player"], env.state.current_player) == (player, player)
            np.testing.assert_array_equal(observation["spatial"], shown(env.state, player))
            action = rng.choice(np.flatnonzero(observation["action_mask"]))
            observation, _, over, _, info = env.step(action)
        np.testing.assert_array_equal(observation["spatial"], shown(env.state, player))


def test_a_player_who_cannot_move_must_pass() -> None:
    env = make(opponent="self")
    observation, _ = env.reset(options={"position": MUST_PASS})
    assert np.flatnonzero(observation["action_mask"]).tolist() == [PASS]
    _, reward, over, _, info = env.step(PASS)
    assert (reward, over, info["player"]) == (0.0, False, 2)
    _, reward, over, _, info = env.step(2)  # white wipes black out
    assert (reward, over, info["winner"], info["reason"]) == (1.0, True, 2, "wipe-out")
    env.reset()
    _, reward, over, _, info = env.step(PASS)  # there are moves: this is illegal
    assert (reward, over, info["reason"]) == (-1.0, True, "illegal move")


def test_illegal_actions_and_what_is_no_action() -> None:
    env = make(opponent="self")
    env.reset()
    assert env.step(0)[1:3] == (-1.0, True)
    with pytest.raises(ResetNeeded, match="the game is over"):
        env.step(F5)
    env = make(opponent="self", illegal="raise")
    env.reset()
    with pytest.raises(IllegalMoveError, match="illegal move 'a1'"):
        env.step(0)
    env.step(F5)
    assert env.state == State().play("f5")
    wrong: tuple[Option, ...] = (-1, 65, 1.0, "f5", None)
    for action in wrong:
        with pytest.raises(IllegalMoveError, match="expected an action"):
            env.step(action)


def test_a_seed_fixes_the_game() -> None:
    def play(seed: int) -> str:
        env = make(player="random")
        env.reset(seed=seed)
        while env.episode.outcome is None:
            env.step(np.flatnonzero(env.action_masks())[0])
        return env.state.text()

    assert play(1) == play(1)
    assert len({play(seed) for seed in range(4)}) > 1


def test_an_agent_may_be_the_opponent_and_others_are_refused() -> None:
    env = make(opponent=RandomAgent(seed=1), player=2)
    env.reset(seed=1)
    assert env.state.current_player == 2
    with pytest.raises(ConfigError, match="the agent 'pathfinder' does not play reversi"):
        ReversiEnv(opponent="pathfinder")


def test_positions_to_start_from() -> None:
    env = make(opponent="self")
    position = State().play("f5").play("d6")
    for given in (position, position.text()):
        env.reset(options={"position": given})
        assert env.state == position
    for bad, why in [
        (quoridor.State(), "of this environment's game"),
        ("X" * 64 + " O", "the game is over"),
    ]:
        with pytest.raises(ConfigError, match=why):
            env.reset(options={"position": bad})


@pytest.mark.usefixtures("listed_by_pettingzoo")
@pytest.mark.parametrize("settings", [{}, {"max_cycles": 3}, {"observations": "dict"}])
@pytest.mark.parametrize("make_aec", [reversi_v0.env, reversi_v0.raw_env])
def test_pettingzoos_api(make_aec: Callable[..., CheckedEnv], settings: Settings) -> None:
    api_test(make_aec(**settings), num_cycles=300)


def test_pettingzoos_api_of_arrays() -> None:
    api_test(reversi_v0.env(observations="array"), num_cycles=300)


def test_pettingzoos_other_tests(capsys: pytest.CaptureFixture[str]) -> None:
    seed_test(reversi_v0.env, num_cycles=50)
    parallel_seed_test(reversi_v0.parallel_env, num_cycles=50)
    max_cycles_test(reversi_v0)
    parallel_api_test(reversi_v0.parallel_env(), num_cycles=100)
    capsys.readouterr()
    render_test(reversi_v0.env)  # type: ignore[arg-type]  # its annotation is wrong
    assert "black (X) to move, discs 2-2" in capsys.readouterr().out


def test_each_agent_sees_its_own_side_and_is_rewarded(rng: random.Random) -> None:
    winners = set()
    for _ in range(12):
        env = reversi_v0.env()
        env.reset()
        last = {}
        for agent in env.agent_iter():
            observation, reward, terminated, _, info = env.last()
            game = env.unwrapped
            assert isinstance(game, reversi_v0.raw_env)
            state, player = game.game_state, int(agent[-1])
            assert observation is not None
            planes = observation["observation"]
            assert planes.shape == (8, 8, 4)
            np.testing.assert_array_equal(planes[..., :2].transpose(2, 0, 1), shown(state, player))
            assert (planes[..., 2] == player - 1).all()
            assert (planes[..., 3] == sum(state.counts.values()) / 64).all()
            if terminated:
                last[player] = reward
                assert state.outcome is not None
                assert info == {"winner": state.winner or 0, "reason": state.outcome.reason}
                env.step(None)
                continue
            assert state.current_player == player
            assert np.flatnonzero(observation["action_mask"]).tolist() == state.legal_actions()
            assert not game.observe(f"player_{3 - player}")["action_mask"].any()
            env.step(rng.choice(state.legal_actions()))
        winners.add(state.winner)
        assert last == {
            player: {None: 0.0, player: 1.0}.get(state.winner, -1.0) for player in (1, 2)
        }
    assert {1, 2} <= winners


def test_acting_at_once_the_second_is_shown_what_it_could_play_now() -> None:
    env = reversi_v0.parallel_env()
    observations, _ = env.reset()
    answers = State.parse(State().text().replace(" X", " O")).legal_actions()
    assert np.flatnonzero(observations["player_2"]["action_mask"]).tolist() == answers
    env.step({"player_1": F5, "player_2": D6})
    assert env._game.game_state == State().play("f5").play("d6")


def test_can_be_pickled() -> None:
    env = pickle.loads(pickle.dumps(reversi_v0.raw_env(max_cycles=5)))
    assert env.action_space("player_1").n == 65
    assert pickle.loads(pickle.dumps(reversi_v0.parallel_env())).possible_agents == [
        "player_1",
        "player_2",
    ]


def test_the_picture_shows_discs_moves_and_the_turn() -> None:
    state = State().play("f5")
    picture = make_picture(state)
    legal = state.legal_actions()
    for square in range(64):
        x, y = grid_picture.centre(*divmod(square, 8))
        if state.black >> square & 1:
            expected = grid_picture.DISCS[1]
        elif state.white >> square & 1:
            expected = grid_picture.DISCS[2]
        else:
            expected = grid_picture.HINT if square in legal else grid_picture.SQUARE
        assert tuple(picture[y, x].tolist()) == expected, square
    beside = (len(picture) // 2, len(picture) - grid_picture.MARGIN // 2)
    assert tuple(picture[beside].tolist()) == grid_picture.DISCS[2]
    over = ReversiView().draw(State.parse("X" * 64 + " O"))
    assert tuple(over[beside].tolist()) == BACKGROUND


def make_picture(state: State) -> Picture:
    env = make(opponent="self", render_mode="rgb_array")
    env.reset(options={"position": state})
    picture = env.render()
    assert isinstance(picture, np.ndarray)
    assert (picture.dtype.name, picture.ndim, picture.shape[2]) == ("uint8", 3, 3)
    return picture


def test_text_modes(capsys: pytest.CaptureFixture[str]) -> None:
    env = make(opponent="self", render_mode="ansi")
    env.reset()
    assert env.render() == str(State())
    env = make(opponent="self", render_mode="human")
    env.reset()
    assert capsys.readouterr().out == f"{State()}\n"
