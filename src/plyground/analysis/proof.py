"""Proofs of who wins a position, and lines with best play to the end of the game.

Each game that can prove results has a prover (`Game.make_prover`): `quoridor_proof.py` and
`reversi_proof.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeVar

from plyground.games.base import State

S_contra = TypeVar("S_contra", bound=State, contravariant=True)

LONGEST_LINE = 120
"""Plies of the longest line that is followed to the end."""


@dataclass(frozen=True, slots=True)
class Proof:
    """The proven result of an unfinished position."""

    winner: int | None
    """The player who wins with best play; None for a draw."""
    best_move: int
    """A move that keeps this result: the winner's shortest way, or the best defence."""


class Prover(Protocol[S_contra]):
    """Proves the results of positions."""

    def prove(self, state: S_contra) -> Proof | None:
        """The proven result of an unfinished position; None if it finds no proof."""

    def clear(self) -> None:
        """Forget earlier positions, so that a result depends on its own position alone."""


def winner_after(state: State, prover: Prover[State]) -> tuple[bool, int | None]:
    """Whether the result of a position, finished or not, is proven; and its winner."""
    if state.outcome is not None:
        return True, state.outcome.winner
    proof = prover.prove(state)
    return (False, None) if proof is None else (True, proof.winner)


def best_line(state: State, prover: Prover[State]) -> list[int] | None:
    """Best play by both sides to the end of the game; None if a position on it is not proven."""
    line: list[int] = []
    while state.outcome is None:
        proof = prover.prove(state) if len(line) < LONGEST_LINE else None
        if proof is None:
            return None
        line.append(proof.best_move)
        state = state.play(proof.best_move)
    return line
