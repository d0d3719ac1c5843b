"""Every agent there is, through the same checklist."""

from itertools import product

import pytest

from plyground.agents import Agent, make
from plyground.agents.spec import AGENTS
from plyground.errors import IllegalMoveError
from plyground.quoridor import GameConfig, State

PRESETS = tuple(GameConfig.PRESETS)
# What an agent plays where that is not every preset: larger boards take too long to solve.
PLAYS = {"solved": ("tiny",)}
# How to name an agent so that it does not take its usual time.
QUICK = {"engine": "engine:nodes=300,hash_mb=1", "zero": "zero:sims=2"}
FINISHED = ["3 b3/b2 - 2/2 2 3 3", "3 b2/b1 - 2/2 1 2 2", "3 a1/c3 - 2/2 1 20 20"]


def quick(name: str) -> Agent:
    return make(QUICK.get(name, name))


@pytest.mark.parametrize(
    ("first", "second", "preset"),
    [
        (first, second, preset)
        for first, second, preset in product(AGENTS, AGENTS, PRESETS)
        if preset in PLAYS.get(first, PRESETS) and preset in PLAYS.get(second, PRESETS)
    ],
)
def test_plays_whole_legal_games_from_both_sides(first: str, second: str, preset: str) -> None:
    players = [quick(first), quick(second)]
    state = State(GameConfig.preset(preset))
    while not state.game_over:
        before = (state.text(), hash(state), state.legal_actions())
        action = players[state.current_player - 1].select_action(state)
        assert type(action) is int
        assert action in before[2]
        assert (state.text(), hash(state), state.legal_actions()) == before
        state = state.play(action)
    assert state.outcome is not None


@pytest.mark.parametrize("name", AGENTS)
def test_takes_limits(name: str) -> None:
    state = State(GameConfig.preset(PLAYS.get(name, PRESETS)[0]))
    assert quick(name).select_action(state, None) in state.legal_actions()
    assert quick(name).select_action(state, limits=None) in state.legal_actions()


@pytest.mark.parametrize("name", AGENTS)
@pytest.mark.parametrize("position", FINISHED)
def test_refuses_a_finished_game(name: str, position: str) -> None:
    state = State.parse(position)
    assert state.game_over
    with pytest.raises(IllegalMoveError) as caught:
        quick(name).select_action(state)
    assert str(caught.value) == f"no move to choose in {position!r}: the game is over"


@pytest.mark.parametrize("name", AGENTS)
def test_takes_the_only_way_out(name: str) -> None:
    # No walls in hand, and a wall on the right of the corner: only a2 is left.
    state = State.parse("3 a1/c3 a1v 0/0 1 4 0")
    assert quick(name).select_action(state) == state.legal_actions()[0]
    assert len(state.legal_actions()) == 1
