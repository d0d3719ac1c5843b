"""Reversi's rules for Python: notation, transcripts, counting.

The rules themselves are native (`State` is `_core.ReversiState`); these functions are their public
names. `plyground.reversi` re-exports them. Actions are the squares from a1 (0) along the rows to h8
(63), and PASS.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from operator import index as whole
from typing import SupportsIndex

from plyground import _core
from plyground.errors import IllegalMoveError, NotationError

State = _core.ReversiState

PASS = 64
"""The action of a player who has no other."""
ACTION_SPACE_SIZE = 65

# A move number, a square, a pass as one of several programs writes it, or something else.
_TOKEN = re.compile(
    r"(?P<number>[0-9]+\.+)|(?P<square>[a-h][1-8])|(?P<pass>pass|pa|ps|--|@@)|(?P<other>\S{1,8})",
    re.IGNORECASE | re.ASCII,
)


def action_to_notation(action: SupportsIndex) -> str:
    """An action as people write it.

    >>> action_to_notation(37), action_to_notation(PASS)
    ('f5', 'pass')
    """
    return _core.reversi_format_action(whole(action))


def notation_to_action(text: str) -> int:
    """The action that a square's name or a pass stands for.

    >>> notation_to_action("F5"), notation_to_action("--")
    (37, 64)
    """
    return _core.reversi_parse_action(text)


def perft(state: State, depth: int, hash_mb: int = 0) -> int:
    """Count the move paths of this length; a pass is a move, and a game that ends sooner counts 1.

    >>> perft(State(), 5)
    1396
    """
    return state.perft(depth, hash_mb)


def parse_transcript(text: str, start: State | None = None) -> list[int]:
    """The actions of a game written as squares: `f5d6c3`, in either case.

    Spaces, line ends and numbers such as `12.` may stand between the moves. A pass may be written
    (`pass`, `pa`, `ps`, `--` or `@@`) or left out: it is played where there is no other move.

    >>> parse_transcript("1. f5 d6 2. c3")
    [37, 43, 18]
    """
    state = State() if start is None else start
    actions: list[int] = []
    written = 0  # moves read, passes that were left out not counted
    for token in _TOKEN.finditer(text):
        if token["number"]:
            continue
        written += 1
        move = token[0]
        if token["other"]:
            raise NotationError(
                f"move {written}: expected a square from a1 to h8 or a pass, got {move!r}"
            )
        if token["square"] and state.is_legal(PASS):
            actions.append(PASS)
            state = state.play(PASS)
        try:
            state = state.play(move)
        except IllegalMoveError as error:
            raise IllegalMoveError(f"move {written}: {error}") from None
        actions.append(notation_to_action(move))
    return actions


def format_transcript(actions: Iterable[SupportsIndex]) -> str:
    """Actions as a transcript, without the passes; `parse_transcript` reads it back.

    A pass after the last square is lost: it is the one that nothing after it implies.

    >>> format_transcript([37, 43, 18])
    'f5d6c3'
    """
    return "".join(action_to_notation(action) for action in actions if whole(action) != PASS)
