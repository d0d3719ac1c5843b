"""Reversi's native vector environment against single states."""

from __future__ import annotations

import random
from itertools import pairwise

import gymnasium
import numpy as np
import pytest
from numpy.typing import NDArray

from plyground import _core
from plyground.config import Settings
from plyground.envs import Ending, ReversiVectorEnv
from plyground.envs.game_vector import Planes
from plyground.envs.reversi_view import ReversiView
from plyground.errors import ConfigError, IllegalMoveError
from plyground.games.base import Option
from plyground.reversi import PASS, State

MUST_PASS = "OX" + "-" * 62 + " X"
F5 = 37
VIEW = ReversiView()


@pytest.mark.parametrize("planes", ["float32", "uint8", "bits"])
def test_every_game_is_the_game_that_states_play(planes: Planes, rng: random.Random) -> None:
    env = ReversiVectorEnv(12, planes=planes, threads=2)
    observations, infos = env.reset(seed=rng.randrange(1000))
    states, moves = [State()] * 12, [0] * 12
    for _ in range(130):
        spatial = observations["spatial"]
        if planes == "bits":
            spatial = env.unpack_planes(spatial.astype(np.uint8))
        for i, state in enumerate(states):
            expected = VIEW.features(state, state.current_player)
            np.testing.assert_array_equal(spatial[i], expected["spatial"])
            np.testing.assert_array_equal(observations["scalars"][i], expected["scalars"])
            np.testing.assert_array_equal(observations["action_mask"][i], VIEW.mask(state))
            assert env.state(i) == state
            assert infos["player"][i] == state.current_player
        assert observations in env.observation_space
        actions = env.random_actions()
        if rng.random() < 0.1:
            actions[rng.randrange(12)] = rng.randrange(65)
        observations, rewards, terminated, truncated, infos = env.step(actions)
        assert not truncated.any()
        for i, state in enumerate(states):
            action = int(actions[i])
            if not state.is_legal(action):
                assert (rewards[i], infos["ending"][i]) == (-1, Ending.ILLEGAL)
                assert infos["move_count"][i] == moves[i]
                states[i], moves[i] = State(), 0
                continue
            mover, state = state.current_player, state.play(action)
            moves[i] += 1
            assert rewards[i] == state.reward(mover)
            assert infos["move_count"][i] == moves[i]
            assert terminated[i] == state.game_over
            ending = (state.winner or Ending.DRAW) if state.game_over else Ending.ONGOING
            assert infos["ending"][i] == ending
            states[i] = State() if state.game_over else state
            moves[i] *= not state.game_over


def test_a_player_without_a_move_must_pass() -> None:
    env = ReversiVectorEnv(2, position=MUST_PASS)
    observations, _ = env.reset()
    assert np.flatnonzero(observations["action_mask"][0]).tolist() == [PASS]
    assert env.random_actions().tolist() == [PASS, PASS]
    _, rewards, _, _, infos = env.step([PASS, 2])  # the second is illegal
    assert rewards.tolist() == [0, -1]
    assert infos["ending"].tolist() == [Ending.ONGOING, Ending.ILLEGAL]
    _, rewards, terminated, _, infos = env.step([2, PASS])
    assert (rewards[0], terminated[0], infos["ending"][0]) == (1, True, Ending.PLAYER_2)
    assert infos["move_count"].tolist() == [2, 1]
    assert env.state(0) == State.parse(MUST_PASS)


def almost_full(black: int) -> str:
    """A position with h8 empty, where black's only move flips g8 alone and ends the game."""
    white = {62, *range(7, 63, 8), *range(0, 63, 9)}  # g8, column h, the diagonal from a1
    others = [square for square in range(61, -1, -1) if square not in white]
    squares = ["O"] * 63 + ["-"]
    for square in others[:black]:
        squares[square] = "X"
    return "".join(squares) + " X"


@pytest.mark.parametrize(
    ("black", "reward", "ending"),
    [(30, 0, Ending.DRAW), (31, 1, Ending.PLAYER_1), (29, -1, Ending.PLAYER_2)],
)
def test_the_last_mover_can_draw_win_and_lose(black: int, reward: int, ending: Ending) -> None:
    env = ReversiVectorEnv(1, position=almost_full(black))
    _, rewards, _, _, infos = env.step([63])
    assert (rewards[0], infos["ending"][0]) == (reward, ending)


def test_as_gymnasium_makes_it() -> None:
    env = gymnasium.make_vec(
        "plyground.envs:Reversi-v0",
        num_envs=5,
        vectorization_mode="vector_entry_point",
        opponent="self",
    )
    assert isinstance(env, ReversiVectorEnv)
    observations, _ = env.reset()
    assert observations in env.observation_space
    assert env.action_space == gymnasium.spaces.MultiDiscrete([65] * 5)
    env.step(env.random_actions())
    env.close()


def test_threads_and_copies_change_nothing(seed: int) -> None:
    def play(**settings: Option) -> list[NDArray[np.generic]]:
        env = ReversiVectorEnv(300, illegal="random", **settings)
        env.reset(seed=seed)
        seen = []
        for _ in range(65):
            observations, rewards, _, _, infos = env.step(np.zeros(300, np.int64))
            seen += [observations["spatial"].copy(), rewards.copy(), infos["ending"].copy()]
        return seen

    games = [play(threads=1), play(threads=3), play(threads=2, copy=False)]
    for ours, theirs in pairwise(games):
        for a, b in zip(ours, theirs, strict=True):
            np.testing.assert_array_equal(a, b)


def test_what_is_not_wanted_is_left_out() -> None:
    observations, _ = ReversiVectorEnv(3, planes=None, mask=False).reset()
    assert {name: part.shape for name, part in observations.items()} == {"scalars": (3, 2)}


@pytest.mark.parametrize(
    ("actions", "why"),
    [
        ([F5, 65, F5], "expected actions from 0 to 64, got 65 for game 1"),
        (np.array([F5, F5, -1], np.int32), "expected actions from 0 to 64, got -1 for game 2"),
        ([F5, F5, 0], "game 2: illegal move 'a1' in "),
        ([PASS, F5, F5], "game 0: illegal move 'pass' in "),
    ],
)
def test_bad_actions_are_refused_and_nothing_is_played(actions: list[int], why: str) -> None:
    env = ReversiVectorEnv(3, illegal="raise")
    env.reset()
    with pytest.raises(IllegalMoveError, match=why):
        env.step(actions)
    assert [env.state(i) for i in range(3)] == [State()] * 3
    env.step([F5] * 3)
    assert env.state(2) == State().play("f5")


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"num_envs": 0}, "expected 1 to 16777216 games, got 0"),
        ({"threads": 257}, "expected threads from 1 to 256, got 257"),
        ({"illegal": "ignore"}, "expected illegal to be 'lose', 'raise' or 'random'"),
        ({"planes": "float64"}, "expected planes to be one of 'float32', 'uint8', 'bits', None"),
        ({"opponent": "random"}, "expected the opponent 'self' in the native vector, got 'random'"),
        ({"position": "X" * 64 + " O"}, "the game is over"),
    ],
)
def test_settings_that_cannot_work(settings: Settings, why: str) -> None:
    with pytest.raises(ConfigError, match=why):
        ReversiVectorEnv(**{"num_envs": 2, **settings})


def test_the_core_checks_its_arguments_itself() -> None:
    games = _core.ReversiVector(2, State())
    with pytest.raises(IndexError, match="no game 2"):
        games.state(2)
    with pytest.raises(ConfigError, match="the game is over"):
        _core.ReversiVector(2, State.parse("X" * 64 + " O"))
    with pytest.raises(ValueError, match=r"masks for 2 games with 65 each.*shape \(2, 64\)"):
        games.reset(masks=np.zeros((2, 64), np.int8))
