"""The environment of any game: one in plain Python, and the native ones by their names."""

from __future__ import annotations

import random

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from plyground import quoridor, reversi
from plyground.envs import GameEnv, grid_picture
from plyground.envs.plain_view import PlainView
from plyground.errors import ConfigError, IllegalMoveError
from plyground.games.base import State
from plyground.games.board import GridBoard
from tests.conformance.connect_four import COLUMNS, ROWS, ConnectFour

NAME = "plyground.envs:plyground/Game-v0"


def discs(state: State, player: int) -> list[list[list[float]]]:
    """My discs and the opponent's, from the position as text."""
    rows = [line.split() for line in str(state).splitlines()[:ROWS]]
    mine, theirs = ("X", "O") if player == 1 else ("O", "X")
    return [[[float(disc == sign) for disc in row] for row in rows] for sign in (mine, theirs)]


@pytest.mark.parametrize("opponent", ["self", "random", "minimax:depth=1", "easy"])
def test_gymnasiums_own_checker(connect_four: ConnectFour, opponent: str) -> None:
    check_env(gymnasium.make(NAME, game=connect_four, opponent=opponent).unwrapped)


def test_a_game_is_found_by_its_name(connect_four: ConnectFour) -> None:
    env = gymnasium.make(NAME, game=connect_four.name, opponent="self")
    observation, info = env.reset(seed=1)
    assert observation["spatial"].shape == (2, ROWS, COLUMNS)
    assert observation["action_mask"].tolist() == [1] * COLUMNS
    assert info["player"] == 1


def test_each_player_sees_its_own_discs_first(
    connect_four: ConnectFour, rng: random.Random
) -> None:
    env = GameEnv(connect_four, opponent="self")
    observation, info = env.reset()
    over = False
    while not over:
        player = env.state.current_player
        assert info["player"] == player
        assert observation["spatial"].tolist() == discs(env.state, player)
        assert observation["scalars"].tolist() == [player - 1]
        legal = env.state.legal_actions()
        assert np.flatnonzero(observation["action_mask"]).tolist() == legal
        observation, reward, over, _, info = env.step(rng.choice(legal))
    assert reward == (1.0 if env.state.winner else 0.0)  # the last player to move never loses


def test_rewards_positions_and_illegal_actions(connect_four: ConnectFour) -> None:
    env = GameEnv(connect_four, opponent="random", illegal="raise")
    env.reset(seed=1, options={"position": "XXX/OOO/-/-/-/-/-"})
    _, reward, over, _, info = env.step(0)
    assert (reward, over, info["winner"], info["reason"]) == (1.0, True, 1, "four in a row")
    env.reset(options={"position": "XOXOXO/-/-/-/-/-/-"})
    with pytest.raises(IllegalMoveError, match="the column is full"):
        env.step(0)
    with pytest.raises(IllegalMoveError, match="expected an action from 0 to 6, got 7"):
        env.step(7)
    with pytest.raises(ConfigError, match="expected a position of this environment's game"):
        env.reset(options={"position": reversi.State()})


def test_the_picture_of_a_grid(connect_four: ConnectFour) -> None:
    view = PlainView(connect_four)
    state = view.start().play("d").play("d").play("a")
    picture = view.draw(state)
    assert picture.shape == (
        2 * grid_picture.MARGIN + ROWS * grid_picture.PITCH - grid_picture.GAP,
        2 * grid_picture.MARGIN + COLUMNS * grid_picture.PITCH - grid_picture.GAP,
        3,
    )

    def colour(row: int, column: int) -> tuple[int, ...]:
        x, y = grid_picture.centre(row, column)
        return tuple(picture[y, x].tolist())

    assert colour(5, 3) == colour(5, 0) == grid_picture.DISCS[1]
    assert colour(4, 3) == grid_picture.DISCS[2]
    assert colour(3, 3) == grid_picture.HINT
    assert colour(0, 0) == grid_picture.SQUARE


def test_a_large_board_is_drawn_without_the_labels_that_have_no_glyph() -> None:
    picture = grid_picture.draw(GridBoard(12, 19, {(11, 18): 2}))
    x, y = grid_picture.centre(11, 18)
    assert tuple(picture[y, x].tolist()) == grid_picture.DISCS[2]


def test_native_games_have_their_own_views() -> None:
    env = GameEnv("quoridor", opponent="self", preset="small", history_length=2)
    observation, _ = env.reset()
    spatial, _ = quoridor.encode_state(quoridor.State(quoridor.GameConfig.preset("small")), 2)
    np.testing.assert_array_equal(observation["spatial"], spatial)
    observation, _ = GameEnv(reversi.State().game).reset(seed=1)
    assert observation["spatial"].shape == (2, 8, 8)


def test_other_boards_need_a_view_of_their_own() -> None:
    with pytest.raises(ConfigError, match="quoridor needs an `env_view` of its own"):
        PlainView(quoridor.State().game)


def test_both_players_cannot_act_at_once(connect_four: ConnectFour) -> None:
    view = PlainView(connect_four)
    with pytest.raises(ConfigError, match="no environment in which both players act at once"):
        view.with_other_player(view.start())
