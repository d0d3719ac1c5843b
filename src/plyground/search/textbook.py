"""Minimax and alpha-beta as textbooks have them: a fixed depth and one evaluation, no table.

Both search the same tree in the same order and keep the first of equally good moves, so they agree
on score, move and line; alpha-beta only visits less of it. The strong search is in `engine.py`.

The evaluation is from the side that searches, at every node. In Quoridor it is

    path_weight * (opponent's shortest path - mine) + progress_weight * (my rows - opponent's)
        + wall_weight * (my walls - opponent's)

and in Reversi what `ReversiEvaluator` says. A win is WIN plus the plies left to search, a loss the
negative, a draw the game's `draw_penalty`, in Reversi 0.

`wall_order` says in which order moves of Quoridor are tried; ties go by action number, and only
legal walls count towards `max_wall_moves`:

- "nearest": pawn moves by their distance to the goal, then walls by the Manhattan distance between
  their middle and the opponent's pawn;
- "corridor": the best 16 walls, then the pawn moves, then the other walls, all walls ranked by how
  long the opponent's shortest route over them is, by floods from the goal row and from the pawn;
- "cutting": walls that cut the opponent's shortest path and gain two steps or more on balance, then
  the pawn moves, then walls that gain one, then the others as in "nearest".

Reversi's moves are tried by their squares, corners first, those beside a corner last.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, TypeVar

from plyground import _core
from plyground.errors import ConfigError
from plyground.games import quoridor, reversi
from plyground.games.quoridor import action_space_size
from plyground.search.result import SearchResult
from plyground.search.reversi_evaluator import ReversiEvaluator, check_weight

State = quoridor.State | reversi.State
WallOrder = Literal["nearest", "corridor", "cutting"]

T = TypeVar("T")

WIN = 1_000_000
"""What a win is worth, less the plies left to search."""
MAX_DEPTH = 100
"""More than any such search can finish."""


@dataclass(frozen=True, slots=True)
class TextbookWeights:
    """The weights of the three terms of Quoridor's evaluation, each from -5000 to 5000.

    Larger ones could make an estimate look like a win.
    """

    path_weight: float = 12.0
    """Of each step by which my shortest path is the shorter one."""
    progress_weight: float = 1.5
    """Of each row by which my pawn is further ahead."""
    wall_weight: float = 2.0
    """Of each wall by which I have more in hand."""

    def __post_init__(self) -> None:
        for name in (field.name for field in fields(self)):
            check_weight(name, getattr(self, name), 5000)


# By board size; boards that are not listed use the standard one's.
_DEFAULT_WEIGHTS = {9: TextbookWeights()}


def default_weights(board_size: int) -> TextbookWeights:
    """The weights to use on a board of that size when none are given."""
    return _DEFAULT_WEIGHTS.get(board_size, _DEFAULT_WEIGHTS[9])


def check_settings(depth: int, max_wall_moves: int | None) -> None:
    """Raise a ConfigError unless a search could be run with these."""
    if not _is_int(depth) or not 1 <= depth <= MAX_DEPTH:
        raise ConfigError(f"expected depth to be an integer from 1 to {MAX_DEPTH}, got {depth!r}")
    if max_wall_moves is not None and (not _is_int(max_wall_moves) or max_wall_moves < 0):
        raise ConfigError(
            f"expected max_wall_moves to be None or an integer from 0, got {max_wall_moves!r}"
        )


def minimax(
    state: State,
    depth: int,
    weights: TextbookWeights | ReversiEvaluator | None = None,
    *,
    max_wall_moves: int | None = None,
    wall_order: WallOrder = "nearest",
) -> SearchResult:
    """Search every line of `depth` plies, with the first `max_wall_moves` walls in each position.

    >>> minimax(quoridor.State(), 2).nodes_searched
    16809
    >>> minimax(reversi.State(), 5).nodes_searched
    1713
    """
    return _search("minimax", state, depth, weights, max_wall_moves, wall_order)


def alphabeta(
    state: State,
    depth: int,
    weights: TextbookWeights | ReversiEvaluator | None = None,
    *,
    max_wall_moves: int | None = None,
    wall_order: WallOrder = "nearest",
) -> SearchResult:
    """Find what `minimax` finds, without the lines that cannot matter any more.

    >>> alphabeta(reversi.State(), 5).nodes_searched
    173
    """
    return _search("alphabeta", state, depth, weights, max_wall_moves, wall_order)


def _search(
    name: Literal["minimax", "alphabeta"],
    state: State,
    depth: int,
    weights: TextbookWeights | ReversiEvaluator | None,
    max_wall_moves: int | None,
    wall_order: WallOrder,
) -> SearchResult:
    check_settings(depth, max_wall_moves)
    search: Callable[..., dict[str, Any]]
    options: dict[str, Any]
    if isinstance(state, reversi.State):
        search = getattr(_core, f"reversi_{name}")
        options = {"evaluator": _checked(weights or ReversiEvaluator(), ReversiEvaluator).native}
    else:
        search = getattr(_core, f"quoridor_{name}")
        options = asdict(_checked(weights or default_weights(state.board_size), TextbookWeights))
        if max_wall_moves is not None:
            max_wall_moves = min(max_wall_moves, action_space_size(state.board_size))
        options |= {"max_wall_moves": max_wall_moves, "wall_order": wall_order}
    started = time.perf_counter()
    found = search(state, depth, **options)
    time_ms = (time.perf_counter() - started) * 1000
    return SearchResult(
        depth=depth, time_ms=time_ms, win_in=_win_in(found["score"], depth), **found
    )


def _checked(weights: object, kind: type[T]) -> T:
    if not isinstance(weights, kind):
        raise ConfigError(f"expected {kind.__name__} for this game, got {weights!r}")
    return weights


def _win_in(score: float, depth: int) -> int | None:
    if abs(score) < WIN:
        return None
    plies = depth - round(abs(score) - WIN)
    return plies if score > 0 else -plies


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
