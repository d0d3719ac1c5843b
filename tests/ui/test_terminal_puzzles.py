"""`plyground puzzles`: moves, refutations, hints, the answer and the next puzzle."""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Sequence

import pytest

from plyground.analysis.puzzle import Puzzle, daily_puzzle, shipped_puzzles
from plyground.analysis.puzzle_progress import PuzzleProgress
from plyground.ui.puzzle_host import PuzzleHost
from plyground.ui.terminal.paint import Paint
from plyground.ui.terminal.puzzles import TerminalPuzzles
from plyground.ui.terminal.screen import Screen

Solve = Callable[[int, Sequence[str]], tuple[str, PuzzleHost]]


@pytest.fixture
def solve(monkeypatch: pytest.MonkeyPatch) -> Solve:
    """Types lines, and returns what the terminal shows and the host."""

    def run(number: int, lines: Sequence[str]) -> tuple[str, PuzzleHost]:
        typed = iter(lines)

        def answer(question: str) -> str:
            try:
                return next(typed)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", answer)
        saved: list[PuzzleProgress] = []
        host = PuzzleHost(PuzzleProgress(), saved.append, rng=random.Random(1))
        host.go_to(number)
        output = io.StringIO()
        assert TerminalPuzzles(host, Screen(Paint(is_plain=True), output)).run() == 0
        assert saved[-1:] == ([host.progress] if saved else [])
        return output.getvalue(), host

    return run


def number_of(game: str, plies: int) -> int:
    return next(
        number
        for number, puzzle in enumerate(shipped_puzzles(), 1)
        if puzzle.game == game and len(puzzle.line) >= plies and "pass" not in puzzle.line
    )


def wrong_move(puzzle: Puzzle) -> str:
    moves = map(puzzle.start.format_move, puzzle.start.legal_actions())
    return next(move for move in moves if move != puzzle.answer)


@pytest.mark.parametrize("game", ["quoridor", "reversi"])
def test_a_whole_puzzle_is_solved(solve: Solve, game: str) -> None:
    number = number_of(game, 5)
    puzzle = shipped_puzzles()[number - 1]
    text, host = solve(number, [*puzzle.line[::2], "quit"])
    assert f"Puzzle {number} of {len(shipped_puzzles())}" in text
    assert "One move wins by force" in text
    assert f"{puzzle.line[0]} is right. The opponent plays {puzzle.line[1]}." in text
    assert "Solved!" in text
    assert "streak 1" in text
    assert host.progress.solved == {number}
    assert host.progress.rating.rating > PuzzleProgress().rating.rating


def test_a_mistake_is_refuted_and_ends_the_streak(solve: Solve) -> None:
    number = number_of("quoridor", 3)
    puzzle = shipped_puzzles()[number - 1]
    text, host = solve(number, [wrong_move(puzzle), "", *puzzle.line[::2]])
    assert f"{wrong_move(puzzle)} does not win. The refutation: " in text
    assert "Solved!" in text
    assert host.progress.solved == frozenset()
    assert host.progress.rating.rating < PuzzleProgress().rating.rating


def test_hints_and_the_answer(solve: Solve) -> None:
    number = number_of("quoridor", 3)
    puzzle = shipped_puzzles()[number - 1]
    text, host = solve(number, ["hint", "hint", "answer", "hint", "next"])
    assert f"It is {puzzle.answer}." in text
    assert f"The winning line: {' '.join(puzzle.line)}." in text
    assert "the puzzle is over; begin another one" in text
    assert host.number != number


def test_wrong_input_is_explained_and_costs_nothing(solve: Solve) -> None:
    text, host = solve(number_of("quoridor", 3), ["zz", "number x", "number 0", "help", "daily"])
    assert "expected" in text
    assert "give up and see the winning line" in text
    assert host.number == daily_puzzle()
    assert host.progress == PuzzleProgress()
