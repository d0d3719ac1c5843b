"""Moves of Quoridor that may lead from one position to another.

`plyground.agents.move_tracker` uses them to rebuild the moves of a game from its positions.
"""

from __future__ import annotations

from plyground.games.quoridor import State, kind_and_cell
from plyground.games.quoridor_paths import Cell


def moves_towards(state: State, target: State) -> list[int]:
    """Legal moves that may lead from a position to another one, the likeliest first."""
    player = state.current_player
    walls_to_place = {
        mover: state.walls_remaining[mover] - target.walls_remaining[mover] for mover in (1, 2)
    }
    if not _is_possible(state, target, walls_to_place):
        return []
    # The counter tells the ply of the last wall: that move is a wall, and no wall follows it.
    ply, last_wall = state.move_count, target.move_count - target.moves_since_last_wall - 1
    may_step = ply != last_wall or not walls_to_place[player]
    may_wall = walls_to_place[player] > 0 and ply <= last_wall
    goal = _pawns(target)[player]
    steps, walls = [], []
    for action in state.legal_actions():
        kind, cell = kind_and_cell(action, state.board_size)
        if kind == "move" and may_step:
            steps.append((_distance(cell, goal), action))
        elif may_wall and cell in (target.h_walls if kind == "h_wall" else target.v_walls):
            walls.append(action)
    nearest_first = [action for _, action in sorted(steps)]
    return walls + nearest_first if ply == last_wall else nearest_first + walls


def _is_possible(state: State, target: State, walls_to_place: dict[int, int]) -> bool:
    """Whether both players have plies enough to place their walls and walk to their cells."""
    plies_left = target.move_count - state.move_count
    if plies_left <= 0:
        return False
    player = state.current_player
    plies = {player: (plies_left + 1) // 2, 3 - player: plies_left // 2}
    for mover in (1, 2):
        distance = _distance(_pawns(state)[mover], _pawns(target)[mover])
        steps = plies[mover] - walls_to_place[mover]
        if walls_to_place[mover] < 0 or steps < (distance + 1) // 2:  # a jump goes two cells
            return False
    return True


def _pawns(state: State) -> dict[int, Cell]:
    return {1: state.player1_pos, 2: state.player2_pos}


def _distance(first: Cell, second: Cell) -> int:
    return abs(first[0] - second[0]) + abs(first[1] - second[1])
