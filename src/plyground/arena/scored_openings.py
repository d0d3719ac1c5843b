"""Openings from a game's book of scored moves: what strong players would play."""

from __future__ import annotations

from plyground.errors import ConfigError
from plyground.games.base import State
from plyground.games.book_position import BookPosition

PLIES = 8
"""Plies of an opening by default."""
MOST_LOSS = 2.0
"""Points that one move may lose."""
MOST_LEAD = 3.0
"""Points by which a player may be ahead."""


def scored_openings(start: State, plies: int = PLIES) -> list[State]:
    """All different positions after a number of plies of the game's book, none a mirror image.

    A ConfigError if the book has none.
    """
    states = [start]
    for _ in range(plies):
        found: dict[str, State] = {}
        for state in states:
            for after in _next_states(state):
                found.setdefault(BookPosition(after).text, after)
        states = list(found.values())
    openings = [state for state in states if _is_even(state)]
    if not openings:
        game = start.game.name
        raise ConfigError(f"{game} has no book of scored openings of {plies} plies from this start")
    return openings


def _next_states(state: State) -> list[State]:
    moves = state.game.book_moves(state)
    close = [each for each in moves if each.score.value >= moves[0].score.value - MOST_LOSS]
    return [state.play(each.action) for each in close]


def _is_even(state: State) -> bool:
    moves = state.game.book_moves(state)
    return bool(moves) and abs(moves[0].score.value) <= MOST_LEAD
