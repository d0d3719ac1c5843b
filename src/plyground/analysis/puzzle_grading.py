"""The difficulty and the themes of a puzzle, measured by code."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

from plyground.agents.spec import make
from plyground.analysis.puzzle import Puzzle
from plyground.games.base import State
from plyground.games.lines import play_line

BASE = 700
MISSED = 900
"""Points if every simple agent misses the answer."""
PER_PLY, MOST_PLIES = 25, 25
PER_DOUBLING = 30
"""Points for twice as many legal moves."""


def grade(state: State, line: Sequence[int]) -> Puzzle:
    """The puzzle of a position and its winning line, with its rating and themes."""
    states = play_line(state, line)
    moves = tuple(before.format_move(action) for before, action in zip(states, line, strict=False))
    themes = tuple(state.game.puzzle_themes(states, line))
    game, rating = state.game, difficulty(state, line)
    return Puzzle(game.name, game.board(state).rows, state.text(), moves, rating, themes)


def difficulty(state: State, line: Sequence[int]) -> int:
    """The rating of a puzzle.

    It grows with the share of simple agents (`Game.puzzle_solvers`) that miss the answer, with the
    plies to the end and with the number of legal moves.
    """
    solvers = state.game.puzzle_solvers
    missed = sum(make(spec, state.game).select_action(state) != line[0] for spec in solvers)
    branching = log2(len(state.legal_actions()))
    plies = min(len(line), MOST_PLIES)
    return round(BASE + MISSED * missed / len(solvers) + PER_PLY * plies + PER_DOUBLING * branching)
