"""The modules of the Quoridor course, for students' agents: `quoridor` and `minimax`.

An agent that was written for the course's own files runs with `python -m plyground.course FILE`, or
with two files beside it: `quoridor.py` that says `from plyground.course.quoridor import *`, and
`minimax.py` that says `from plyground.course.minimax import *`. docs/course.md is the guide.
"""

from plyground.course.minimax import Game, inf, search
from plyground.course.quoridor import (
    PLAYER1,
    PLAYER2,
    Agent,
    Board,
    InvalidAction,
    NoPath,
    agent_main,
    dict_to_board,
    load_percepts,
    serve_agent,
)

__all__ = [
    "PLAYER1",
    "PLAYER2",
    "Agent",
    "Board",
    "Game",
    "InvalidAction",
    "NoPath",
    "agent_main",
    "dict_to_board",
    "inf",
    "load_percepts",
    "search",
    "serve_agent",
]
