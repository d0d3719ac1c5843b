"""Every agent there is, through the same checklist, in every game it plays."""

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from plyground import quoridor, reversi
from plyground.agents import Agent, make
from plyground.agents.levels import LEVEL_NAMES, LEVELS, Level
from plyground.agents.spec import AGENTS
from plyground.errors import IllegalMoveError
from plyground.quoridor import GameConfig

# Where games start, and which game it is.
STARTS: dict[str, tuple[str, Any]] = {
    **{
        preset: ("quoridor", quoridor.State(GameConfig.preset(preset)))
        for preset in GameConfig.PRESETS
    },
    "reversi": ("reversi", reversi.State()),
}
# What an agent plays where that is not every start of its games: larger boards take too long.
PLAYS = {"solved": ("tiny",)}
# How to name an agent so that it does not take its usual time.
QUICK = {"engine": "engine:nodes=300,hash_mb=1", "zero": "zero:sims=2"}
FINISHED = [
    ("quoridor", quoridor.State.parse("3 b3/b2 - 2/2 2 3 3")),
    ("quoridor", quoridor.State.parse("3 b2/b1 - 2/2 1 2 2")),
    ("quoridor", quoridor.State.parse("3 a1/c3 - 2/2 1 20 20")),
    ("reversi", reversi.State.parse("X" * 40 + "O" * 24 + " X")),
    ("reversi", reversi.State.parse("X" * 9 + "-" * 55 + " O")),
]
# One legal move: no walls in hand and a wall on the right of the corner, so that only a2 is left;
# and a player who has to pass.
FORCED = [
    ("quoridor", quoridor.State.parse("3 a1/c3 a1v 0/0 1 4 0")),
    ("reversi", reversi.State.parse("OX" + "-" * 62 + " X")),
]


@pytest.fixture(autouse=True)
def _quick_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    """The upper levels, but for the time they take."""
    quick = {
        "expert": Level("engine:nodes=300,hash_mb=1"),
        "master": Level("zero:sims=2", other_boards="engine:nodes=300,hash_mb=1"),
    }
    for name, level in quick.items():
        monkeypatch.setitem(LEVELS["quoridor"], name, level)
        monkeypatch.setitem(LEVELS["reversi"], name, Level("engine:depth=2,hash_mb=1"))


def plays(name: str, game: str) -> bool:
    return not AGENTS[name].games or game in AGENTS[name].games


def starts(name: str) -> list[str]:
    return [
        start
        for start, (game, _) in STARTS.items()
        if plays(name, game) and start in PLAYS.get(name, STARTS)
    ]


Quick = Callable[[str, str], Agent]


@pytest.fixture
def quick(reversi_network: Path) -> Quick:
    def make_quick(name: str, game: str) -> Agent:
        spec = QUICK.get(name, name)
        if (name, game) == ("zero", "reversi"):  # for which none comes with the package
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
    game, state = STARTS[start]
    players = [quick(first, game), quick(second, game)]
    while state.outcome is None:
        before = (state.text(), hash(state), state.legal_actions())
        action = players[state.current_player - 1].select_action(state)
        assert type(action) is int
        assert action in before[2]
        assert (state.text(), hash(state), state.legal_actions()) == before
        state = state.play(action)


@pytest.mark.parametrize(("name", "start"), [(name, s) for name in AGENTS for s in starts(name)])
def test_takes_limits(name: str, start: str, quick: Quick) -> None:
    game, state = STARTS[start]
    assert quick(name, game).select_action(state, None) in state.legal_actions()
    assert quick(name, game).select_action(state, limits=None) in state.legal_actions()


def with_agents(positions: list[tuple[str, Any]]) -> list[Any]:
    return [
        pytest.param(name, game, state, id=f"{name}-{state.text()}")
        for name in AGENTS
        for game, state in positions
        if plays(name, game)
    ]


@pytest.mark.parametrize(("name", "game", "state"), with_agents(FINISHED))
def test_refuses_a_finished_game(name: str, game: str, state: Any, quick: Quick) -> None:
    assert state.game_over
    with pytest.raises(IllegalMoveError) as caught:
        quick(name, game).select_action(state)
    assert str(caught.value) == f"no move to choose in {state.text()!r}: the game is over"


@pytest.mark.parametrize(("name", "game", "state"), with_agents(FORCED))
def test_takes_the_only_way_out(name: str, game: str, state: Any, quick: Quick) -> None:
    assert quick(name, game).select_action(state) == state.legal_actions()[0]
    assert len(state.legal_actions()) == 1
