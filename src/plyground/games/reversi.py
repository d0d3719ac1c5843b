"""The rules of Reversi as Python functions: notation, transcripts and perft.

The rules are implemented in the core: `State` is `_core.ReversiState`. `plyground.reversi`
re-exports these functions. Actions are the squares from a1 (0) along the rows to h8 (63), and PASS.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from operator import index as whole
from typing import SupportsIndex

from plyground import _core
from plyground.errors import ConfigError, IllegalMoveError, NotationError

State = _core.ReversiState

PASS = 64
"""The only action of a player without a legal square."""
ACTION_SPACE_SIZE = 65
"""The number of actions: the 64 squares, and PASS."""

# A move number, a square, a pass in one of several spellings, or anything else.
_TOKEN = re.compile(
    r"(?P<number>[0-9]+\.+)|(?P<square>[a-h][1-8])|(?P<pass>pass|pa|ps|--|@@)|(?P<other>\S{1,8})",
    re.IGNORECASE | re.ASCII,
)


def expect_state(state: object) -> State:
    """The state, if it is one of Reversi; a ConfigError otherwise."""
    if not isinstance(state, State):
        raise ConfigError(f"expected a state of reversi, got {state!r}")
    return state


def action_to_notation(action: SupportsIndex) -> str:
    """An action in notation.

    >>> action_to_notation(37), action_to_notation(PASS)
    ('f5', 'pass')
    """
    return _core.reversi_format_action(whole(action))


def notation_to_action(text: str) -> int:
    """Parse the name of a square or a pass.

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
    """Parse a game written as squares, in upper or lower case: `f5d6c3`.

    Spaces, line ends and numbers such as `12.` may separate the moves. A pass may be written
    (`pass`, `pa`, `ps`, `--` or `@@`) or omitted: it is added when it is the only legal move.

    >>> parse_transcript("1. f5 d6 2. c3")
    [37, 43, 18]
    """
    state = State() if start is None else start
    actions: list[int] = []
    written = 0  # moves read, without omitted passes
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
        except (IllegalMoveError, NotationError) as error:
            raise type(error)(f"move {written}: {error}") from None
        actions.append(notation_to_action(move))
    return actions


def format_transcript(actions: Iterable[SupportsIndex]) -> str:
    """Format actions as a transcript without passes, which `parse_transcript` adds again.

    A pass after the last square is lost, since no later move implies it.

    >>> format_transcript([37, 43, 18])
    'f5d6c3'
    """
    return "".join(action_to_notation(action) for action in actions if whole(action) != PASS)
