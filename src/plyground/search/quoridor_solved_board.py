"""A solved board of Quoridor for the command `plyground solve`."""

from __future__ import annotations

from plyground.games.lines import format_line
from plyground.games.quoridor import State
from plyground.hints import counted
from plyground.json_types import JsonObject
from plyground.search.quoridor_solver import Solution


class QuoridorSolvedBoard:
    """A solution, and the state whose settings may draw the game earlier."""

    def __init__(self, state: State, solution: Solution) -> None:
        self._state = state
        self._solution = solution

    @property
    def start(self) -> State:
        """The solved position, without draw counters."""
        return self._solution.start

    @property
    def line(self) -> list[int]:
        """A perfect game as action numbers."""
        return self._solution.line

    def lines(self) -> list[str]:
        """The position, the result, whether the draw rules apply, and the size of the tables."""
        solution = self._solution
        found = [solution.start.text().rsplit(" ", 2)[0], self._verdict()]
        if (plies := self._drawn_after()) is not None:
            plies_text = counted(plies, "ply", "plies")
            found.append(f"the draw rules of these settings end it after {plies_text}")
        size_mb = solution.memory_bytes / 2**20
        return [
            *found,
            f"{solution.positions:,} positions in {solution.time_s:.2f} s, "
            f"{size_mb:,.1f} MB of tables",
        ]

    def moves(self) -> dict[str, int]:
        """Each first move and the plies to the end, negative where its player loses."""
        start = self._solution.start
        values = self._solution.action_values(start)
        return {start.format_move(action): value for action, value in values.items()}

    def as_dict(self) -> JsonObject:
        """The solution as a JSON object."""
        solution = self._solution
        return {
            "position": solution.start.text(),
            "board_size": solution.start.board_size,
            "winner": solution.winner,
            "plies": solution.plies,
            "drawn_after": self._drawn_after(),
            "line": [*format_line(solution.start, solution.line).split()],
            "moves": {**self.moves()},
            "positions": solution.positions,
            "memory_bytes": solution.memory_bytes,
            "time_s": solution.time_s,
        }

    def _verdict(self) -> str:
        """The result in one sentence."""
        solution = self._solution
        if solution.winner is None:
            return "a draw with perfect play"
        plies = counted(solution.plies, "ply", "plies")
        return f"player {solution.winner} wins in {plies} with perfect play"

    def _drawn_after(self) -> int | None:
        """The plies after which the settings draw the line; None if its last move wins."""
        state = self._state
        for plies, action in enumerate(self.line):
            if state.game_over:
                return plies
            state = state.play(action)
        return None
