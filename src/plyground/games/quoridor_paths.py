"""Open steps and paths between any cells of a Quoridor board, in plain Python.

The rules and searches use the faster paths of the core. These functions also answer for sets of
walls that the rules would reject, such as a wall that cuts a player off.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from operator import index as whole
from typing import Protocol

from plyground.errors import IllegalMoveError, NotationError

Cell = tuple[int, int]
"""Row and column of a cell, from 0, or of a wall's slot."""
_DIRECTIONS = {"h": "h_wall", "v": "v_wall", "h_wall": "h_wall", "v_wall": "v_wall"}


class HasWalls(Protocol):
    """A board with walls: a `State` or a `WallLayout`."""

    @property
    def board_size(self) -> int:
        """Rows and columns."""

    @property
    def h_walls(self) -> frozenset[Cell]:
        """(row, col) of the horizontal walls."""

    @property
    def v_walls(self) -> frozenset[Cell]:
        """(row, col) of the vertical walls."""


@dataclass(frozen=True)
class WallLayout:
    """Walls on a board, whether or not the rules allow them.

    >>> row = WallLayout(4).add_wall(1, 0, "h_wall").add_wall(1, 2, "h_wall")
    >>> astar_can_reach_goal(row, (0, 2), 3), astar_can_reach_goal(row, (0, 2), 1)
    (False, True)
    """

    board_size: int = 9
    h_walls: frozenset[Cell] = frozenset()
    v_walls: frozenset[Cell] = frozenset()

    @classmethod
    def of(cls, state: HasWalls) -> WallLayout:
        """The walls of a position."""
        return cls(state.board_size, state.h_walls, state.v_walls)

    def add_wall(self, row: int, col: int, direction: str) -> WallLayout:
        """The layout with another wall, which may overlap, cross or cut off."""
        kind = wall_kind(direction)
        if not is_slot(self, row, col):
            raise IllegalMoveError(
                f"expected a wall slot from (0, 0) to {(self.board_size - 2,) * 2} on a board of "
                f"size {self.board_size}, got {(row, col)}"
            )
        wall = frozenset({(whole(row), whole(col))})
        if kind == "h_wall":
            return WallLayout(self.board_size, self.h_walls | wall, self.v_walls)
        return WallLayout(self.board_size, self.h_walls, self.v_walls | wall)


def wall_kind(direction: str) -> str:
    """The kind of wall that a direction names: 'h_wall' or 'v_wall', also written 'h' or 'v'."""
    if direction not in _DIRECTIONS:
        raise NotationError(f"expected a wall 'h_wall' or 'v_wall', got {direction!r}")
    return _DIRECTIONS[direction]


def is_slot(board: HasWalls, row: int, col: int) -> bool:
    """Whether a wall fits at (row, col) on an empty board."""
    slots = range(board.board_size - 1)
    return whole(row) in slots and whole(col) in slots


def get_reachable_neighbors(state: HasWalls, position: Cell) -> list[Cell]:
    """The cells one open step away: below, left, right, above. Pawns do not block a step.

    >>> get_reachable_neighbors(WallLayout(3).add_wall(0, 0, "h_wall"), (0, 0))
    [(0, 1)]
    """
    row, col = _on_board(state, position)
    return _open_steps(state.board_size, state.h_walls, state.v_walls, row, col)


def astar_can_reach_goal(state: HasWalls, start_pos: Cell, goal_row: int) -> bool:
    """Whether open steps lead from a cell to a row, by A* with the rows left as its estimate."""
    start, goal = _on_board(state, start_pos), whole(goal_row)
    size, h_walls, v_walls = state.board_size, state.h_walls, state.v_walls
    if goal not in range(size):
        raise IllegalMoveError(
            f"expected a row from 0 to {size - 1} on a board of size {size}, got {goal}"
        )
    steps = {start: 0}
    waiting = [(abs(start[0] - goal), start)]
    while waiting:
        estimate, cell = heapq.heappop(waiting)
        if cell[0] == goal:
            return True
        if estimate > steps[cell] + abs(cell[0] - goal):
            continue  # a shorter way to this cell was found since
        for neighbor in _open_steps(size, h_walls, v_walls, *cell):
            if steps[cell] + 1 < steps.get(neighbor, size * size):
                steps[neighbor] = steps[cell] + 1
                heapq.heappush(waiting, (steps[neighbor] + abs(neighbor[0] - goal), neighbor))
    return False


def _on_board(board: HasWalls, position: Cell) -> Cell:
    row, col = (whole(coordinate) for coordinate in position)
    size = board.board_size
    if not (0 <= row < size and 0 <= col < size):
        raise IllegalMoveError(
            f"expected a cell from (0, 0) to {(size - 1, size - 1)} on a board of size {size}, "
            f"got {(row, col)}"
        )
    return row, col


def _open_steps(
    size: int, h_walls: frozenset[Cell], v_walls: frozenset[Cell], row: int, col: int
) -> list[Cell]:
    def is_closed_above(below: int) -> bool:
        return not h_walls.isdisjoint({(below, col), (below, col - 1)})

    def is_closed_right(left: int) -> bool:
        return not v_walls.isdisjoint({(row, left), (row - 1, left)})

    cells = []
    if row > 0 and not is_closed_above(row - 1):
        cells.append((row - 1, col))
    if col > 0 and not is_closed_right(col - 1):
        cells.append((row, col - 1))
    if col < size - 1 and not is_closed_right(col):
        cells.append((row, col + 1))
    if row < size - 1 and not is_closed_above(row):
        cells.append((row + 1, col))
    return cells
