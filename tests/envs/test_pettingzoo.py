"""The PettingZoo environment: PettingZoo's own tests, and what they leave open."""

import pickle

import numpy as np
import pytest
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)

from plyground import quoridor
from plyground.envs import quoridor_v0
from plyground.errors import ConfigError, IllegalMoveError
from plyground.quoridor import GameConfig, State

# These two are said of every observation with a mask, but for a list of PettingZoo's own games.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]


@pytest.mark.parametrize("settings", [{}, {"preset": "tiny"}, {"max_cycles": 3}])
@pytest.mark.parametrize("make", [quoridor_v0.env, quoridor_v0.raw_env])
def test_api(make, settings):
    api_test(make(**settings), num_cycles=300)


def test_seeds():
    seed_test(quoridor_v0.env, num_cycles=50)
    parallel_seed_test(quoridor_v0.parallel_env, num_cycles=50)


def test_max_cycles():
    for _ in range(5):  # it draws its actions at random
        max_cycles_test(quoridor_v0)


def test_rendering(capsys):
    render_test(quoridor_v0.env)
    assert "player 1 to move, walls left 10/10, move 0" in capsys.readouterr().out


def test_parallel_api():
    parallel_api_test(quoridor_v0.parallel_env(preset="small"), num_cycles=100)


def play(env, rng):
    """A random game; yields the agent, what it is told and the position, the last words too."""
    env.reset()
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        yield agent, observation, reward, info, env.unwrapped.game_state
        done = terminated or truncated
        env.step(None if done else rng.choice(np.flatnonzero(observation["action_mask"])))


@pytest.mark.parametrize("preset", ["tiny", "small"])
def test_each_agent_sees_its_own_side(preset, rng):
    env = quoridor_v0.env(preset=preset)
    for agent, observation, _, _, state in play(env, rng):
        if state.game_over:
            continue
        assert agent == f"player_{state.current_player}"
        spatial, scalars = quoridor.encode_state(state)
        np.testing.assert_array_equal(observation["observation"]["spatial"], spatial)
        np.testing.assert_array_equal(observation["observation"]["scalars"], scalars)
        mask = quoridor.get_action_mask(state, flipped=True)
        np.testing.assert_array_equal(observation["action_mask"], mask)


def test_the_other_agent_sees_what_it_would_see_if_it_were_to_move(rng):
    # Without history, a position read with the other player to move shows the same.
    config = GameConfig(board_size=5, walls_per_player=6, history_length=1)
    env = quoridor_v0.env(config=config)
    for _, _, _, _, state in play(env, rng):
        if state.game_over:
            continue
        fields = state.text().split()
        fields[4] = str(3 - state.current_player)
        spatial, scalars = quoridor.encode_state(State.parse(" ".join(fields), config))
        seen = env.observe(f"player_{fields[4]}")
        np.testing.assert_array_equal(seen["observation"]["spatial"], spatial)
        np.testing.assert_array_equal(seen["observation"]["scalars"], scalars)
        assert not seen["action_mask"].any()


def test_seen_from_the_other_side_earlier_frames_turn_as_well(rng):
    config = GameConfig(board_size=4, walls_per_player=4, history_length=6)
    env = quoridor_v0.env(config=config)
    before = None
    for agent, observation, _, _, state in play(env, rng):
        if state.game_over:
            break
        spatial = observation["observation"]["spatial"]
        if before is not None:
            # What was seen a move ago by the other is, from the first frame on, today's second.
            other = "player_1" if agent == "player_2" else "player_2"
            turned = env.observe(other)["observation"]["spatial"]
            np.testing.assert_array_equal(turned[4:], before[:-4])
        before = spatial


def test_rewards_come_at_the_end_to_both(rng):
    wins = set()
    for _ in range(30):
        last = {}
        for agent, _, reward, info, state in play(quoridor_v0.env(preset="tiny"), rng):
            if state.game_over:
                last[agent] = reward
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


def test_an_illegal_action_loses():
    env = quoridor_v0.env()
    env.reset()
    env.step(13)
    env.step(0)
    assert env.rewards == {"player_1": 1.0, "player_2": -1.0}
    assert env.terminations == {"player_1": True, "player_2": True}
    assert env.infos["player_1"] == {"winner": 1, "reason": "illegal move"}
    assert not env.observe("player_2")["action_mask"].any()


def test_an_illegal_action_may_raise():
    env = quoridor_v0.env(illegal="raise")
    env.reset()
    with pytest.raises(IllegalMoveError, match="no pawn move leads there"):
        env.step(0)


def test_both_play_at_once(rng):
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


def test_starts_at_a_position_with_player_2_to_move():
    env = quoridor_v0.env(preset="small")
    position = State(GameConfig.preset("small")).play("c2")
    env.reset(options={"position": position.text()})
    assert env.agent_selection == "player_2"
    env.step(7)  # c4, seen from the other side
    assert env.unwrapped.game_state == position.play("c4")


def test_can_be_pickled():
    env = pickle.loads(pickle.dumps(quoridor_v0.raw_env(preset="small", max_cycles=5)))
    assert env.config == GameConfig.preset("small")
    parallel = pickle.loads(pickle.dumps(quoridor_v0.parallel_env(preset="small")))
    assert parallel.action_space("player_1").n == 57


def test_max_cycles_must_be_positive():
    with pytest.raises(ConfigError, match="expected max_cycles of 1 or more, got 0"):
        quoridor_v0.env(max_cycles=0)
