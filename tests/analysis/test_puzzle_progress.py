"""A solver's rating, streak and choice of puzzles."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from plyground.analysis.puzzle import PuzzleFilter, find_puzzle, shipped_puzzles
from plyground.analysis.puzzle_progress import (
    PuzzleProgress,
    load_progress,
    next_puzzle,
    save_progress,
)
from plyground.errors import ConfigError, NotationError

NEW = PuzzleProgress()


def test_a_solved_puzzle_raises_the_rating_and_a_mistake_lowers_it() -> None:
    solved = NEW.record(10, is_solved=True, used_hint=False)
    failed = NEW.record(10, is_solved=False, used_hint=False)
    assert solved.rating.rating > NEW.rating.rating > failed.rating.rating
    assert (solved.streak, solved.best) == (1, 1)
    assert solved.solved == {10}
    assert failed.streak == 0
    assert not failed.solved


def test_a_puzzle_changes_the_rating_once() -> None:
    failed = NEW.record(10, is_solved=False, used_hint=False)
    again = failed.record(10, is_solved=True, used_hint=False)
    assert again.rating == failed.rating
    assert again.solved == {10}


def test_a_hint_costs_the_gain_but_not_the_streak() -> None:
    before = NEW.record(9, is_solved=True, used_hint=False)
    hinted = before.record(10, is_solved=True, used_hint=True)
    assert hinted.rating == before.rating
    assert hinted.streak == before.streak == 1
    assert hinted.solved == {9, 10}
    assert hinted.record(11, is_solved=False, used_hint=True).streak == 0


def test_the_day_is_kept_when_its_puzzle_is_solved() -> None:
    assert NEW.record(5, is_solved=False, used_hint=False, day="2026-11-16").daily == ""
    assert NEW.record(5, is_solved=True, used_hint=False, day="2026-11-16").daily == "2026-11-16"


def test_the_text_form_reads_back() -> None:
    progress, rng = NEW, random.Random(3)
    for number in rng.sample(range(1, len(shipped_puzzles()) + 1), 200):
        progress = progress.record(number, is_solved=rng.random() < 0.6, used_hint=False)
    again = PuzzleProgress.parse(progress.text())
    assert again.solved == progress.solved
    assert again.rated == progress.rated
    assert again.streak == progress.streak
    assert again.rating.rating == pytest.approx(progress.rating.rating, abs=0.01)
    assert len(progress.text()) < 1500
    assert PuzzleProgress.parse("") == NEW


def test_progress_with_another_collection_keeps_the_rating() -> None:
    text = NEW.record(7, is_solved=True, used_hint=False).text()
    other = text.replace('"collection": "', '"collection": "x')
    progress = PuzzleProgress.parse(other)
    assert progress.rating.rating > NEW.rating.rating
    assert progress.solved == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "[]",
        "1",
        "{}",
        '{"rating": [1, 2]}',
        "[" * 3000,
        '{"rating": [1e999, 1, 1]}',
        NEW.text().replace("1000.0", "NaN"),
        NEW.text().replace('"solved": "0"', '"solved": "zz"'),
    ],
)
def test_other_texts_are_rejected_in_one_line(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        PuzzleProgress.parse(text)
    assert "\n" not in str(caught.value)


def test_the_next_puzzle_is_new_and_near_the_rating() -> None:
    rng, progress = random.Random(1), NEW
    for _ in range(30):
        number = next_puzzle(progress, PuzzleFilter(), rng)
        assert number not in progress.rated
        assert abs(find_puzzle(number).rating - progress.rating.rating) <= 300
        progress = progress.record(number, is_solved=True, used_hint=False)


def test_the_next_puzzle_suits_the_filter() -> None:
    rng = random.Random(2)
    wanted = PuzzleFilter("quoridor", 9, "dead end")
    for _ in range(20):
        assert wanted.accepts(find_puzzle(next_puzzle(NEW, wanted, rng)))
    with pytest.raises(ConfigError, match="no puzzle matches"):
        next_puzzle(NEW, PuzzleFilter("quoridor", 4))


def test_solved_puzzles_come_again_when_no_others_are_left() -> None:
    wanted = PuzzleFilter("quoridor", 5)
    numbers = [n for n, puzzle in enumerate(shipped_puzzles(), 1) if wanted.accepts(puzzle)]
    progress = NEW
    for number in numbers[:-1]:
        progress = progress.record(number, is_solved=True, used_hint=True)
    assert next_puzzle(progress, wanted) == numbers[-1]
    progress = progress.record(numbers[-1], is_solved=True, used_hint=True)
    assert next_puzzle(progress, wanted, without=numbers[0]) in numbers[1:]


def test_progress_is_kept_in_the_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert load_progress() == NEW
    progress = NEW.record(3, is_solved=True, used_hint=False)
    path = save_progress(progress)
    assert path.is_relative_to(tmp_path)
    assert load_progress().solved == {3}
    for damaged in (b"nonsense", b"\xff\x00"):
        path.write_bytes(damaged)
        with pytest.raises(ConfigError, match="cannot read"):
            load_progress()
    path.unlink()
    path.mkdir()
    with pytest.raises(ConfigError, match="cannot read"):
        load_progress()
    with pytest.raises(ConfigError, match="cannot write"):
        save_progress(progress)
