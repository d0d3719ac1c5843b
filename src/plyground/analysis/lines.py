"""The best lines of a position, each searched on its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from plyground.analysis.adviser import solve
from plyground.analysis.game_report import score_of
from plyground.errors import ConfigError
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
    first of them, or each of them is searched to a `depth`. A position that the agent can solve is
    solved before that, however long it takes, so that its best move is the first line. The agent
    must be one that evaluates. A cached agent keeps the ranking, so that the next call needs no
    short searches. A caller that asks repeatedly may pass the result of the seat's `rank` as
    `ranked`.
    """
    if seat.agent is None:
        raise ConfigError(f"{seat.name!r} is a person and cannot analyse")
    if ranked is None:
        ranked = seat.rank(state)
    brief: dict[int, SearchResult] = {}
    if not ranked:
        brief = _search_all_briefly(seat, state, on_progress)
        ranked = [(line.best_move, score_of(line, seat)) for line in brief.values()]
        ranked.sort(key=lambda move: move[1], reverse=True)
    solution = None if depth is not None else solve(seat, state)
    if solution is not None:
        ranked = _with_first(ranked, solution)
    first, others = ranked[: lines + SPARE], ranked[lines + SPARE :]
    deep = SearchLimits(time_s=time_s / max(1, len(first)))
    if depth is not None:
        deep = SearchLimits(depth=max(1, depth - 1))  # the move itself is the first ply
    searched = []
    for done, (action, _) in enumerate(first):
        on_progress(done, len(first))
        line = brief.get(action)
        if solution is not None and action == solution.best_move:
            line = solution
        elif line is None or line.win_in is None:
            line = _line(seat, state, action, deep)
        searched.append(line if solution is None else _at_most(line, solution))
    # Python keeps the order of equal scores, and a solution comes first.
    searched.sort(key=lambda line: score_of(line, seat), reverse=True)
    seat.agent.keep_ranking(state, searched, others)
    return searched[:lines]


def line_chance(line: SearchResult, best: SearchResult, player: int) -> float:
    """A player's chance to win by a line; for the player to move it is at most that of the best.

    An estimate may stand for a better chance than the exact result of the best line.
    """
    if line.score is None or best.score is None:
        return 0.5
    chance = min(line.score.chance(), best.score.chance())
    return chance if player == line.score.player else 1 - chance


def all_settled(lines: list[SearchResult]) -> bool:
    """Whether the results of all lines are proven or exact, so that no search can change them."""
    return all(line.win_in is not None or line.exact for line in lines)


def _with_first(ranked: list[tuple[int, Score]], solution: SearchResult) -> list[tuple[int, Score]]:
    """The ranking with the best move of the solution first."""
    assert solution.score is not None
    best = (solution.best_move, solution.score)
    return [best, *(move for move in ranked if move[0] != solution.best_move)]


def _at_most(line: SearchResult, solution: SearchResult) -> SearchResult:
    """The line with a score that is no better than the exact one of the best move."""
    if line.score is None or solution.score is None or line.score <= solution.score:
        return line
    return replace(line, score=replace(solution.score, exact=False))


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
    replies = after.legal_actions()
    if len(replies) == 1:  # an agent would not search a forced move far
        if limits.depth is not None:
            limits = replace(limits, depth=max(1, limits.depth - 1))
        return _line(seat, after, replies[0], limits).after(action)
    return seat.search(after, limits).after(action)
