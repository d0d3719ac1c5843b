"""Textbook minimax and alpha-beta: a fixed depth, a static evaluation and no table.

Both search the same tree in the same order and keep the first of equally good moves, so they find
the same score, move and variation; alpha-beta visits fewer nodes. The strong search is in
`engine.py`.

`quoridor_textbook.py` and `reversi_textbook.py` describe the evaluations of these games; that of
any other game is `Game.evaluate`. A win is WIN plus the plies left to search, a loss the negative.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from plyground.checks import check_range
from plyground.errors import ConfigError
from plyground.games.base import State
from plyground.games.score import Score, Unit
from plyground.search.native import Report
from plyground.search.result import SearchResult

if TYPE_CHECKING:
    from plyground.search.quoridor_textbook import TextbookWeights, WallOrder
    from plyground.search.reversi_evaluator import ReversiEvaluator

Algorithm: TypeAlias = Literal["minimax", "alphabeta"]
Evaluate: TypeAlias = Callable[[Any], float]  # takes the state of the game that is searched
"""A custom evaluation: points of an unfinished position for the player to move."""
Poll: TypeAlias = Callable[[], object]
"""Called now and then during a search; an exception that it raises ends the search."""

WIN = 1_000_000
"""The value of a win at depth 0."""
MAX_DEPTH = 100
"""More than such a search can finish."""


def minimax(
    state: State,
    depth: int,
    weights: TextbookWeights | None = None,
    *,
    evaluator: ReversiEvaluator | Evaluate | None = None,
    max_wall_moves: int | None = None,
    wall_order: WallOrder | None = None,
    poll: Poll | None = None,
) -> SearchResult:
    """Search every line of `depth` plies.

    Options of Quoridor are `weights`, `max_wall_moves` (the number of walls tried in each position)
    and `wall_order`. The `evaluator` is a function that takes a state and returns its points for
    the player to move, for any game; the search is then in plain Python, and tries moves in the
    order of their numbers. For Reversi it can also be a ReversiEvaluator, which the core knows.
    `poll` is called now and then, and may raise an exception to end the search.

    >>> from plyground import quoridor, reversi
    >>> minimax(quoridor.State(), 2).nodes_searched
    16809
    >>> minimax(reversi.State(), 5).nodes_searched
    1713
    >>> minimax(reversi.State(), 2, evaluator=lambda state: len(state.legal_actions())).score.value
    4.0
    """
    return _search("minimax", state, depth, weights, evaluator, max_wall_moves, wall_order, poll)


def alphabeta(
    state: State,
    depth: int,
    weights: TextbookWeights | None = None,
    *,
    evaluator: ReversiEvaluator | Evaluate | None = None,
    max_wall_moves: int | None = None,
    wall_order: WallOrder | None = None,
    poll: Poll | None = None,
) -> SearchResult:
    """Find what `minimax` finds, and skip the lines that cannot change the result.

    >>> from plyground import reversi
    >>> alphabeta(reversi.State(), 5).nodes_searched
    173
    """
    return _search("alphabeta", state, depth, weights, evaluator, max_wall_moves, wall_order, poll)


def check_settings(depth: int, max_wall_moves: int | None = None) -> None:
    """Raise a ConfigError for a depth or number of walls that is out of range."""
    check_range("depth", depth, 1, MAX_DEPTH)
    if max_wall_moves is not None:
        check_range("max_wall_moves", max_wall_moves, 0)


def timed_result(
    search: Callable[[], Report], state: State, depth: int, unit: Unit, scale: float = 1.0
) -> SearchResult:
    """Run and time a search of the core; `scale` is its internal score of one point."""
    started = time.perf_counter()
    found = search()
    time_ms = (time.perf_counter() - started) * 1000
    raw: float = found.pop("score")
    score = textbook_score(raw, depth, state.current_player, unit, scale)
    return SearchResult(score=score, depth=depth, time_ms=time_ms, **found)


def textbook_score(raw: float, depth: int, player: int, unit: Unit, scale: float = 1.0) -> Score:
    """The score for the raw value of a search of that depth."""
    if abs(raw) < WIN:
        return Score(raw / scale, unit, player)
    plies = depth - round(abs(raw) - WIN)
    return Score.proven(plies if raw > 0 else -plies, player)


def _search(
    algorithm: Algorithm,
    state: State,
    depth: int,
    weights: TextbookWeights | None,
    evaluator: ReversiEvaluator | Evaluate | None,
    max_wall_moves: int | None,
    wall_order: WallOrder | None,
    poll: Poll | None,
) -> SearchResult:
    check_settings(depth, max_wall_moves)
    options = {
        "weights": weights,
        "evaluator": evaluator,
        "max_wall_moves": max_wall_moves,
        "wall_order": wall_order,
    }
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if name not in state.game.textbook_options:
            raise ConfigError(f"a textbook search of {state.game.name} has no option {name!r}")
    return state.game.textbook_search(algorithm, state, depth, poll=poll, **given)
