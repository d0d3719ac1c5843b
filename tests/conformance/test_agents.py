"""Every agent through the same checklist, in every game that it plays."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

from plyground import quoridor, reversi
from plyground.agents import Agent, make
from plyground.agents.spec import AGENTS, plays
from plyground.errors import IllegalMoveError
from plyground.games import registry
from plyground.games.base import Action, AnyGame, State
from plyground.games.levels import LEVEL_NAMES, Level
from plyground.quoridor import GameConfig

STARTS: dict[str, State] = {
    **{preset: quoridor.State(config) for preset, config in GameConfig.presets().items()},
    "reversi": reversi.State(),
}
# Starts of agents that do not play all of their game's: larger boards take too long.
PLAYS = {"solved": ("tiny",)}
# Agents with less than their usual time.
QUICK = {"engine": "engine:nodes=300,hash_mb=1", "zero": "zero:sims=2"}
FINISHED: list[State] = [
    quoridor.State.parse("3 b3/b2 - 2/2 2 3 3"),
    quoridor.State.parse("3 b2/b1 - 2/2 1 2 2"),
    quoridor.State.parse("3 a1/c3 - 2/2 1 20 20"),
    reversi.State.parse("X" * 40 + "O" * 24 + " X"),
    reversi.State.parse("X" * 9 + "-" * 55 + " O"),
]
# One legal move: without walls and with one on the right of the corner only a2 is left; and a
# player who has to pass.
FORCED: list[State] = [
    quoridor.State.parse("3 a1/c3 a1v 0/0 1 4 0"),
    reversi.State.parse("OX" + "-" * 62 + " X"),
]


@pytest.fixture(autouse=True)
def _quick_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    """The upper levels with less time."""
    quick = {
        **dict.fromkeys(("skilled", "hard", "expert"), Level("engine:nodes=300,hash_mb=1")),
        "master": Level("zero:sims=2", other_boards="engine:nodes=300,hash_mb=1"),
    }
    for name, level in quick.items():
        monkeypatch.setitem(registry.get("quoridor").levels, name, level)
        monkeypatch.setitem(registry.get("reversi").levels, name, Level("engine:depth=2,hash_mb=1"))


def starts(name: str) -> list[str]:
    return [
        start
        for start, state in STARTS.items()
        if plays(name, state.game) and start in PLAYS.get(name, STARTS)
    ]


Quick = Callable[[str, AnyGame], Agent]


@pytest.fixture
def quick(reversi_network: Path) -> Quick:
    def make_quick(name: str, game: AnyGame) -> Agent:
        spec = QUICK.get(name, name)
        if name == "zero" and game.network(game.start()) is None:
            spec += f",network={reversi_network}"
        return make(spec, game)

    return make_quick


@pytest.mark.parametrize(
    ("first", "second", "start"),
    [
        (first, second, start)
        for first, second in product(AGENTS, AGENTS)
        # A level is another agent in disguise; it need not meet them all again.
        if "random" in (first, second) or not {first, second} & set(LEVEL_NAMES)
        for start in starts(first)
        if start in starts(second)
    ],
)
def test_plays_whole_legal_games_from_both_sides(
    first: str, second: str, start: str, quick: Quick
) -> None:
    state = STARTS[start]
    players = [quick(first, state.game), quick(second, state.game)]
    while state.outcome is None:
        before = (state.text(), hash(state), state.legal_actions())
        action = players[state.current_player - 1].select_action(state)
        assert action in before[2]
        assert (state.text(), hash(state), state.legal_actions()) == before
        state = state.play(action)


@pytest.mark.parametrize(("name", "start"), [(name, s) for name in AGENTS for s in starts(name)])
def test_takes_limits(name: str, start: str, quick: Quick) -> None:
    state = STARTS[start]
    assert quick(name, state.game).select_action(state, None) in state.legal_actions()
    assert quick(name, state.game).select_action(state, limits=None) in state.legal_actions()


@pytest.mark.parametrize(("name", "start"), [(name, s) for name in AGENTS for s in starts(name)])
def test_the_answer_prints_as_notation_and_unpacks(name: str, start: str, quick: Quick) -> None:
    state = STARTS[start]
    answer = quick(name, state.game).select_action(state)
    assert isinstance(answer, Action)
    assert str(answer) == state.format_move(answer)
    assert state.make_move(*answer) == state.play(answer) == state.play(str(answer))


@pytest.mark.parametrize(("name", "start"), [(name, s) for name in AGENTS for s in starts(name)])
def test_a_search_tells_what_the_agent_says_it_tells(name: str, start: str, quick: Quick) -> None:
    state = STARTS[start]
    agent = quick(name, state.game)
    assert agent.name.partition(":")[0] == name
    agent.prepare()
    agent.new_game()
    result = agent.search(state)
    assert result.best_move in state.legal_actions()
    assert (result.score is not None) == agent.evaluates
    if result.score is not None:
        assert result.score.player == state.current_player
        assert str(result.score)
        assert 0 <= result.score.chance() <= 1
    for action, score in agent.rank(state):
        assert action in state.legal_actions()
        assert score.player == state.current_player
    assert agent.cache_identity(state)
    agent.stop()
    agent.close()


def with_agents(positions: list[State]) -> list[ParameterSet]:
    return [
        pytest.param(name, state, id=f"{name}-{state.text()}")
        for name in AGENTS
        for state in positions
        if plays(name, state.game)
    ]


@pytest.mark.parametrize(("name", "state"), with_agents(FINISHED))
def test_refuses_a_finished_game(name: str, state: State, quick: Quick) -> None:
    assert state.game_over
    with pytest.raises(IllegalMoveError) as caught:
        quick(name, state.game).select_action(state)
    assert str(caught.value) == f"no move to choose in {state.text()!r}: the game is over"


@pytest.mark.parametrize(("name", "state"), with_agents(FORCED))
def test_takes_the_only_way_out(name: str, state: State, quick: Quick) -> None:
    assert quick(name, state.game).select_action(state) == state.legal_actions()[0]
    assert len(state.legal_actions()) == 1
