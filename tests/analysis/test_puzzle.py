"""The puzzles of the package, and what makes a position one."""

from __future__ import annotations

import pytest

from plyground.analysis.puzzle import Puzzle, shipped_puzzles
from plyground.games import base
from plyground.quoridor import State
from plyground.reversi import State as ReversiState

PUZZLES = shipped_puzzles()


def test_there_are_enough_and_no_two_are_the_same() -> None:
    assert len(PUZZLES) >= 50
    assert len({puzzle.position for puzzle in PUZZLES}) == len(PUZZLES)
    assert {puzzle.game for puzzle in PUZZLES} == {"quoridor", "reversi"}
    assert [puzzle.level for puzzle in PUZZLES] == sorted(puzzle.level for puzzle in PUZZLES)


def test_their_lines_can_be_played_and_begin_with_the_answer() -> None:
    for puzzle in PUZZLES:
        assert puzzle.line[0] == puzzle.answer
        state = puzzle.start()
        for move in puzzle.line:
            state = state.play(move)


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.position[:30])
def test_every_answer_is_proven(puzzle: Puzzle) -> None:
    state = puzzle.start()
    found = state.game.find_puzzle(state)
    assert found is not None
    assert found.answer == puzzle.answer


@pytest.mark.parametrize(
    "state",
    [
        State(),  # nothing is proven
        State.parse("3 b2/a1 - 0/0 1 4 4"),  # two ways to win
        State.parse("3 a1/b2 - 0/0 1 4 4"),  # lost whatever one does
        ReversiState.parse("-" + "O" * 5 + "XX" + "X" * 56 + " X"),  # one move, which wins
    ],
)
def test_other_positions_are_not_puzzles(state: base.State) -> None:
    assert state.game.find_puzzle(state) is None
