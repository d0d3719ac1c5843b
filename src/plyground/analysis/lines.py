"""The best lines of a position, each as far as a search can see it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from plyground.analysis.remembering import Remembering
from plyground.games.base import State
from plyground.play.seat import Seat
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult

RANK = SearchLimits(nodes=500)
"""What every move is looked at with, to find those worth more."""
SPARE = 2
"""How many more lines than wanted are searched: a short look may rank them wrongly."""


def best_lines(
    seat: Seat,
    state: State,
    lines: int = 3,
    time_s: float = 2.0,
    on_progress: Callable[[int, int], object] = lambda done, of: None,  # noqa: ARG005
    depth: int | None = None,
    ranked: list[tuple[int, float]] | None = None,
) -> list[SearchResult]:
    """The best moves with the lines behind them, best first; the scores are the mover's.

    The agent ranks all moves, or a short look at each does, and `time_s` is shared out among the
    first of them, or each of them is searched to a `depth`. The seat's agent must be one that tells
    what it thinks; where it remembers, the ranking is kept, and the next time needs no such look.
    Whoever asks again and again may give the seat's `ranking` as `ranked`.
    """
    if ranked is None:
        ranked = seat.ranking(state)
    looks: dict[int, SearchResult] = {}
    if not ranked:
        actions = state.legal_actions()
        for done, action in enumerate(actions):
            on_progress(done, len(actions))
            looks[action] = _line(seat, state, action, RANK)
        ordered = sorted(looks.values(), key=_worth, reverse=True)
        ranked = [(look.best_move, look.score) for look in ordered]
    first, others = ranked[: lines + SPARE], ranked[lines + SPARE :]
    deep = SearchLimits(time_s=time_s / max(1, len(first)))
    if depth is not None:
        deep = SearchLimits(depth=max(1, depth - 1))  # the move itself is the first ply
    searched = []
    for done, (action, _) in enumerate(first):
        on_progress(done, len(first))
        line = looks.get(action)
        if line is None or line.win_in is None:
            line = _line(seat, state, action, deep)
        searched.append(line)
    searched.sort(key=_worth, reverse=True)
    if isinstance(seat.agent, Remembering):
        seat.agent.keep_ranking(state, searched, others)
    return searched[:lines]


def _line(seat: Seat, state: Any, action: int, limits: SearchLimits) -> SearchResult:
    """A move and what follows it, seen by whoever plays it."""
    after = state.play(action)
    if after.outcome is not None:
        win_in = {state.current_player: 1, None: None}.get(after.outcome.winner, -1)
        return SearchResult(action, 0.0, 1, [action], 1, 0.0, win_in)
    _, reply = seat.think(after, seat.fitting(limits), lambda result: None)  # noqa: ARG005
    assert reply is not None
    return reply.after(action)


def _worth(line: SearchResult) -> tuple[float, float]:
    """Sorts proven wins first, the shortest ahead, and proven losses last, the longest ahead."""
    if line.win_in is None:
        return (0.0, line.score)
    return (1.0 if line.win_in > 0 else -1.0, -float(line.win_in))
