"""Proofs of Reversi by the exact solver of endgames."""

from __future__ import annotations

from plyground.analysis.proof import Proof
from plyground.games.reversi import State
from plyground.search.reversi_solver import solve_endgame

SIZE = 8
MOST_EMPTIES = 20
"""Empty squares of the earliest positions that are solved."""


class ReversiProver:
    """Solves late positions of 8x8: the winner wins by the most discs, the loser loses by the
    fewest."""

    def prove(self, state: State) -> Proof | None:
        """The exact result; None for early positions and for small boards, whose puzzles would
        be easy."""
        if state.board_size != SIZE or SIZE**2 - sum(state.counts.values()) > MOST_EMPTIES:
            return None
        found = solve_endgame(state, hash_mb=HASH_MB)
        assert found.score is not None
        points, mover = found.score.value, state.current_player
        winner = mover if points > 0 else 3 - mover if points < 0 else None
        return Proof(winner, found.best_move)

    def clear(self) -> None:
        """Nothing to forget: the solver keeps no table."""


HASH_MB = 2
"""Size of the solver's table: enough for the positions solved here."""
