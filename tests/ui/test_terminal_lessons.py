"""Lessons at the terminal: `plyground learn`."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from plyground.cli.main import main
from plyground.games.lesson import all_lessons
from plyground.ui.terminal.lesson_progress import LessonProgress
from plyground.ui.terminal.lessons import TerminalLessons, format_lessons
from plyground.ui.terminal.paint import Paint
from plyground.ui.terminal.screen import Screen

Learn: TypeAlias = Callable[..., str]
"""Types lines, with options of the command, and returns what was printed."""


@pytest.fixture
def learn(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Learn:
    def run(typed: str, *options: str) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        assert main(["learn", *options]) == 0
        return capsys.readouterr().out

    return run


def test_a_lesson_from_its_task_to_the_next_one(learn: Learn) -> None:
    out = learn("c2\n\nc3\nc5\n\nquit\n")
    assert "Lesson 1: The aim (1 of 2)\nYour pawn has the number 1." in out
    assert "Good. Now player 2 would move" in out
    assert "You have won." in out
    assert (
        out.index("The aim (2 of 2)") < out.index("You have won.") < out.index("Lesson 2: A step")
    )


def test_wrong_illegal_and_unreadable_answers(learn: Learn) -> None:
    out = learn("b2h\nc9\nzz\n\nhint\nc1h\n\nskip\nquit\n", "--lesson", "4")
    assert "That move adds 1 to the way of player 2 and 1 to yours." in out
    assert "c9 is not possible: no pawn move leads there" in out
    assert "expected a cell from a1 to e5" in out
    assert "Play b1h." in out
    assert "it costs player 2 1 more and you nothing" in out
    assert "Walls cost steps for both (3 of 3)" in out


def test_the_forbidden_wall_is_explained(learn: Learn) -> None:
    out = learn("b4v\nquit\n", "--lesson", "7")
    assert "b4v is not possible: it cuts player 2 off from the goal\nThe rules forbid it" in out


def test_commands(learn: Learn) -> None:
    out = learn("help\nback\nlist\nlesson 99\nlesson 3\nback\nrules\nquit\n")
    assert "Type a move, such as c2" in out
    assert "This is the first step." in out
    assert "  5  Quoridor: The jump\n" in out
    assert "expected a lesson from 1 to 9" in out
    assert "Lesson 3: A wall (1 of 2)" in out
    assert out.index("Lesson 3") < out.index("Lesson 2: A step (2 of 2)")
    assert "Each player has 5 walls." in out


def test_the_list_and_the_end_of_the_input(learn: Learn) -> None:
    assert len(learn("", "--list").splitlines()) == len(list(all_lessons())) == 12
    assert learn("", "--list", "reversi").count("Reversi: ") == 3
    assert "Lesson 10: Turning discs over" in learn("", "reversi")


def test_a_first_game_follows(learn: Learn) -> None:
    out = learn("\nc2\nquit\n", "--lesson", "9")
    assert "Play a game on this small board against beginner" in out
    assert '[Player2 "beginner"]' in out
    assert "\n1. c2 " in out
    assert "Player2" not in learn("no\n", "--lesson", "9")
    out = learn("h8\n\nc2\n\n\nquit\n", "--lesson", "12")
    assert '[Game "reversi"]' in out


def test_progress_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, lessons, shown = tmp_path / "lessons.json", list(all_lessons())[:9], io.StringIO()

    def learn_on(typed: str) -> None:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        TerminalLessons(lessons, Screen(Paint(), shown), LessonProgress(path)).run()

    learn_on("c2\n\nc5\n\nquit\n")
    learn_on("skip\nskip\nquit\n")
    assert json.loads(path.read_text()) == ["learn.quoridor.aim", "learn.quoridor.step"]
    assert "Lesson 2: A step (1 of 2)" in shown.getvalue()
    progress = LessonProgress(path)
    assert progress.next_number(lessons) == 3
    assert "  2  Quoridor: A step (done)\n  3  Quoridor: A wall\n" in format_lessons(
        lessons, progress
    )
    for lesson in lessons:
        progress.finish(lesson)
    assert progress.next_number(lessons) == 1


def test_a_damaged_or_read_only_file_is_no_obstacle(tmp_path: Path) -> None:
    path, lesson = tmp_path / "lessons.json", next(all_lessons())
    for content in ("{", "7", '[1, "x"]'):
        path.write_text(content)
        assert not LessonProgress(path).is_done(lesson)
    progress = LessonProgress(path / "in a file" / "lessons.json")
    progress.finish(lesson)
    assert progress.is_done(lesson)
