"""Every game there is, through the same checklist, as the layers above the rules use it."""

import random

import pytest

from plyground.errors import IllegalMoveError, NotationError
from plyground.games import registry
from plyground.games.base import Outcome


@pytest.fixture(params=list(registry.GAMES))
def game(request: pytest.FixtureRequest) -> registry.Game:
    return registry.get(request.param)


def test_games_are_listed_by_their_own_names(game: registry.Game) -> None:
    assert registry.GAMES[game.name] is game


def test_random_games_keep_the_promises(game: registry.Game, rng: random.Random) -> None:
    for _ in range(5):
        state = game.start({})
        assert state == game.start(game.settings(state))
        assert state.current_player == 1
        while state.outcome is None:
            actions = state.legal_actions()
            assert actions == sorted(set(actions))
            action = rng.choice(actions)
            move = game.format_action(state, action)
            assert game.parse_action(state, move) == action
            assert game.parse_action(state, move.upper()) == action
            after = state.play(action)
            assert after == state.play(move)
            assert after.current_player == 3 - state.current_player
            assert game.start(game.settings(state), state.text()) == state
            state = after
        assert isinstance(state.outcome, Outcome)
        assert state.legal_actions() == []
        with pytest.raises(IllegalMoveError, match="the game is over"):
            state.play(action)


def test_settings_are_text_by_known_names(game: registry.Game) -> None:
    settings = game.settings(game.start({}))
    assert set(settings) <= set(game.setting_names)
    assert all(isinstance(value, str) for value in settings.values())


@pytest.mark.parametrize("text", ["", "nonsense", "\ud800", "é", "1 2 3 4 5 6 7", "\x00"])
def test_garbage_is_no_position(game: registry.Game, text: str) -> None:
    with pytest.raises(NotationError) as caught:
        game.start({}, text)
    assert "\n" not in str(caught.value)
