"""Reversi: everything about its rules that other programs use, and its exact ends.

>>> from plyground import reversi
>>> state = reversi.State().play("f5").play("d6")
>>> state.text()
'---------------------------OX------OXX-----O-------------------- X'
>>> state.counts, [reversi.action_to_notation(action) for action in state.legal_actions()]
({1: 3, 2: 3}, ['c3', 'c4', 'c5', 'c6', 'c7'])
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyground.games.reversi import (
    ACTION_SPACE_SIZE,
    PASS,
    State,
    action_to_notation,
    format_transcript,
    notation_to_action,
    parse_transcript,
    perft,
)

if TYPE_CHECKING:
    from plyground.search.result import SearchResult

__all__ = [
    "ACTION_SPACE_SIZE",
    "PASS",
    "State",
    "action_to_notation",
    "format_transcript",
    "notation_to_action",
    "parse_transcript",
    "perft",
    "solve",
]


def solve(
    state: State, *, win_only: bool = False, hash_mb: int = 64, threads: int = 1
) -> SearchResult:
    """The exact score of a late position for the side to move: `plyground.search.solve_endgame`."""
    from plyground.search.reversi_solver import solve_endgame  # here, to start fast

    return solve_endgame(state, win_only=win_only, hash_mb=hash_mb, threads=threads)
