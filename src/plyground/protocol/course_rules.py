"""How the course's rules for Quoridor differ: the path that a wall has to leave to both players.

Plyground requires a path of open steps. The course requires a path of pawn moves, jumps included,
while the other pawn stands still, and that pawn can block the only path. So the course forbids a
few walls that Plyground allows, and allows none that Plyground forbids.
"""

from __future__ import annotations

from plyground.games.quoridor import Action, State, kind_and_cell

Cell = tuple[int, int]


def course_allows(state: State, action: int) -> bool:
    """Whether a legal move is also legal by the course's rules."""
    kind, _ = wall = kind_and_cell(action, state.board_size)
    if kind == "move":
        return True
    steps = _open_steps(state, wall)
    pawns, goals = (state.player1_pos, state.player2_pos), (state.board_size - 1, 0)
    return all(
        _can_walk(pawns[player], pawns[1 - player], goals[player], steps) for player in (0, 1)
    )


def _open_steps(state: State, wall: Action) -> dict[Cell, list[Cell]]:
    """The open steps from every cell once the wall stands."""
    kind, place = wall
    h_walls = state.h_walls | ({place} if kind == "h_wall" else set())
    v_walls = state.v_walls | ({place} if kind == "v_wall" else set())
    size = state.board_size
    steps: dict[Cell, list[Cell]] = {(r, c): [] for r in range(size) for c in range(size)}
    for r, c in list(steps):
        if r + 1 < size and (r, c) not in h_walls and (r, c - 1) not in h_walls:
            steps[r, c].append((r + 1, c))
            steps[r + 1, c].append((r, c))
        if c + 1 < size and (r, c) not in v_walls and (r - 1, c) not in v_walls:
            steps[r, c].append((r, c + 1))
            steps[r, c + 1].append((r, c))
    return steps


def _can_walk(start: Cell, other: Cell, goal_row: int, steps: dict[Cell, list[Cell]]) -> bool:
    """Whether pawn moves lead to the goal row while the other pawn stands still."""
    seen, todo = {start}, [start]
    while todo:
        cell = todo.pop()
        if cell[0] == goal_row:
            return True
        for there in _pawn_moves(cell, other, steps):
            if there not in seen:
                seen.add(there)
                todo.append(there)
    return False


def _pawn_moves(cell: Cell, other: Cell, steps: dict[Cell, list[Cell]]) -> list[Cell]:
    moves = [there for there in steps[cell] if there != other]
    if other in steps[cell]:
        behind = (2 * other[0] - cell[0], 2 * other[1] - cell[1])
        beyond = [there for there in steps[other] if there != cell]
        moves += [behind] if behind in beyond else beyond
    return moves
