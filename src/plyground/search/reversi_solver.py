"""Late positions of Reversi solved exactly: the final score with best play, and how to get it.

Twenty empty squares take about a second, and each square more twice to three times as long.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from plyground import _core
from plyground.games.reversi import State
from plyground.search.result import SearchResult
from plyground.search.reversi_patterns import shipped_patterns


def solve_endgame(
    state: State,
    *,
    win_only: bool = False,
    hash_mb: int = 64,
    on_progress: Callable[[SearchResult], object] | None = None,
) -> SearchResult:
    """The exact score in discs for the side to move, with the line that leads to it.

    With `win_only` the score is 1 for a win, 0 for a draw and -1 for a loss, and the line is the
    first move alone: that takes about half as long. `on_progress` is called every few hundredths of
    a second once there is a result to show; whatever it raises ends the search, and so does Ctrl-C.

    >>> late = "-XXXXXX-OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO X"
    >>> solve_endgame(State.parse(late)).score
    -64.0
    """
    report: Callable[[dict[str, Any]], object] | None = None
    if on_progress is not None:

        def report(known: dict[str, Any]) -> object:
            return on_progress(SearchResult(**known))

    return SearchResult(**_core.reversi_solve(state, shipped_patterns(), win_only, hash_mb, report))
