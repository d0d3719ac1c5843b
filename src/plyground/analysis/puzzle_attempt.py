"""A puzzle being solved: the solver's moves, the best defence, and the refutation of a mistake."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from plyground.analysis.proof import Prover, best_line
from plyground.analysis.puzzle import Puzzle
from plyground.games.base import Move, State
from plyground.games.lines import play_line

Verdict = Literal["right", "solved", "wrong"]


@dataclass(frozen=True, slots=True)
class PuzzleReply:
    """What follows a solver's move."""

    verdict: Verdict
    """`right`: it still wins, and the opponent has replied; `solved`: the game is won; `wrong`: it
    does not win."""
    line: list[int]
    """The move, and the defence; or all moves to the end after a wrong one, if they are known."""
    winner: int | None
    """The winner at the end of the line; None for a draw or an unfinished game."""


class PuzzleAttempt:
    """The position of a solver in a puzzle."""

    def __init__(self, puzzle: Puzzle, moves: Sequence[str] = ()) -> None:
        self.puzzle = puzzle
        self.solver = puzzle.start.current_player
        self.moves: list[str] = []
        """Moves so far: the solver's right ones, each followed by the defence."""
        self.state = puzzle.start
        for move in moves:
            self._advance(self.state.parse_move(move))

    @property
    def is_solved(self) -> bool:
        """Whether the solver has won the game."""
        outcome = self.state.outcome
        return outcome is not None and outcome.winner == self.solver

    def play(self, move: Move, prover: Prover[State] | None = None) -> PuzzleReply:
        """Try a move. After a right one the attempt goes on; a wrong one changes nothing.

        The moves of the puzzle's own line need no proof. Every other first move is wrong; later,
        every move that is proven to win is right.
        """
        action = self.state.parse_move(move) if isinstance(move, str) else move
        after = self.state.play(action)
        prover = prover or self.state.game.make_prover()
        if self._is_right(action, after, prover):
            return self._defend(action, prover)
        line = [action, *(best_line(after, prover) or [])]
        end = play_line(self.state, line)[-1].outcome
        return PuzzleReply("wrong", line, None if end is None else end.winner)

    def solution(self, prover: Prover[State] | None = None) -> list[int]:
        """The winning moves from here to the end, with the best defence."""
        if not self._is_on_line():
            return best_line(self.state, prover or self.state.game.make_prover()) or []
        line, state = list[int](), self.state
        for move in self.puzzle.line[len(self.moves) :]:
            line.append(state.parse_move(move))
            state = state.play(line[-1])
        return line

    def hint(self) -> tuple[str, str]:
        """A hint about the next move (`Game.move_kind`), and the move itself."""
        action = self.solution()[0]
        return self.state.game.move_kind(self.state, action), self.state.format_move(action)

    def _is_right(self, action: int, after: State, prover: Prover[State]) -> bool:
        if after.outcome is not None:
            return after.outcome.winner == self.solver
        text = self.state.format_move(action)
        if self._is_on_line() and self.puzzle.line[len(self.moves)] == text:
            return True
        proof = prover.prove(after) if self.moves else None
        return proof is not None and proof.winner == self.solver

    def _defend(self, action: int, prover: Prover[State]) -> PuzzleReply:
        """Play a right move, the defence, and passes that the solver cannot avoid."""
        known = len(self.moves)
        self._advance(action)
        while self.state.outcome is None:
            if self.state.current_player != self.solver:
                self._advance(self._best_defence(prover))
            elif (forced := _forced_pass(self.state)) is not None:
                self._advance(forced)
            else:
                break
        line, state = list[int](), play_line(self.puzzle.start, self.moves[:known])[-1]
        for move in self.moves[known:]:
            line.append(state.parse_move(move))
            state = state.play(line[-1])
        if self.state.outcome is None:
            return PuzzleReply("right", line, None)
        return PuzzleReply("solved", line, self.state.outcome.winner)

    def _best_defence(self, prover: Prover[State]) -> int:
        if self._is_on_line():
            return self.state.parse_move(self.puzzle.line[len(self.moves)])
        proof = prover.prove(self.state)
        return self.state.legal_actions()[0] if proof is None else proof.best_move

    def _is_on_line(self) -> bool:
        """Whether the moves so far are those of the puzzle's own line."""
        return list(self.puzzle.line[: len(self.moves)]) == self.moves

    def _advance(self, action: int) -> None:
        text = self.state.format_move(action)
        self.state = self.state.play(action)
        self.moves.append(text)


def _forced_pass(state: State) -> int | None:
    """The only legal move, if it has no place on the board, as a pass."""
    actions = state.legal_actions()
    is_pass = len(actions) == 1 and state.game.spot_of(state, actions[0]) is None
    return actions[0] if is_pass else None
