"""The adviser: the strong agent that is asked about positions."""

from __future__ import annotations

from plyground.agents import make
from plyground.analysis.cache import AnalysisCache
from plyground.analysis.cached_agent import CachedAgent
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.games.base import AnyGame, Game, State
from plyground.play.seat import Seat
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult

SOLVE_S = 60.0
"""Seconds for the solution of a position; most take far less."""


def adviser_for(
    position: State | AnyGame | str | None = None,
    cache: AnalysisCache | None = None,
    spec: str | None = None,
) -> Seat:
    """The adviser for a position's game and board, or the agent that a string names.

    A game, or the name of one, stands for its usual start. With a cache, results are reused.

    >>> from plyground.quoridor import GameConfig, State
    >>> adviser_for("quoridor").name, adviser_for(State(GameConfig.preset("small"))).name
    ('zero', 'engine')
    """
    state: State
    if position is None or isinstance(position, str | Game):
        state = registry.find(position).start()
    else:
        state = position
    game = state.game
    spec = spec or game.adviser.agent_on(game.board_size(state))
    agent = make(spec, game)
    if not agent.evaluates:
        raise ConfigError(f"expected an agent that evaluates positions, got {spec!r}")
    agent.close_book()
    if cache is not None:
        agent = CachedAgent(agent, cache)
    return Seat(spec.partition(":")[0], agent)


def solve(seat: Seat, state: State) -> SearchResult | None:
    """The exact result of a position, if the seat's agent can find it."""
    if seat.agent is None or not seat.agent.solves(state):
        return None
    result = seat.search(state, SearchLimits(time_s=SOLVE_S))
    return result if result.exact else None
