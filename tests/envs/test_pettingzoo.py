"""The PettingZoo environment: PettingZoo's own tests, and what they leave open."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from gymnasium import spaces
from pettingzoo.test.api_test import api_test
from pettingzoo.test.max_cycles_test import max_cycles_test
from pettingzoo.test.parallel_test import parallel_api_test
from pettingzoo.test.render_test import render_test
from pettingzoo.test.seed_test import parallel_seed_test, seed_test

from plyground import quoridor
from plyground.config import Settings
from plyground.envs import quoridor_v0
from plyground.envs.common import Info
from plyground.envs.turns import (
    OBSERVATION_FORMS,
    AgentObservation,
    CheckedEnv,
    ObservationForm,
)
from plyground.errors import ConfigError, IllegalMoveError
from plyground.quoridor import GameConfig, State


@pytest.mark.usefixtures("listed_by_pettingzoo")
@pytest.mark.parametrize(
    "settings", [{}, {"preset": "tiny"}, {"max_cycles": 3}, {"observations": "dict"}]
)
@pytest.mark.parametrize("make", [quoridor_v0.env, quoridor_v0.raw_env])
def test_api(make: Callable[..., CheckedEnv], settings: Settings) -> None:
    api_test(make(**settings), num_cycles=300)


@pytest.mark.parametrize("settings", [{"preset": "tiny"}, {"max_cycles": 3}])
@pytest.mark.parametrize("make", [quoridor_v0.env, quoridor_v0.raw_env])
def test_api_of_arrays(make: Callable[..., CheckedEnv], settings: Settings) -> None:
    api_test(make(observations="array", **settings), num_cycles=300)


def test_seeds() -> None:
    seed_test(quoridor_v0.env, num_cycles=50)
    parallel_seed_test(quoridor_v0.parallel_env, num_cycles=50)


def test_max_cycles() -> None:
    for _ in range(5):  # it draws its actions at random
        max_cycles_test(quoridor_v0)


def test_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(quoridor_v0.env)  # type: ignore[arg-type]  # its annotation is wrong
    assert "player 1 to move, walls left 10/10, move 0" in capsys.readouterr().out


@pytest.mark.parametrize("form", OBSERVATION_FORMS)
def test_parallel_api(form: ObservationForm) -> None:
    env = quoridor_v0.parallel_env(preset="small", observations=form)
    parallel_api_test(env, num_cycles=100)


def raw(env: CheckedEnv) -> quoridor_v0.raw_env:
    assert isinstance(env.unwrapped, quoridor_v0.raw_env)
    return env.unwrapped


def play(
    env: CheckedEnv, rng: random.Random
) -> Iterator[tuple[str, AgentObservation, float, Info, State]]:
    """A random game; yields the agent, what it is told and the position, after the end too."""
    env.reset()
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        assert observation is not None
        yield agent, observation, reward, info, raw(env).game_state
        done = terminated or truncated
        env.step(None if done else rng.choice(np.flatnonzero(observation["action_mask"])))


@pytest.mark.parametrize("preset", ["tiny", "small"])
def test_each_agent_sees_its_own_side(preset: str, rng: random.Random) -> None:
    env = quoridor_v0.env(preset=preset, observations="dict")
    for agent, observation, _, _, state in play(env, rng):
        if state.game_over:
            continue
        assert agent == f"player_{state.current_player}"
        spatial, scalars = quoridor.encode_state(state)
        np.testing.assert_array_equal(observation["observation"]["spatial"], spatial)
        np.testing.assert_array_equal(observation["observation"]["scalars"], scalars)
        mask = quoridor.get_action_mask(state, flipped=True)
        np.testing.assert_array_equal(observation["action_mask"], mask)


def test_scalars_fill_planes_of_one_array(rng: random.Random) -> None:
    env = quoridor_v0.env(preset="small")
    space = env.observation_space("player_1")
    assert isinstance(space, spaces.Dict)
    assert space["observation"] == spaces.Box(0, 1, (5, 5, 21), np.float32)
    for _, observation, _, _, state in play(env, rng):
        planes, mask = observation.values()  # in the order of PettingZoo's own games
        if not state.game_over:
            spatial, scalars = quoridor.encode_state(state)
            np.testing.assert_array_equal(planes[..., :16], spatial.transpose(1, 2, 0))
            for plane, scalar in enumerate(scalars, 16):
                assert (planes[..., plane] == scalar).all()
            np.testing.assert_array_equal(mask, quoridor.get_action_mask(state, flipped=True))


def test_arrays_have_their_masks_in_the_infos() -> None:
    env, same = quoridor_v0.env(observations="array"), quoridor_v0.env()
    for game in (env, same):
        game.reset()
    for action in (13, 13):
        for game in (env, same):
            game.step(action)
        planes, _, _, _, info = env.last()
        expected = raw(same).observe(same.agent_selection)
        np.testing.assert_array_equal(planes, expected["observation"])
        np.testing.assert_array_equal(info["action_mask"], expected["action_mask"])
    env.step(0)  # illegal
    assert sorted(env.infos["player_1"]) == ["action_mask", "reason", "winner"]
    assert not env.infos["player_1"]["action_mask"].any()


def test_acting_at_once_arrays_have_their_masks_in_the_infos() -> None:
    env = quoridor_v0.parallel_env(preset="tiny", observations="array")
    same = quoridor_v0.parallel_env(preset="tiny")
    (planes, infos), (expected, _) = env.reset(), same.reset()
    for agent in env.agents:
        np.testing.assert_array_equal(planes[agent], expected[agent]["observation"])
        np.testing.assert_array_equal(infos[agent]["action_mask"], expected[agent]["action_mask"])
        assert infos[agent]["action_mask"].any()


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(ConfigError, match="observations to be one of 'planes', 'dict', 'array'"):
        quoridor_v0.env(observations="list")  # type: ignore[arg-type]


def test_the_other_agent_sees_what_it_would_see_if_it_were_to_move(rng: random.Random) -> None:
    # Without history, a position read with the other player to move shows the same.
    config = GameConfig(board_size=5, walls_per_player=6)
    env = quoridor_v0.env(config=config, history_length=1, observations="dict")
    for _, _, _, _, state in play(env, rng):
        if state.game_over:
            continue
        fields = state.text().split()
        fields[4] = str(3 - state.current_player)
        spatial, scalars = quoridor.encode_state(State.parse(" ".join(fields), config), 1)
        seen = raw(env).observe(f"player_{fields[4]}")
        np.testing.assert_array_equal(seen["observation"]["spatial"], spatial)
        np.testing.assert_array_equal(seen["observation"]["scalars"], scalars)
        assert not seen["action_mask"].any()


def test_seen_from_the_other_side_earlier_frames_turn_as_well(rng: random.Random) -> None:
    config = GameConfig(board_size=4, walls_per_player=4)
    env = quoridor_v0.env(config=config, history_length=6, observations="dict")
    before = None
    for agent, observation, _, _, state in play(env, rng):
        if state.game_over:
            break
        spatial = observation["observation"]["spatial"]
        if before is not None:
            # What was seen a move ago by the other is, from the first frame on, today's second.
            other = "player_1" if agent == "player_2" else "player_2"
            turned = raw(env).observe(other)["observation"]["spatial"]
            np.testing.assert_array_equal(turned[4:], before[:-4])
        before = spatial


def test_rewards_come_at_the_end_to_both(rng: random.Random) -> None:
    wins = set()
    for _ in range(30):
        last = {}
        for agent, _, reward, info, state in play(quoridor_v0.env(preset="tiny"), rng):
            if state.game_over:
                last[agent] = reward
                assert state.outcome is not None
                assert info == {"winner": state.winner or 0, "reason": state.outcome.reason}
            else:
                assert (reward, info) == (0.0, {})
        wins.add(state.winner)
        if state.winner is None:
            assert last == {"player_1": -0.05, "player_2": -0.05}
        else:
            loser = 3 - state.winner
            assert last == {f"player_{state.winner}": 1.0, f"player_{loser}": -1.0}
    assert {1, 2} <= wins


def test_an_illegal_action_loses() -> None:
    env = quoridor_v0.env()
    env.reset()
    env.step(13)
    env.step(0)
    assert env.rewards == {"player_1": 1.0, "player_2": -1.0}
    assert env.terminations == {"player_1": True, "player_2": True}
    assert env.infos["player_1"] == {"winner": 1, "reason": "illegal move"}
    assert not raw(env).observe("player_2")["action_mask"].any()


def test_an_illegal_action_may_raise() -> None:
    env = quoridor_v0.env(illegal="raise")
    env.reset()
    with pytest.raises(IllegalMoveError, match="no pawn move leads there"):
        env.step(0)


def test_both_play_at_once(rng: random.Random) -> None:
    env = quoridor_v0.parallel_env(preset="tiny")
    for _ in range(10):
        observations, _ = env.reset()
        moves = 0
        while env.agents:
            actions = {
                agent: rng.choice(np.flatnonzero(observations[agent]["action_mask"]))
                for agent in env.agents
            }
            observations, rewards, terminated, _, infos = env.step(actions)
            state = env._game.game_state
            assert state.move_count in (moves + 1, moves + 2)
            moves = state.move_count
        assert terminated == {"player_1": True, "player_2": True}
        assert infos["player_2"]["winner"] == (state.winner or 0)
        assert rewards["player_1"] == {1: 1.0, 2: -1.0, None: -0.05}[state.winner]
        if moves % 2 == 1:
            assert state.winner in (1, None)  # the second action was not played


def test_starts_at_a_position_with_player_2_to_move() -> None:
    env = quoridor_v0.env(preset="small")
    position = State(GameConfig.preset("small")).play("c2")
    env.reset(options={"position": position.text()})
    assert env.agent_selection == "player_2"
    env.step(7)  # c4, seen from the other side
    assert raw(env).game_state == position.play("c4")


def test_can_be_pickled() -> None:
    env = pickle.loads(pickle.dumps(quoridor_v0.raw_env(preset="small", max_cycles=5)))
    assert env.config == GameConfig.preset("small")
    parallel = pickle.loads(pickle.dumps(quoridor_v0.parallel_env(preset="small")))
    assert parallel.action_space("player_1").n == 57


def test_max_cycles_must_be_positive() -> None:
    with pytest.raises(ConfigError, match="expected max_cycles to be a whole number from 1, got 0"):
        quoridor_v0.env(max_cycles=0)
