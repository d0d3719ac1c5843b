"""Puzzles in the window, through real events."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest

from plyground.analysis.puzzle import daily_puzzle, find_puzzle, shipped_puzzles
from plyground.analysis.puzzle_progress import load_progress
from plyground.games.lines import format_line
from plyground.play import LiveGame, Seat
from plyground.quoridor import GameConfig, State
from plyground.ui.desktop.puzzles import WindowPuzzles
from tests.ui.window_user import OpenWindow, WindowUser


@pytest.fixture
def user(open_window: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WindowUser:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    live = LiveGame({1: Seat("Ann"), 2: Seat("Bob")}, State(GameConfig.preset("small")))
    return open_window(live, (900, 700))


def begin(user: WindowUser, number: int) -> WindowPuzzles:
    user.press("puzzles")
    puzzles = user.session.puzzles
    assert puzzles is not None

    def go_to() -> str:
        puzzles.host.go_to(number)
        return puzzles.host.task()

    user.session.next_puzzle(go_to)
    user.post()
    user.window.draw()
    return puzzles


@pytest.mark.parametrize(("game", "player"), [("quoridor", 1), ("quoridor", 2), ("reversi", 1)])
def test_a_whole_puzzle_by_mouse(user: WindowUser, game: str, player: int) -> None:
    number, puzzle = next(
        (number, puzzle)
        for number, puzzle in enumerate(shipped_puzzles(), 1)
        if (puzzle.game, puzzle.start.current_player) == (game, player)
        and len(puzzle.line) >= 5
        and "pass" not in puzzle.line
    )
    puzzles = begin(user, number)
    assert "One move wins" in user.message
    assert user.session.options.flipped == (player == 2 and game == "quoridor")
    for move in puzzle.line[::2]:
        user.click(move)
        user.window.draw()
    assert "Solved!" in user.message
    assert puzzles.host.is_done
    assert load_progress().solved == {number}
    user.key(pygame.K_PAGEDOWN)
    assert puzzles.host.number != number
    user.key(pygame.K_ESCAPE)
    assert user.session.puzzles is None
    assert user.live.moves == []
    assert not user.session.options.flipped


def test_refutation_hint_and_answer(user: WindowUser) -> None:
    number = next(n for n, puzzle in enumerate(shipped_puzzles(), 1) if puzzle.game == "quoridor")
    puzzle = find_puzzle(number)
    puzzles = begin(user, number)
    moves = map(puzzle.start.format_move, puzzle.start.legal_actions())
    wrong = next(move for move in moves if move != puzzle.answer)
    user.type(wrong)
    user.key(pygame.K_RETURN)
    assert f"{wrong} does not win. The refutation: " in user.message
    assert not user.session.can_move
    shown = user.session.view()
    assert shown.ply == len(shown.moves) > 1
    user.key(pygame.K_LEFT)
    assert user.session.view().ply == shown.ply - 1
    user.press("undo")
    assert user.session.view().state == puzzle.start
    user.press("hint")
    assert user.hint() is None
    user.press("hint")
    assert user.hint() == puzzle.answer
    user.press("answer")
    assert format_line(puzzle.start, puzzles.host.attempt.solution()) in user.message
    assert load_progress().rated == {number}
    user.press("daily")
    assert puzzles.host.number == daily_puzzle()
    user.press("puzzles")
    assert user.session.puzzles is None
