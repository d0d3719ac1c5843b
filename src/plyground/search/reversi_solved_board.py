"""A position of Reversi solved to the end, for the command `plyground solve`."""

from __future__ import annotations

from plyground.errors import ConfigError, IllegalMoveError
from plyground.games.lines import format_line
from plyground.games.reversi import State
from plyground.json_types import JsonObject
from plyground.search.reversi_solver import solve_endgame

MOST_EMPTIES = 32
"""Empty squares of 6x6 at the start. On 8x8 that many would take weeks."""
MOST_HASH_MB = 1024
"""Size of the table with which 6x6 takes about a minute."""


class ReversiSolvedBoard:
    """The final score with best play, and a game that leads to it."""

    def __init__(self, state: State, max_mb: int) -> None:
        if state.game_over:
            raise IllegalMoveError(f"cannot solve {state.text()!r}: the game is over")
        empty = state.board_size**2 - sum(state.counts.values())
        if empty > MOST_EMPTIES:
            raise ConfigError(
                f"expected at most {MOST_EMPTIES} empty squares to solve, got {empty}"
            )
        self.start = state
        self._hash_mb = min(max_mb, MOST_HASH_MB)
        self._found = solve_endgame(state, hash_mb=self._hash_mb)

    @property
    def line(self) -> list[int]:
        """A perfect game as action numbers."""
        return list(self._found.pv)

    def lines(self) -> list[str]:
        """The position, the result, and the positions searched."""
        seconds = self._found.time_ms / 1000
        return [
            self.start.text(),
            self._verdict(),
            f"{self._found.nodes_searched:,} positions in {seconds:.2f} s",
        ]

    def moves(self) -> dict[str, int]:
        """The score of each first move in discs, for the player to move."""
        state = self.start
        return {
            state.format_move(action): self._score_after(state.play(action))
            for action in state.legal_actions()
        }

    def as_dict(self) -> JsonObject:
        """The solution as a JSON object."""
        end = self._end()
        return {
            "position": self.start.text(),
            "board_size": self.start.board_size,
            "winner": end.winner,
            "score": end.score,
            "discs": [end.counts[1], end.counts[2]],
            "line": [*format_line(self.start, self.line).split()],
            "moves": {**self.moves()},
            "positions": self._found.nodes_searched,
            "time_s": self._found.time_ms / 1000,
        }

    def _end(self) -> State:
        state = self.start
        for action in self.line:
            state = state.play(action)
        return state

    def _verdict(self) -> str:
        """The result in one sentence."""
        end = self._end()
        winner = end.winner
        if winner is None:
            return "a draw with perfect play"
        discs, other = end.counts[winner], end.counts[3 - winner]
        return f"player {winner} wins {discs}-{other} with perfect play"

    def _score_after(self, after: State) -> int:
        """The score of a position for the player who has just moved."""
        mover = 3 - after.current_player
        if after.game_over:
            return after.score if mover == 1 else -after.score
        found = solve_endgame(after, hash_mb=self._hash_mb).score
        assert found is not None
        return -round(found.value)
