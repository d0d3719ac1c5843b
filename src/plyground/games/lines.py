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


def format_turn(ply: int, player: int) -> str:
    """The number of a move as records have it, one for the moves of both players.

    `ply` counts the moves of both, from 1. If player 2 made the first move, it has a number alone.

    >>> format_turn(5, 1), format_turn(6, 2), format_turn(1, 2), format_turn(2, 1)
    ('3.', '3...', '1...', '2.')
    """
    first_player = player if ply % 2 else 3 - player
    return f"{(ply + first_player) // 2}{'.' if player == 1 else '...'}"
