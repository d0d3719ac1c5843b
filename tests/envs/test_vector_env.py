"""The native vector environment against single positions, and what it says to bad arrays."""

from __future__ import annotations

import random
from threading import Thread

import gymnasium
import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

from plyground import _core, quoridor
from plyground.config import Settings
from plyground.envs import Ending, QuoridorVectorEnv
from plyground.envs.game_vector import Arrays, Planes
from plyground.errors import ConfigError, IllegalMoveError
from plyground.games.base import Option
from plyground.quoridor import GameConfig, State

SMALL = GameConfig.preset("small")


def planes_of(
    env: QuoridorVectorEnv, observations: Arrays, planes: Planes
) -> NDArray[np.float32] | NDArray[np.uint8] | NDArray[np.int8]:
    spatial = observations["spatial"]
    return env.unpack_planes(spatial.astype(np.uint8)) if planes == "bits" else spatial


@pytest.mark.parametrize("planes", ["float32", "uint8", "bits"])
@pytest.mark.parametrize(
    ("config", "history_length"),
    [
        (GameConfig.preset("tiny"), 4),
        (GameConfig(board_size=6, walls_per_player=7, max_moves=40), 3),
        (GameConfig(max_moves=30, draw_penalty=-0.5), 4),
    ],
)
def test_every_game_is_the_game_that_states_play(
    config: GameConfig, history_length: int, planes: Planes, rng: random.Random
) -> None:
    env = QuoridorVectorEnv(
        12, config=config, planes=planes, threads=2, history_length=history_length
    )
    observations, infos = env.reset(seed=rng.randrange(1000))
    states = [State(config) for _ in range(12)]
    size = config.board_size
    for _ in range(60):
        spatial = planes_of(env, observations, planes)
        for i, state in enumerate(states):
            expected, scalars = quoridor.encode_state(state, history_length)
            np.testing.assert_array_equal(spatial[i], expected)
            np.testing.assert_array_equal(observations["scalars"][i], scalars)
            mask = quoridor.get_action_mask(state, flipped=True)
            np.testing.assert_array_equal(observations["action_mask"][i], mask)
            assert env.state(i) == state
            assert infos["player"][i] == state.current_player
        assert observations in env.observation_space
        actions = env.random_actions()
        if rng.random() < 0.3:
            actions[rng.randrange(12)] = rng.randrange(quoridor.action_space_size(size))
        observations, rewards, terminated, truncated, infos = env.step(actions)
        assert not truncated.any()
        for i, state in enumerate(states):
            action = int(actions[i])
            if state.current_player == 2:
                action = quoridor.flip_action(action, size)
            if not state.is_legal(action):
                assert (rewards[i], infos["ending"][i]) == (-1, Ending.ILLEGAL)
                assert infos["move_count"][i] == state.move_count
                states[i] = State(config)
                continue
            mover, state = state.current_player, state.play(action)
            reward = {mover: 1.0, None: config.draw_penalty}.get(state.winner, -1.0)
            assert rewards[i] == np.float32(reward if state.game_over else 0)
            assert infos["move_count"][i] == state.move_count
            assert terminated[i] == state.game_over
            ends = {"goal": state.winner, "move limit": 3, "no progress": 4}
            assert infos["ending"][i] == (ends[state.outcome.reason] if state.outcome else 0)
            states[i] = State(config) if state.game_over else state


def test_as_gymnasium_makes_it() -> None:
    env = gymnasium.make_vec(
        "plyground.envs:Quoridor-v0",
        num_envs=5,
        vectorization_mode="vector_entry_point",
        preset="small",
        opponent="self",
    )
    assert isinstance(env, QuoridorVectorEnv)
    observations, _ = env.reset()
    assert observations in env.observation_space
    assert env.action_space == gymnasium.spaces.MultiDiscrete([57] * 5)
    observations, rewards, terminated, truncated, _ = env.step(env.random_actions())
    assert [a.dtype for a in (rewards, terminated, truncated)] == [np.float32, bool, bool]
    env.close()


def test_gymnasiums_own_vectors_work_with_any_opponent() -> None:
    env = gymnasium.make_vec(
        "plyground.envs:Quoridor-v0",
        num_envs=3,
        vectorization_mode="sync",
        preset="tiny",
        opponent="pathfinder",
        player="random",
        illegal="random",
    )
    env.reset(seed=3)
    for _ in range(20):
        observations, *_ = env.step(np.zeros(3, np.int64))
        assert observations["action_mask"].shape == (3, 17)
    env.close()


def test_threads_and_copies_change_nothing(seed: int) -> None:
    def play(**settings: Option) -> list[list[NDArray[np.generic]]]:
        env = QuoridorVectorEnv(300, preset="small", illegal="random", **settings)
        env.reset(seed=seed)
        seen = []
        for _ in range(40):
            observations, rewards, _, _, infos = env.step(np.zeros(300, np.int64))
            seen.append([observations["spatial"].copy(), rewards.copy(), infos["ending"].copy()])
        return seen

    first = play(threads=1)
    for settings in ({"threads": 3}, {"threads": 2, "copy": False}):
        for ours, theirs in zip(first, play(**settings), strict=True):
            for a, b in zip(ours, theirs, strict=True):
                np.testing.assert_array_equal(a, b)


def test_copies_stay_as_they_were() -> None:
    for copy in (True, False):
        env = QuoridorVectorEnv(4, preset="small", copy=copy)
        first, _ = env.reset()
        kept = first["spatial"].copy()
        second, *_ = env.step(env.random_actions())
        assert (second["spatial"] is first["spatial"]) == (not copy)
        assert np.array_equal(first["spatial"], kept) == copy


def test_what_is_not_wanted_is_left_out() -> None:
    env = QuoridorVectorEnv(3, preset="small", planes=None, mask=False)
    observations, _ = env.reset()
    assert list(observations) == ["scalars"]
    assert observations in env.observation_space
    observations, *_ = env.step(env.random_actions())
    assert observations["scalars"].shape == (3, 5)


def test_games_start_at_a_position() -> None:
    position = State(SMALL).play("c2").play("c4").play("c3")
    env = QuoridorVectorEnv(2, config=SMALL, position=position)
    observations, infos = env.reset()
    assert infos["player"].tolist() == [2, 2]
    np.testing.assert_array_equal(observations["spatial"][1], quoridor.encode_state(position)[0])
    # b2 and the jump to c2, seen from the other side; the first is illegal and starts again.
    _, rewards, terminated, _, infos = env.step([16, 17])
    assert rewards.tolist() == [-1, 0]
    assert terminated.tolist() == [True, False]
    assert infos["ending"].tolist() == [Ending.ILLEGAL, Ending.ONGOING]
    assert env.state(0) == position
    assert env.state(1) == position.play("c2")


@pytest.mark.parametrize(
    ("actions", "why"),
    [
        ([7, 7], r"expected 3 actions, one a game, got an array of shape \(2,\)"),
        ([[7, 7, 7]], r"got an array of shape \(1, 3\)"),
        (7, r"got an array of shape \(\)"),
        ([7.0, 7.0, 7.0], "expected whole numbers as actions, got type float64"),
        ([True, True, True], "expected whole numbers as actions, got type bool"),
        ([7, 57, 7], "expected actions from 0 to 56, got 57 for game 1"),
        ([7, 7, -3], "expected actions from 0 to 56, got -3 for game 2"),
        (np.array([7, 2**32 + 7, 7]), "expected actions from 0 to 56, got 4294967303 for game 1"),
        (np.array([2**64 - 1, 7, 7], np.uint64), f"got {2**64 - 1} for game 0"),
        (np.array([7, -1, 57], np.int32), "expected actions from 0 to 56, got -1 for game 1"),
        ([7, 7, 0], "game 2: illegal move 'a1' in .*: no pawn move leads there"),
    ],
)
def test_bad_actions_are_refused_and_nothing_is_played(actions: ArrayLike, why: str) -> None:
    env = QuoridorVectorEnv(3, preset="small", illegal="raise")
    env.reset()
    with pytest.raises(IllegalMoveError, match=why):
        env.step(actions)
    assert [env.state(i).move_count for i in range(3)] == [0, 0, 0]
    env.step(np.full(3, 7, np.uint8))  # any kind of whole number will do
    assert env.state(2).move_count == 1


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"num_envs": 0}, "expected 1 to 16777216 games, got 0"),
        ({"threads": -1}, "expected threads from 1 to 256, got -1"),
        ({"illegal": "ignore"}, "expected illegal to be 'lose', 'raise' or 'random'"),
        ({"planes": "float64"}, "expected planes to be one of 'float32', 'uint8', 'bits', None"),
        ({"opponent": "random"}, "expected the opponent 'self' in the native vector, got 'random'"),
        ({"position": "5 c5/c4 - 5/5 2 9 9", "preset": "small"}, "the game is over"),
        ({"history_length": 17}, "expected history_length to be a whole number from 1 to 16"),
    ],
)
def test_settings_that_cannot_work(settings: Settings, why: str) -> None:
    with pytest.raises(ConfigError, match=why):
        QuoridorVectorEnv(**{"num_envs": 2, **settings})


def test_the_core_checks_arrays_itself() -> None:
    games = _core.QuoridorVector(2, State(SMALL))
    with pytest.raises(IndexError, match="no game 2"):
        games.state(2)
    with pytest.raises(ConfigError, match="the game is over"):
        _core.QuoridorVector(2, State.parse("5 c5/c4 - 5/5 2 9 9"))
    with pytest.raises(ValueError, match=r"masks for 2 games with 57 each.*shape \(2, 56\)"):
        games.reset(masks=np.zeros((2, 56), np.int8))
    with pytest.raises(TypeError, match="planes of type float32 or uint8"):
        games.reset(planes=np.zeros((2, 16, 5, 5), np.int32))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="planes for 2 games with 50 each"):
        games.reset(planes=np.zeros((2, 49), np.uint8))
    for bad in (np.zeros(2, np.int64), np.zeros(4, np.int32)[::2]):
        with pytest.raises(TypeError, match="incompatible function arguments"):
            games.random_actions(bad)  # type: ignore[arg-type]
    frozen = np.zeros(2, np.int32)
    frozen.flags.writeable = False
    with pytest.raises(TypeError, match="incompatible function arguments"):
        games.random_actions(frozen)


def test_several_threads_may_share_the_games() -> None:
    env = QuoridorVectorEnv(200, planes="bits", illegal="random", threads=2)
    env.reset()

    def play() -> None:
        for _ in range(10):
            env.step(np.zeros(200, np.int32))

    players = [Thread(target=play) for _ in range(4)]
    for player in players:
        player.start()
    for player in players:
        player.join()
    # 40 moves each; fewer where a game has ended and begun again.
    counts = [env.state(i).move_count for i in range(200)]
    assert max(counts) == 40


def test_no_reset_options() -> None:
    with pytest.raises(ConfigError, match="has no reset options"):
        QuoridorVectorEnv(2).reset(options={"position": "9"})
