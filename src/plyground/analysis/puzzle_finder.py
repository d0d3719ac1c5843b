"""Finds puzzles: positions in which exactly one move wins, by proof."""

from __future__ import annotations

from plyground.analysis.proof import Prover, best_line, winner_after
from plyground.games.base import State

FEWEST_MOVES = 3
"""Legal moves of a position that leaves something to find."""


def find_line(state: State, prover: Prover[State]) -> list[int] | None:
    """The winning line of a puzzle, with best play to the end of the game.

    None unless the first move is proven to win and every other move is proven to lose or draw.
    """
    actions = state.legal_actions()
    if len(actions) < FEWEST_MOVES:
        return None
    prover.clear()
    mover, proof = state.current_player, prover.prove(state)
    if proof is None or proof.winner != mover:
        return None
    for action in actions:
        if action != proof.best_move:
            is_proven, winner = winner_after(state.play(action), prover)
            if not is_proven or winner == mover:
                return None
    after = state.play(proof.best_move)
    if after.outcome is not None:
        return None
    rest = best_line(after, prover)
    return None if rest is None else [proof.best_move, *rest]
