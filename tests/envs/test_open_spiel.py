"""The games in OpenSpiel: its own checks, and what its states say against ours."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.python.algorithms import generate_playthrough, mcts

from plyground import quoridor, reversi
from plyground.envs import open_spiel
from plyground.envs.quoridor_view import QuoridorView
from plyground.errors import ConfigError
from plyground.games.base import State
from plyground.quoridor import GameConfig

TINY = GameConfig.preset("tiny")
NAMES = ["plyground_quoridor", "plyground_quoridor_tiny", "plyground_reversi"]


@pytest.fixture(autouse=True)
def tiny_board() -> None:
    if NAMES[1] not in pyspiel.registered_names():
        open_spiel.register(QuoridorView(TINY), NAMES[1], TINY.max_moves)


@pytest.mark.parametrize("name", NAMES[1:])
def test_a_playthrough_is_replayed_line_by_line(name: str, tmp_path: Path, seed: int) -> None:
    flags.FLAGS(["pytest"], known_only=True)
    path = tmp_path / "playthrough.txt"
    path.write_text(generate_playthrough.playthrough(name, None, seed=seed % 2**31))
    expected, actual = generate_playthrough.replay(str(path))
    assert actual == expected


@pytest.mark.parametrize("name", NAMES)
def test_openspiels_random_simulations(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize(
    ("name", "start"),
    [(NAMES[1], quoridor.State(TINY)), (NAMES[2], reversi.State())],
)
def test_states_agree_with_ours(name: str, start: State, rng: random.Random) -> None:
    game = pyspiel.load_game(name)
    theirs, ours = game.new_initial_state(), start
    while not ours.game_over:
        assert theirs.current_player() == ours.current_player - 1
        assert theirs.returns() == [0, 0]
        moves = [theirs.action_to_string(action) for action in theirs.legal_actions()]
        assert sorted(moves) == sorted(map(ours.format_move, ours.legal_actions()))
        other = theirs.clone()
        number = rng.randrange(len(moves))
        theirs.apply_action(theirs.legal_actions()[number])
        ours = ours.play(moves[number])
        assert theirs.position == ours
        assert other.position != ours
    assert theirs.is_terminal()
    winner = ours.outcome.winner if ours.outcome else None
    assert theirs.returns() == {1: [1, -1], 2: [-1, 1], None: [0, 0]}[winner]


def test_the_tensor_shows_what_the_player_sees() -> None:
    game = pyspiel.load_game("plyground_quoridor")
    state = game.new_initial_state()
    for _ in range(2):
        state.apply_action(state.legal_actions()[-1])
    assert game.observation_tensor_shape() == [21, 9, 9]
    tensor = np.array(state.observation_tensor(0)).reshape(21, 9, 9)
    spatial, scalars = quoridor.encode_state(state.position)
    np.testing.assert_array_equal(tensor[:16], spatial)
    np.testing.assert_allclose(tensor[16:, 4, 4], scalars)


def test_an_algorithm_of_openspiel_plays() -> None:
    game = pyspiel.load_game(NAMES[1])
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 2, 10, evaluator, random_state=np.random.RandomState(1))
    state = game.new_initial_state()
    assert bot.step(state) in state.legal_actions()


def test_a_name_is_given_once() -> None:
    with pytest.raises(ConfigError, match="OpenSpiel already has a game 'tic_tac_toe'"):
        open_spiel.register(QuoridorView(TINY), "tic_tac_toe", 9)
