"""Puzzles of Reversi, proven by the exact solver of endgames."""

from __future__ import annotations

from plyground.analysis.puzzle import Puzzle
from plyground.games.reversi import State
from plyground.search.reversi_solver import solve_endgame

MANY_MOVES = 8
"""Legal moves from which on a puzzle counts as hard."""


def find_puzzle(state: State) -> Puzzle | None:
    """The puzzle that a position makes; None unless one move wins and all others lose."""
    actions = state.legal_actions()
    if len(actions) < 2:
        return None
    worth = {action: _final_score(state, action) for action in actions}
    winning = [action for action, score in worth.items() if score > 0]
    if len(winning) != 1 or 0 in worth.values():
        return None
    (answer,) = winning
    after = state.play(answer)
    line = [answer, *(solve_endgame(after).pv if after.outcome is None else [])]
    level = 2 if len(actions) < MANY_MOVES else 3
    if _greedy_move(state) == answer:
        level = 1
    return Puzzle.of(state, line, f"wins by {worth[answer]:.0f}", level)


def _final_score(state: State, action: int) -> float:
    """The exact final score of the player who makes this move."""
    player, after = state.current_player, state.play(action)
    if after.outcome is not None:
        return {player: 1.0, None: 0.0}.get(after.outcome.winner, -1.0)
    score = solve_endgame(after).score
    assert score is not None
    return score.pov(player).value


def _greedy_move(state: State) -> int:
    """The first move that leaves its player with most discs, as a beginner would choose."""
    mover = state.current_player
    return max(state.legal_actions(), key=lambda action: state.play(action).counts[mover])
