"""Late positions of Reversi solved exactly: the final score with best play, and how to get it.

Twenty empty squares take about half a second, and each square more twice to three times as long.
"""

from __future__ import annotations

from plyground import _core
from plyground.games.reversi import State
from plyground.search.result import SearchResult
from plyground.search.reversi_patterns import shipped_patterns


def solve_endgame(state: State, *, win_only: bool = False, hash_mb: int = 64) -> SearchResult:
    """The exact score in discs for the side to move, with the line that leads to it.

    With `win_only` the score is 1 for a win, 0 for a draw and -1 for a loss, and the line is the
    first move alone. Ctrl-C ends the search.

    >>> late = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"
    >>> solve_endgame(State.parse(late)).score
    18.0
    """
    return SearchResult(**_core.reversi_solve(state, shipped_patterns(), win_only, hash_mb))
