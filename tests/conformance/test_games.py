"""Every game of the package through the same checklist, as the other packages use it."""

from __future__ import annotations

import random

import pytest

from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games import registry
from plyground.games.base import AnyGame, Outcome, State
from plyground.games.levels import LEVEL_NAMES


@pytest.fixture(params=["quoridor", "reversi"])
def game(request: pytest.FixtureRequest) -> AnyGame:
    return registry.get(request.param)


def test_a_game_is_found_by_its_name_and_by_its_states(game: AnyGame) -> None:
    assert registry.games()[game.name] is game
    assert registry.find(game) is registry.find(game.name) is game
    assert game.start().game is game
    assert isinstance(game.start(), game.state_type)


def test_random_games_keep_the_promises(game: AnyGame, rng: random.Random) -> None:
    for _ in range(5):
        state: State = game.start({})
        assert state == game.start(game.settings(state))
        assert state.current_player == 1
        while state.outcome is None:
            actions = state.legal_actions()
            assert actions == sorted(set(actions))
            assert 0 <= actions[0] <= actions[-1] < game.action_count(state)
            action = rng.choice(actions)
            move = state.format_move(action)
            assert state.parse_move(move) == state.parse_move(move.upper()) == action
            assert state.is_legal(move)
            assert state.is_legal(action)
            after = state.play(action)
            assert after == state.play(move)
            assert after == state.make_move(*game.move_arguments(state, action))
            assert after.current_player == state.get_opponent(state.current_player)
            assert game.start(game.settings(state), state.text()) == state
            state = after
        assert isinstance(state.outcome, Outcome)
        assert state.game_over
        assert state.winner == state.outcome.winner
        assert state.legal_actions() == []
        with pytest.raises(IllegalMoveError, match="the game is over"):
            state.play(action)


def test_symmetries_are_different_permutations(game: AnyGame) -> None:
    start: State = game.start()
    actions = range(game.action_count(start))
    for symmetry in game.symmetries(start):
        assert sorted(map(symmetry, actions)) == list(actions)
    maps = [tuple(map(symmetry, actions)) for symmetry in game.symmetries(start)]
    assert len(set(maps)) == len(maps)
    assert [game.symmetries(start)[0](action) for action in actions] == list(actions)


def test_a_place_on_the_board_is_a_move_and_back(game: AnyGame) -> None:
    state: State = game.start()
    for action in state.legal_actions():
        spot = game.spot_of(state, action)
        assert spot is not None
        assert game.action_at(state, spot) == action


def test_what_people_are_shown(game: AnyGame) -> None:
    state: State = game.start()
    for player in (None, 1, 2):
        assert game.task(state, player).endswith(".")
    for player in (1, 2):
        assert all(game.facts(state, player))
    for example in game.examples(state).split(" or "):
        assert state.is_legal(example)
    assert game.move_help
    assert set(game.setting_choices) <= set(game.setting_names)
    for settings in game.presets.values():
        assert game.settings(game.start(settings)) == dict(settings)


def test_the_static_evaluation_has_the_game_s_unit(game: AnyGame, rng: random.Random) -> None:
    state: State = game.start()
    for _ in range(10):
        score = game.evaluate(state)
        assert (score.unit, score.player) == (game.unit, state.current_player)
        assert 0 < score.chance() < 1
        state = state.play(rng.choice(state.legal_actions()))


def test_levels_and_adviser(game: AnyGame) -> None:
    assert tuple(game.levels) == LEVEL_NAMES
    for level in (*game.levels.values(), game.adviser):
        for size in (5, 8, 9):
            assert level.agent_on(size).partition(":")[0] in game.agents


def test_settings_are_text_by_known_names(game: AnyGame) -> None:
    settings = game.settings(game.start({}))
    assert set(settings) <= set(game.setting_names)
    assert all(isinstance(value, str) for value in settings.values())
    with pytest.raises(ConfigError, match=f"{game.name} has no setting 'Komi'"):
        game.start({"Komi": "6.5"})


@pytest.mark.parametrize("text", ["", "nonsense", "\ud800", "é", "1 2 3 4 5 6 7", "\x00"])
def test_garbage_is_no_position(game: AnyGame, text: str) -> None:
    with pytest.raises(NotationError) as caught:
        game.start({}, text)
    assert "\n" not in str(caught.value)
