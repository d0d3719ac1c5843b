"""Reversi: everything about its rules that other programs use.

>>> from plyground import reversi
>>> state = reversi.State().play("f5").play("d6")
>>> state.text()
'---------------------------OX------OXX-----O-------------------- X'
>>> state.counts, [reversi.action_to_notation(action) for action in state.legal_actions()]
({1: 3, 2: 3}, ['c3', 'c4', 'c5', 'c6', 'c7'])
"""

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

__all__ = [
    "ACTION_SPACE_SIZE",
    "PASS",
    "State",
    "action_to_notation",
    "format_transcript",
    "notation_to_action",
    "parse_transcript",
    "perft",
]
