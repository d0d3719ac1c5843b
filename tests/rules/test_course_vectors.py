"""287 positions from a university course's Quoridor framework, with its own legal moves.

Its rules are ours but for one: where we ask whether a path of open steps leads to the goal, it
walks with pawn moves, jumps included, past the other pawn standing still. That pawn can bar the
only way: with the straight jump open, a pawn may not jump sideways. Then the framework finds no
path, whatever wall is asked about. Among these positions that makes a difference in one:

    266   `9 c3/e4 e2h,a3h,...`, player 1 to move. Player 2's pawn on e4 bars player 1's way out,
          so the framework allows no wall at all; by our rules 58 walls are legal.

In position 117 it is player 2 who is barred, which shows only in `min_steps`, as the player to
move has no walls left. `min_steps` differs elsewhere too, since a jump is one move of the walk
but two steps of a path, and a detour round a pawn is longer.

The last test puts the framework's rule in place of ours: then all 287 agree in everything.
"""

from __future__ import annotations

import json
from collections import deque
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyground.games.reference import quoridor as reference
from plyground.quoridor import GameConfig

if TYPE_CHECKING:
    from tests.conftest import Rules

Vector = dict[str, Any]

DATA = Path(__file__).parents[1] / "data" / "course_rule_vectors.json"
VECTORS: list[Vector] = json.loads(DATA.read_text())
KINDS = {"P": "move", "WH": "h_wall", "WV": "v_wall"}

# Walls that we allow and the framework does not, by position; there are none the other way round.
ONLY_OURS = {
    266: (
        "a1h b1h c1h d1h e1h f1h g1h h1h a2h b2h c2h g2h a4h a5h e5h f5h h5h c6h d6h a7h b7h c7h "
        "g7h h7h b8h d8h e8h f8h g8h h8h a1v b1v g1v a2v b2v f2v g2v a4v a5v d5v e5v f5v h5v b6v "
        "c6v d6v e6v b7v d7v f7v g7v h7v b8v d8v e8v f8v g8v h8v"
    )
}
BARRED = {117, 266}  # where a standing pawn leaves one player no walk to the goal


def position_text(vector: Vector) -> str:
    walls = [("h_wall", tuple(cell)) for cell in sorted(vector["horiz_walls"])]
    walls += [("v_wall", tuple(cell)) for cell in sorted(vector["verti_walls"])]
    pawns = "/".join(reference.position_to_notation(cell) for cell in vector["pawns"])
    left = "/".join(str(number) for number in vector["nb_walls"])
    names = ",".join(map(reference.action_to_notation, walls)) or "-"
    return f"9 {pawns} {names} {left} {vector['player'] + 1} {vector['player']} 0"


def names(actions: list[tuple[str, int, int]]) -> set[str]:
    """The framework's actions, such as ["WH", 2, 4], in our notation."""
    return {reference.action_to_notation((KINDS[kind], (r, c))) for kind, r, c in actions}


def test_there_are_287() -> None:
    assert len(VECTORS) == 287


def test_pawn_moves(rules: Rules) -> None:
    for index, vector in enumerate(VECTORS):
        state = rules.parse(position_text(vector), GameConfig())
        assert rules.pawn_moves(state) == names(vector["pawn_moves"]), index


def test_wall_moves_but_for_those_that_differ(rules: Rules) -> None:
    for index, vector in enumerate(VECTORS):
        state = rules.parse(position_text(vector), GameConfig())
        only_ours = set(ONLY_OURS.get(index, "").split())
        assert not only_ours & names(vector["wall_moves"]), index
        assert rules.walls(state) == names(vector["wall_moves"]) | only_ours, index


def test_shortest_paths_where_the_other_pawn_is_far(rules: Rules) -> None:
    """Farther away than the goal, the other pawn can neither bar a path nor shorten it."""
    compared = 0
    for index, vector in enumerate(VECTORS):
        state = rules.parse(position_text(vector), GameConfig())
        plain = reference.State.parse(position_text(vector), GameConfig())
        for player in (1, 2):
            length = rules.module.shortest_path_length(state, player)
            if index not in BARRED and steps_to_other_pawn(plain, player) > length:
                assert vector["min_steps"][player - 1] == length, index
                compared += 1
    assert compared == 49


def steps_to_other_pawn(state: reference.State, player: int) -> int:
    start, other = state.pawns[player - 1], state.pawns[2 - player]
    steps, queue = {start: 0}, deque([start])
    while queue:
        cell = queue.popleft()
        for there in state.neighbours(cell):
            if there not in steps:
                steps[there] = steps[cell] + 1
                queue.append(there)
    return steps.get(other, len(steps))


def walk(state: reference.State, player: int) -> int | None:
    """The framework's search: pawn moves to the goal, the other pawn standing still, or None."""
    start = state.pawns[player - 1]
    steps, queue = {start: 0}, deque([start])
    while queue:
        cell = queue.popleft()
        if cell[0] == state.goal_row(player):
            return steps[cell]
        for there in reference.get_legal_pawn_moves(moved(state, player, cell), player):
            if there not in steps:
                steps[there] = steps[cell] + 1
                queue.append(there)
    return None


def moved(state: reference.State, player: int, cell: reference.Cell) -> reference.State:
    return replace(state, pawns=(cell, state.pawns[1]) if player == 1 else (state.pawns[0], cell))


def can_walk(state: reference.State, player: int) -> bool:
    """Whether `walk` would arrive, found sooner by trying moves towards the goal first."""
    todo, seen = [state.pawns[player - 1]], {state.pawns[player - 1]}
    while todo:
        cell = todo.pop()
        if cell[0] == state.goal_row(player):
            return True
        cells = reference.get_legal_pawn_moves(moved(state, player, cell), player)
        fresh = [there for there in cells if there not in seen]
        seen.update(fresh)
        todo += fresh if player == 1 else reversed(fresh)
    return False


def test_with_the_frameworks_own_path_rule_everything_agrees() -> None:
    """No jump passes a wall, so a walk is a path and its legal walls are among ours."""
    for index, vector in enumerate(VECTORS):
        state = reference.State.parse(position_text(vector), GameConfig())
        walks = [walk(state, player) for player in (1, 2)]
        assert (None in walks) == (index in BARRED)
        assert vector["min_steps"] == (None if None in walks else walks), index
        walls = [action for action in state.get_legal_moves() if action[0] != "move"]
        walkable = {
            reference.action_to_notation(wall)
            for wall in walls
            if all(can_walk(state.with_wall(*wall), player) for player in (1, 2))
        }
        assert walkable == names(vector["wall_moves"]), index
