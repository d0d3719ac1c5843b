"""The exact solver for late positions of Reversi: the final score with best play.

Twenty empty squares take about half a second, and each additional square two to three times as
long.
"""

from __future__ import annotations

from plyground import _core
from plyground.games.reversi import State
from plyground.search.result import SearchResult
from plyground.search.reversi_patterns import shipped_patterns


def solve_endgame(
    state: State, *, win_only: bool = False, hash_mb: int = 64, threads: int = 1
) -> SearchResult:
    """The exact score in discs for the player to move, with its principal variation.

    With `win_only` the score is 1 for a win, 0 for a draw and -1 for a loss, and the variation is
    the first move only. Several threads share the work; the score is the same, and of several best
    moves they may find another. Ctrl-C ends the search.

    >>> late = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"
    >>> str(solve_endgame(State.parse(late)).score)
    '+18'
    """
    report = _core.reversi_solve(state, shipped_patterns(), win_only, hash_mb, threads)
    return SearchResult.from_report(report, state)
