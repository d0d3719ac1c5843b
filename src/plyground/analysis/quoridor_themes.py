"""Themes of Quoridor's puzzles, detected on the winning line."""

from __future__ import annotations

from collections.abc import Sequence

from plyground.games.quoridor import State, kind_and_cell

DEAD_END_STEPS = 4
"""Steps that a wall must cost: the opponent has to turn back."""


def themes(states: Sequence[State], line: Sequence[int]) -> list[str]:
    """The themes of a line; `states` are the positions before and after each of its moves.

    - jump: the winner jumps over the other pawn
    - dead end: the first move is a wall that costs the opponent at least DEAD_END_STEPS steps
    - last wall: the first move is the winner's last wall
    - tempo: the loser was one step from its goal at the end
    - wall: the first move is another wall
    - race: the winner has no walls
    """
    start, after, end = states[0], states[1], states[-1]
    winner, loser = start.current_player, 3 - start.current_player
    first, _ = kind_and_cell(line[0], start.board_size)
    cost = after.shortest_path_length(loser) - start.shortest_path_length(loser)
    found = {
        "jump": any(
            is_jump(state, line[ply]) for ply, state in enumerate(states[:-1]) if ply % 2 == 0
        ),
        "dead end": first != "move" and cost >= DEAD_END_STEPS,
        "last wall": first != "move" and start.walls_remaining[winner] == 1,
        "tempo": end.shortest_path_length(loser) == 1,
        "race": start.walls_remaining[winner] == 0,
    }
    found["wall"] = first != "move" and not (found["dead end"] or found["last wall"])
    return [theme for theme, is_present in found.items() if is_present]


def is_jump(state: State, action: int) -> bool:
    """Whether a pawn moves further than to a neighbouring cell."""
    kind, cell = kind_and_cell(action, state.board_size)
    pawn = state.player1_pos if state.current_player == 1 else state.player2_pos
    return kind == "move" and sum(abs(a - b) for a, b in zip(cell, pawn, strict=True)) > 1
