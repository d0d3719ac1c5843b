"""An agent's answer: a number that prints as notation and unpacks for `make_move`."""

from __future__ import annotations

import copy
import json
import pickle
import random
from collections.abc import Callable

import numpy as np
import pytest

from plyground import quoridor, reversi
from plyground.games.base import Action, State


@pytest.fixture(params=["quoridor", "reversi"])
def state(request: pytest.FixtureRequest, rng: random.Random) -> State:
    """A position some moves into a game."""
    state: State = quoridor.State() if request.param == "quoridor" else reversi.State()
    for _ in range(6):
        state = state.play(rng.choice(state.legal_actions()))
    return state


def test_it_is_the_number(state: State) -> None:
    for number in state.legal_actions():
        action = Action.of(state, number)
        assert action == number
        assert hash(action) == hash(number)
        assert (int(action), action + 0) == (number, number)
        assert action in state.legal_actions()
        assert state.play(action) == state.play(number)
        assert list(range(300))[action] == number
        assert np.zeros(300)[action] == 0
        assert json.dumps(action) == str(number)


def test_it_prints_as_notation(state: State) -> None:
    for number in state.legal_actions():
        action = Action.of(state, number)
        text = state.format_move(number)
        assert (str(action), f"{action}", f"{action:d}") == (text, text, str(number))
        assert repr(action) == f"<Action {number} {text}>"


def test_it_unpacks_into_make_move(state: State) -> None:
    for number in state.legal_actions():
        assert state.make_move(*Action.of(state, number)) == state.play(number)


def test_what_it_unpacks_to_in_each_game() -> None:
    kind, cell = Action.of(quoridor.State(), 101)
    assert (kind, cell) == ("h_wall", (2, 4))
    (text,) = Action.of(reversi.State(), 37)
    assert text == "f5"


@pytest.mark.parametrize(
    "duplicate",
    [
        copy.copy,
        copy.deepcopy,
        *(
            lambda action, protocol=protocol: pickle.loads(pickle.dumps(action, protocol))
            for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)
        ),
    ],
)
def test_it_is_copied_and_pickled_whole(
    duplicate: Callable[[Action], Action], state: State
) -> None:
    action = Action.of(state, state.legal_actions()[-1])
    again = duplicate(action)
    assert (again, type(again)) == (action, Action)
    assert str(again) == str(action)
    assert tuple(again) == tuple(action)
    assert state.make_move(*again) == state.play(action)
