"""Alpha-beta with three caches, a growing depth and a move order by Dijkstra's algorithm.

One of the founding documents describes this opponent (docs/specifications.md). The evaluation is
the difference of the two distances to the goal. Moves are tried in the order "dijkstra" of
`quoridor_textbook.py`, all walls included. The depth is 3, and grows to 4 and 5 when a pawn comes
near its goal. The caches are in `quoridor_minimax_cache.py`.
"""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter

from plyground.games.quoridor import State, expect_state, shortest_path_length
from plyground.search.quoridor_minimax_cache import MinimaxCache
from plyground.search.quoridor_textbook import TextbookWeights, search
from plyground.search.result import SearchResult
from plyground.search.textbook import Poll

DISTANCES_ONLY = TextbookWeights(1.0, 0.0, 0.0)
"""The evaluation: the opponent's distance to the goal minus the player's."""
USUAL_DEPTH = 3


def growing_depth(state: State) -> int:
    """3; 4 when a pawn is at most halfway from its goal, 5 at most a quarter of the way.

    >>> [growing_depth(State.parse(f"9 e{row}/e9 - 10/10 1 0 0")) for row in (1, 4, 5, 6, 7)]
    [3, 3, 4, 4, 5]
    """
    steps = min(shortest_path_length(state, player) for player in (1, 2))
    rows = state.board_size - 1
    return USUAL_DEPTH + (2 * steps <= rows) + (4 * steps <= rows)


def cached_search(
    state: State,
    depth: int | None = None,
    cache: MinimaxCache | None = None,
    poll: Poll | None = None,
) -> SearchResult:
    """Search to a depth, by default the growing one; the cache changes only the time.

    >>> cache = MinimaxCache(None)
    >>> first, second = cached_search(State(), 3, cache), cached_search(State(), 3, cache)
    >>> (first.pv, first.score) == (second.pv, second.score)
    True
    """
    started = perf_counter()
    state = expect_state(state)
    if depth is None:
        depth = growing_depth(state)
    if cache is not None and (found := cache.get(state, depth)) is not None:
        return replace(found, time_ms=(perf_counter() - started) * 1000)
    result = search(
        "alphabeta",
        state,
        depth,
        DISTANCES_ONLY,
        wall_order="dijkstra",
        poll=poll,
        cache=None if cache is None else cache.native,
    )
    if cache is not None:
        cache.put(state, depth, result)
    return result
