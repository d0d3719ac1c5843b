"""How the course's rules for Quoridor differ: the path that a wall has to leave to both players.

Plyground requires a path of open steps. The course requires a path of pawn moves, jumps included,
while the other pawn stands still, and that pawn can block the only path. So the course forbids a
few walls that Plyground allows, and allows none that Plyground forbids.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from plyground.games.quoridor import State, kind_and_cell

Cell = tuple[int, int]
Step = frozenset[Cell]
"""A step between two neighbouring cells, in either direction."""

STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))
"""Down, up, right, left: the order in which the course tries moves."""
DIAGONALS = ((1, 1), (-1, -1), (1, -1), (-1, 1))


def course_allows(state: State, action: int) -> bool:
    """Whether a legal move is also legal by the course's rules."""
    kind, place = kind_and_cell(action, state.board_size)
    if kind == "move":
        return True
    maze = Maze(
        state.board_size,
        state.h_walls | ({place} if kind == "h_wall" else set()),
        state.v_walls | ({place} if kind == "v_wall" else set()),
    )
    one, two, last = state.player1_pos, state.player2_pos, state.board_size - 1
    return (
        maze.shortest_path(one, two, last) is not None
        and maze.shortest_path(two, one, 0) is not None
    )


class Maze:
    """The walls of a board, and how pawns move between them."""

    def __init__(self, size: int, h_walls: Collection[Cell], v_walls: Collection[Cell]) -> None:
        self.size = size
        self._below = {cell for r, c in h_walls for cell in ((r, c), (r, c + 1))}
        """Cells with a wall below them, that is between rows r and r + 1."""
        self._right = {cell for r, c in v_walls for cell in ((r, c), (r + 1, c))}

    def is_open(self, start: Cell, end: Cell) -> bool:
        """Whether two cells are neighbours on the board without a wall between them."""
        (r, c), (to_r, to_c) = start, end
        if not (0 <= to_r < self.size and 0 <= to_c < self.size):
            return False
        if c == to_c and abs(r - to_r) == 1:
            return (min(r, to_r), c) not in self._below
        return r == to_r and abs(c - to_c) == 1 and (r, min(c, to_c)) not in self._right

    def pawn_moves(self, pawn: Cell, other: Cell) -> list[Cell]:
        """Where a pawn can go: steps, then diagonal moves, then jumps, as the course lists them."""
        r, c = pawn
        steps = [(r + down, c + right) for down, right in STEPS]
        moves = [cell for cell in steps if cell != other and self.is_open(pawn, cell)]
        if other not in steps or not self.is_open(pawn, other):
            return moves
        behind = (2 * other[0] - r, 2 * other[1] - c)
        if self.is_open(other, behind):
            return [*moves, behind]
        beside = ((r + down, c + right) for down, right in DIAGONALS)
        return moves + [cell for cell in beside if self.is_open(other, cell)]

    def shortest_path(self, pawn: Cell, other: Cell, goal_row: int) -> list[Cell] | None:
        """A shortest path of pawn moves, beginning with the pawn, while the other stands still."""
        came_from: dict[Cell, Cell | None] = {pawn: None}
        queue = [pawn]
        for cell in queue:
            if cell[0] == goal_row:
                return [*self._back(cell, came_from)][::-1]
            for there in self.pawn_moves(cell, other):
                if there not in came_from:
                    came_from[there] = cell
                    queue.append(there)
        return None

    def steps_of(self, path: Sequence[Cell], other: Cell) -> set[Step]:
        """The steps that a path of pawn moves depends on; a jump takes two, over the other pawn."""
        steps: set[Step] = set()
        for start, end in pairwise(path):
            if abs(start[0] - end[0]) + abs(start[1] - end[1]) == 1:
                steps.add(frozenset({start, end}))
            else:
                steps |= {frozenset({start, other}), frozenset({other, end})}
        return steps

    @staticmethod
    def _back(cell: Cell, came_from: dict[Cell, Cell | None]) -> Iterator[Cell]:
        at: Cell | None = cell
        while at is not None:
            yield at
            at = came_from[at]
