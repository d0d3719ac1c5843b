"""Solving a puzzle: right moves, the best defence, refutations, hints."""

from __future__ import annotations

import pytest

from plyground.analysis import quoridor_proof
from plyground.analysis.puzzle import Puzzle, shipped_puzzles
from plyground.analysis.puzzle_attempt import PuzzleAttempt
from plyground.errors import IllegalMoveError
from plyground.games.lines import play_line
from plyground.quoridor import State

SAMPLE = shipped_puzzles()[::80]


def solver_move(attempt: PuzzleAttempt) -> str:
    return attempt.puzzle.line[len(attempt.moves)]


@pytest.mark.parametrize("puzzle", SAMPLE, ids=lambda puzzle: puzzle.position[:30])
def test_a_puzzle_is_played_to_its_end(puzzle: Puzzle) -> None:
    attempt = PuzzleAttempt(puzzle)
    replies = []
    while len(attempt.moves) < len(puzzle.line):
        before = len(attempt.moves)
        replies.append(attempt.play(solver_move(attempt)))
        assert len(attempt.moves) == before + len(replies[-1].line)
    assert attempt.is_solved
    assert attempt.moves == list(puzzle.line)
    assert [reply.verdict for reply in replies[:-1]] == ["right"] * (len(replies) - 1)
    assert (replies[-1].verdict, replies[-1].winner) == ("solved", attempt.solver)


@pytest.mark.parametrize("puzzle", SAMPLE[::4], ids=lambda puzzle: puzzle.position[:30])
def test_a_wrong_move_is_refuted_to_the_end_and_changes_nothing(puzzle: Puzzle) -> None:
    attempt = PuzzleAttempt(puzzle)
    state = puzzle.start
    moves = [state.format_move(action) for action in state.legal_actions()]
    wrong = next(move for move in moves if move != puzzle.answer)
    reply = attempt.play(wrong)
    assert reply.verdict == "wrong"
    assert reply.winner != attempt.solver
    end = play_line(state, reply.line)[-1]
    assert end.outcome is not None
    assert end.outcome.winner == reply.winner
    assert attempt.moves == []
    assert attempt.state == state


def test_another_winning_move_is_right_later() -> None:
    """The other way round the corner is as short, so both second moves win."""
    for puzzle in shipped_puzzles():
        attempt = PuzzleAttempt(puzzle)
        if attempt.play(puzzle.answer).verdict != "right":
            continue
        known = solver_move(attempt)
        for action in attempt.state.legal_actions():
            move = attempt.state.format_move(action)
            other = PuzzleAttempt(puzzle, attempt.moves)
            if move != known and other.play(move).verdict == "right":
                assert other.solution()
                while not other.is_solved:
                    other.play(other.solution()[0])
                return
    pytest.fail("no puzzle has a second way to win")


def test_the_same_moves_lead_to_the_same_attempt() -> None:
    puzzle = next(puzzle for puzzle in shipped_puzzles() if len(puzzle.line) >= 5)
    attempt = PuzzleAttempt(puzzle)
    attempt.play(puzzle.answer)
    again = PuzzleAttempt(puzzle, attempt.moves)
    assert (again.state, again.moves) == (attempt.state, attempt.moves)
    assert again.solution() == attempt.solution()


def test_illegal_moves_are_errors() -> None:
    attempt = PuzzleAttempt(next(p for p in shipped_puzzles() if p.game == "quoridor"))
    with pytest.raises(IllegalMoveError):
        attempt.play("a1h" if not attempt.state.is_legal("a1h") else "a1")
    assert attempt.moves == []


def test_hints_name_the_kind_and_the_move() -> None:
    for puzzle in SAMPLE:
        kind, move = PuzzleAttempt(puzzle).hint()
        assert move == puzzle.answer
        if puzzle.game == "quoridor":
            assert kind == {"h": "h_wall", "v": "v_wall"}.get(move[-1], "move")
        else:
            assert (kind == "corner") == (move in ("a1", "a8", "h1", "h8"))


def test_forced_passes_are_played_for_the_solver() -> None:
    found = [
        puzzle
        for puzzle in shipped_puzzles()
        if any(move == "pass" for move in puzzle.line[2::2]) and puzzle.game == "reversi"
    ]
    for puzzle in found:
        attempt = PuzzleAttempt(puzzle)
        while not attempt.is_solved:
            move = solver_move(attempt)
            assert move != "pass"
            attempt.play(move)


def test_a_prover_gives_up_before_it_keeps_a_server_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quoridor_proof, "MOST_NODES", 2_000)
    prover = quoridor_proof.QuoridorProver(1_000)
    for _ in range(2):  # nothing is proven at the start of the game
        assert prover.prove(State()) is None
    end = State.parse("5 a4/e2 - 2/2 2 10 4")
    assert prover.prove(end) is None
    prover.clear()
    assert prover.prove(end) is not None
