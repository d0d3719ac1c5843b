"""Lines of play: moves one after the other from a position."""

from __future__ import annotations

from collections.abc import Iterable

from plyground.games.base import Move, State


def format_line(state: State, actions: Iterable[int]) -> str:
    """Moves in notation, separated by spaces.

    >>> from plyground.quoridor import State
    >>> format_line(State(), [13, 101])
    'e2 e3h'
    """
    moves = []
    for action in actions:
        moves.append(state.format_move(action))
        state = state.play(action)
    return " ".join(moves)


def play_line(state: State, moves: Iterable[Move]) -> list[State]:
    """Every position of a line, the first before any move."""
    states = [state]
    for move in moves:
        states.append(states[-1].play(move))
    return states
