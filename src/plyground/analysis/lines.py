"""The best lines of a position, each searched on its own."""

from __future__ import annotations

from collections.abc import Callable

from plyground.analysis.cached_agent import CachedAgent
from plyground.analysis.game_report import score_of
from plyground.games.base import State
from plyground.games.score import Score
from plyground.play.seat import Seat
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult

RANK = SearchLimits(nodes=500)
"""Limits of the short search of every move, which selects moves for a longer one."""
SPARE = 2
"""Lines searched beyond those wanted, since a short search may rank them wrongly."""


def best_lines(
    seat: Seat,
    state: State,
    lines: int = 3,
    time_s: float = 2.0,
    on_progress: Callable[[int, int], object] = lambda done, of: None,  # noqa: ARG005
    depth: int | None = None,
    ranked: list[tuple[int, Score]] | None = None,
) -> list[SearchResult]:
    """The best moves with the lines behind them, best first, scored for the player to move.

    The agent ranks all moves, or a short search of each does. Then `time_s` is divided among the
    first of them, or each of them is searched to a `depth`. The agent must be one that evaluates. A
    cached agent keeps the ranking, so that the next call needs no short searches. A caller that
    asks repeatedly may pass the result of the seat's `rank` as `ranked`.
    """
    if ranked is None:
        ranked = seat.rank(state)
    brief: dict[int, SearchResult] = {}
    if not ranked:
        brief = _search_all_briefly(seat, state, on_progress)
        ranked = [(line.best_move, score_of(line, seat)) for line in brief.values()]
        ranked.sort(key=lambda move: move[1], reverse=True)
    first, others = ranked[: lines + SPARE], ranked[lines + SPARE :]
    deep = SearchLimits(time_s=time_s / max(1, len(first)))
    if depth is not None:
        deep = SearchLimits(depth=max(1, depth - 1))  # the move itself is the first ply
    searched = []
    for done, (action, _) in enumerate(first):
        on_progress(done, len(first))
        line = brief.get(action)
        if line is None or line.win_in is None:
            line = _line(seat, state, action, deep)
        searched.append(line)
    searched.sort(key=lambda line: score_of(line, seat), reverse=True)
    if isinstance(seat.agent, CachedAgent):
        seat.agent.keep_ranking(state, searched, others)
    return searched[:lines]


def _search_all_briefly(
    seat: Seat, state: State, on_progress: Callable[[int, int], object]
) -> dict[int, SearchResult]:
    """A short search of every move."""
    actions = state.legal_actions()
    found = {}
    for done, action in enumerate(actions):
        on_progress(done, len(actions))
        found[action] = _line(seat, state, action, RANK)
    return found


def _line(seat: Seat, state: State, action: int, limits: SearchLimits) -> SearchResult:
    """A move and what follows it, scored for the player who plays it."""
    after = state.play(action)
    if after.outcome is not None:
        return SearchResult.of_end(state, action)
    return seat.search(after, limits).after(action)
