"""The base class of agents: what a subclass must override, and what it inherits."""

from __future__ import annotations

import pytest

from plyground import quoridor, reversi
from plyground.agents import Agent, EngineAgent, MinimaxAgent, RandomAgent
from plyground.agents.base import Progress, searcher_name
from plyground.games.base import Action, State
from plyground.games.score import Score
from plyground.search import SearchLimits, SearchResult
from plyground.search.limits import DEFAULT_LIMITS

CLOCK = SearchLimits(clock_s=60.0, increment_s=1.0)


class Chooser(Agent):
    """Overrides `select_action` alone."""

    def select_action(self, state: State, limits: SearchLimits | None = None) -> int:
        return state.legal_actions()[0]


class Searcher(Agent):
    """Overrides `search` alone."""

    evaluates = True

    def search(
        self,
        state: State,
        limits: SearchLimits | None = None,
        on_progress: Progress | None = None,
    ) -> SearchResult:
        return SearchResult(state.legal_actions()[-1], Score.expected(0.5, state.current_player))


@pytest.mark.parametrize("state", [quoridor.State(), reversi.State()], ids=["quoridor", "reversi"])
def test_each_of_the_two_methods_serves_for_the_other(state: State) -> None:
    result = Chooser().search(state)
    assert (result.best_move, result.score) == (state.legal_actions()[0], None)
    answer = Searcher().select_action(state)
    assert isinstance(answer, Action)
    assert answer == state.legal_actions()[-1]
    assert str(answer) == state.format_move(answer)
    assert state.make_move(*answer) == state.play(answer)


def test_an_agent_overrides_one_of_them() -> None:
    with pytest.raises(TypeError, match="Nothing must override select_action or search"):

        class Nothing(Agent):
            """Overrides neither."""

    class More(Chooser):
        """Inherits one from its base."""

    assert More().select_action(quoridor.State()) == 3


def test_everything_else_does_nothing_by_default() -> None:
    agent = Chooser()
    agent.prepare()
    agent.new_game()
    agent.stop()
    agent.close()
    state = quoridor.State()
    agent.import_table(state, b"")
    assert agent.export_table() is None
    assert agent.rank(state) == []
    assert (agent.name, agent.evaluates, agent.may_reuse_results) == ("", False, False)
    assert agent.limits == SearchLimits()


@pytest.mark.parametrize(
    ("own", "given", "expected"),
    [
        # Nothing given: the agent's own limits, or else the default.
        (SearchLimits(), None, DEFAULT_LIMITS),
        (SearchLimits(depth=4), None, SearchLimits(depth=4)),
        # Limits of the move replace the agent's own.
        (SearchLimits(), SearchLimits(nodes=9), SearchLimits(nodes=9)),
        (SearchLimits(depth=4), SearchLimits(nodes=9), SearchLimits(nodes=9)),
        (SearchLimits(time_s=5), SearchLimits(time_s=1), SearchLimits(time_s=1)),
        # A clock leaves the agent its own limits; without them, it alone decides.
        (SearchLimits(), CLOCK, CLOCK),
        (
            SearchLimits(depth=4),
            CLOCK,
            SearchLimits(depth=4, clock_s=60.0, increment_s=1.0),
        ),
        # Both at once: the agent's own do not count.
        (
            SearchLimits(depth=4),
            SearchLimits(nodes=9, clock_s=60.0),
            SearchLimits(nodes=9, clock_s=60.0),
        ),
    ],
)
def test_limits_for(own: SearchLimits, given: SearchLimits | None, expected: SearchLimits) -> None:
    agent = Chooser()
    agent.limits = own
    assert agent.limits_for(given) == expected


@pytest.mark.parametrize(
    ("own", "given", "expected"),
    [
        (SearchLimits(), None, SearchLimits(time_s=0.5)),
        (SearchLimits(time_s=0.2), None, SearchLimits(time_s=0.2)),
        (SearchLimits(depth=4), None, SearchLimits(depth=4, time_s=0.5)),
        (SearchLimits(), SearchLimits(time_s=9), SearchLimits(time_s=0.5)),
        (SearchLimits(), CLOCK, SearchLimits(time_s=0.5, clock_s=60.0, increment_s=1.0)),
    ],
)
def test_a_host_shortens_any_limits(
    own: SearchLimits, given: SearchLimits | None, expected: SearchLimits
) -> None:
    agent = Chooser()
    agent.limits = own
    assert agent.limits_for(given, at_most_s=0.5) == expected


def test_a_host_does_not_extend_an_agent_that_cannot_keep_to_a_time() -> None:
    deep = MinimaxAgent(depth=3).limits_for(SearchLimits(depth=50), at_most_s=0.5)
    assert deep == SearchLimits(depth=3, time_s=0.5)


@pytest.mark.parametrize(
    ("own", "given", "expected"),
    [
        (SearchLimits(time_s=1), None, SearchLimits(time_s=1)),
        (SearchLimits(time_s=1), SearchLimits(time_s=9), SearchLimits(time_s=1)),
        (SearchLimits(time_s=1), SearchLimits(time_s=0.1), SearchLimits(time_s=0.1)),
        (SearchLimits(depth=2), SearchLimits(depth=9), SearchLimits(depth=2)),
        (
            SearchLimits(depth=2),
            CLOCK,
            SearchLimits(depth=2, clock_s=60.0, increment_s=1.0),
        ),
    ],
)
def test_limits_within(
    own: SearchLimits, given: SearchLimits | None, expected: SearchLimits
) -> None:
    agent = Chooser()
    agent.limits = own
    assert agent.limits_within(given) == expected


def test_an_agent_that_ignores_limits_has_no_default() -> None:
    assert RandomAgent().limits_for(None) is None
    assert RandomAgent().limits_for(CLOCK) == CLOCK


def test_limits_of_agents() -> None:
    assert EngineAgent(depth=3).limits_for(CLOCK) == SearchLimits(
        depth=3, clock_s=60.0, increment_s=1.0
    )
    assert EngineAgent().limits_for(CLOCK) == CLOCK
    assert EngineAgent().limits_for(None) == SearchLimits(time_s=1.0)
    assert MinimaxAgent(depth=3).limits_for(None) == SearchLimits(depth=3)


def test_results_of_limited_agents_are_not_replaced() -> None:
    assert EngineAgent(time=1).may_reuse_results
    assert not EngineAgent(depth=3).may_reuse_results
    assert not EngineAgent(nodes=3).may_reuse_results


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("engine", "engine"),
        ("engine:time=1,threads=2,hash_mb=8", "engine"),
        ("engine:weights=tuned,depth=3", "engine:weights=tuned"),
        ("minimax:wall_weight=3,path_weight=2", "minimax:path_weight=2,wall_weight=3"),
        ("easy:seed=3", "easy"),
    ],
)
def test_agents_that_score_alike_have_the_same_searcher(spec: str, name: str) -> None:
    assert searcher_name(spec) == name
