"""Quoridor's part of the textbook searches: the evaluation and the order of moves.

The evaluation is

    path_weight * (opponent's shortest path - mine) + progress_weight * (my rows - opponent's)
        + wall_weight * (my walls - opponent's)

and the value of a draw is the game's `draw_penalty`. Scores are in steps: values divided by
`path_weight`, if that is positive.

`wall_order` is the order in which moves are tried, with ties broken by action number. Only legal
walls count towards `max_wall_moves`:

- "nearest": pawn moves by their distance to the goal, then walls by the Manhattan distance between
  their middle and the opponent's pawn;
- "corridor": the best 16 walls, then the pawn moves, then the other walls; walls are ranked by the
  length of the opponent's shortest route through them, by floods from the goal row and the pawn;
- "cutting": walls that cut the opponent's shortest path and gain two steps or more on balance, then
  the pawn moves, then walls that gain one, then the others as in "nearest";
- "dijkstra": walls on the best quarter of the squares, then the pawn moves, then the other walls;
  squares are ranked by their distance from the opponent's goal row, by Dijkstra's algorithm. A
  wall stands on the square that its notation names.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Literal, TypeAlias

from plyground import _core
from plyground.checks import check_range
from plyground.errors import ConfigError
from plyground.games.quoridor import (
    State,
    action_space_size,
    expect_state,
    progress_to_goal,
    shortest_path_length,
)
from plyground.search import plain_textbook
from plyground.search.result import SearchResult
from plyground.search.textbook import WIN, Algorithm, Evaluate, Poll, timed_result

WallOrder: TypeAlias = Literal["nearest", "corridor", "cutting", "dijkstra"]


@dataclass(frozen=True, slots=True)
class TextbookWeights:
    """The weights of the three terms of Quoridor's evaluation, from -5000 to 5000.

    Larger weights could make an estimate look like a win.
    """

    path_weight: float = 12.0
    """Points for each step by which the player's shortest path is shorter."""
    progress_weight: float = 1.5
    """Points for each row by which the player's pawn is further ahead."""
    wall_weight: float = 2.0
    """Points for each wall that the player has more than the opponent."""

    def __post_init__(self) -> None:
        for name in (field.name for field in fields(self)):
            check_range(name, getattr(self, name), -5000, 5000, float)


# By board size; other boards use the weights of the standard one.
_DEFAULT_WEIGHTS = {9: TextbookWeights()}


def default_textbook_weights(board_size: int) -> TextbookWeights:
    """The default weights on a board of that size."""
    return _DEFAULT_WEIGHTS.get(board_size, _DEFAULT_WEIGHTS[9])


def evaluate(state: State, player: int, weights: TextbookWeights | None = None) -> float:
    """The value of a position for a player in points, as the search sees it at depth 0.

    >>> evaluate(State(), 1), evaluate(State().play("e2"), 1), evaluate(State().play("e8h"), 1)
    (0.0, 13.5, -2.0)
    """
    state = expect_state(state)
    opponent = state.get_opponent(player)
    if state.game_over:
        if state.winner is None:
            return state.config.draw_penalty
        return float(WIN if state.winner == player else -WIN)
    if weights is None:
        weights = default_textbook_weights(state.board_size)
    path = shortest_path_length(state, opponent) - shortest_path_length(state, player)
    progress = progress_to_goal(state, player) - progress_to_goal(state, opponent)
    walls = state.walls_remaining[player] - state.walls_remaining[opponent]
    return (
        weights.path_weight * path
        + weights.progress_weight * progress
        + weights.wall_weight * walls
    )


def search(
    algorithm: Algorithm,
    state: State,
    depth: int,
    weights: TextbookWeights | None = None,
    max_wall_moves: int | None = None,
    wall_order: WallOrder = "nearest",
    poll: Poll | None = None,
    cache: _core.QuoridorTextbookCache | None = None,
    evaluator: Evaluate | None = None,
) -> SearchResult:
    """Search to a fixed depth; a custom evaluation is searched in plain Python.

    The cache holds evaluations and, for the order "dijkstra", children.
    """
    if evaluator is not None:
        if weights is not None or max_wall_moves is not None or wall_order != "nearest":
            raise ConfigError("expected an evaluator or the options of our evaluation, got both")
        draw_value = state.config.draw_penalty
        return plain_textbook.search(algorithm, state, depth, evaluator, poll, draw_value)
    if weights is None:
        weights = default_textbook_weights(state.board_size)
    if not isinstance(weights, TextbookWeights):
        raise ConfigError(f"expected TextbookWeights for this game, got {weights!r}")
    if max_wall_moves is not None:
        max_wall_moves = min(max_wall_moves, action_space_size(state.board_size))
    core = _core.quoridor_minimax if algorithm == "minimax" else _core.quoridor_alphabeta
    return timed_result(
        lambda: core(
            state,
            depth,
            **asdict(weights),
            max_wall_moves=max_wall_moves,
            wall_order=wall_order,
            poll=poll,
            cache=cache,
        ),
        state,
        depth,
        state.game.unit,
        weights.path_weight if weights.path_weight > 0 else 1.0,
    )
