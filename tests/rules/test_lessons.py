"""The lessons: every step can be done, can be failed, and has its texts."""

from __future__ import annotations

import string

import pytest

from plyground.errors import ConfigError, NotationError
from plyground.games import registry
from plyground.games.lesson import AnswerKind, GameLesson, all_lessons, find_lesson
from plyground.games.levels import LEVEL_NAMES
from plyground.ui.web.texts import LANGUAGES, texts

LESSONS = list(all_lessons())
STEPS = [(lesson, step) for lesson in LESSONS for step in range(len(lesson.lesson.steps))]
FREE = {"learn.reversi.turn.first", "learn.reversi.pass.pass"}
"""Steps in which every legal move is right."""


def ids(steps: list[tuple[GameLesson, int]]) -> list[str]:
    return [lesson.step_key(step) for lesson, step in steps]


def test_the_order_of_the_lessons() -> None:
    named = [(lesson.number, lesson.game.name, lesson.lesson.name) for lesson in LESSONS]
    quoridor = ["aim", "step", "wall", "cost", "jump", "diagonal", "shut-in", "path", "game"]
    reversi = ["turn", "pass", "corner"]
    wanted = [("quoridor", name) for name in quoridor] + [("reversi", name) for name in reversi]
    assert named == [(number, *pair) for number, pair in enumerate(wanted, 1)]
    assert find_lesson(5).lesson.name == "jump"
    with pytest.raises(ConfigError, match="expected a lesson from 1 to 12, got 13"):
        find_lesson(13)


@pytest.mark.parametrize(("lesson", "step"), STEPS, ids=ids(STEPS))
def test_a_step_can_be_done_and_failed(lesson: GameLesson, step: int) -> None:
    state = lesson.start(step)
    assert state.current_player == 1
    assert state.outcome is None
    right = lesson.answers(step)
    assert right
    for move in right:
        answer = lesson.judge(step, move)
        assert (answer.kind, answer.move, answer.is_done) == (AnswerKind.RIGHT, move, True)
        assert (answer.after is None) == (answer.error is not None)
    wrong = {state.format_move(action) for action in state.legal_actions()} - set(right)
    assert bool(wrong) != (lesson.step_key(step) in FREE)
    for move in wrong:
        assert lesson.judge(step, move).kind is AnswerKind.WRONG
    with pytest.raises(NotationError):
        lesson.judge(step, "nonsense")


def moves_of(key: str) -> list[str]:
    return next(lesson.answers(step) for lesson, step in STEPS if lesson.step_key(step) == key)


@pytest.mark.parametrize(
    ("key", "moves"),
    [
        ("learn.quoridor.aim.start", ["c2"]),
        ("learn.quoridor.aim.win", ["c5"]),
        ("learn.quoridor.step.around", ["b3"]),
        ("learn.quoridor.cost.yours", ["b1h", "c1h"]),
        ("learn.quoridor.cost.two", ["c2h", "c3h"]),
        ("learn.quoridor.cost.run", ["c4"]),
        ("learn.quoridor.jump.over", ["c4"]),
        ("learn.quoridor.jump.between", ["b2"]),
        ("learn.quoridor.diagonal.wall", ["b3", "d3"]),
        ("learn.quoridor.diagonal.edge", ["b5", "d5"]),
        ("learn.quoridor.shut-in.try", ["b4v"]),
        ("learn.quoridor.shut-in.long", ["c4h"]),
        ("learn.quoridor.path.back", ["c1"]),
        ("learn.quoridor.path.block", ["d2h"]),
        ("learn.reversi.turn.most", ["d3"]),
        ("learn.reversi.pass.leave", ["h4"]),
        ("learn.reversi.pass.pass", ["pass"]),
        ("learn.reversi.corner.take", ["h8"]),
    ],
)
def test_the_answers_are_those_that_the_texts_describe(key: str, moves: list[str]) -> None:
    assert moves_of(key) == moves


def test_the_forbidden_wall_is_refused_for_the_reason_that_the_lesson_teaches() -> None:
    answer = find_lesson(7).judge(0, "B4V")
    assert answer.kind is AnswerKind.RIGHT
    assert "it cuts player 2 off from the goal" in str(answer.error)
    other = find_lesson(7).judge(0, "a4v")
    assert (other.kind, other.is_done) == (AnswerKind.ILLEGAL, False)


def test_the_numbers_tell_what_a_move_costs() -> None:
    assert find_lesson(4).judge(0, "b2h").numbers == {"yours": 1, "theirs": 1}
    assert find_lesson(4).judge(1, "c2h").numbers == {"yours": 0, "theirs": 2}
    assert find_lesson(10).judge(1, "d3").numbers == {"turned": 6}


def names_in(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_texts(language: str) -> None:
    known = texts(language)
    for lesson in LESSONS:
        assert known[f"{lesson.key}.title"]
        assert (f"{lesson.key}.task" in known) == (lesson.lesson.first_game is not None)
        for drawing in lesson.game.rule_drawings:
            assert known[f"rules.{lesson.game.name}.{drawing.name}"]
    for lesson, step in STEPS:
        state, key = lesson.start(step), lesson.step_key(step)
        numbers = set(lesson.game.lesson_numbers(state, state.play(state.legal_actions()[0])))
        assert names_in(known[f"{key}.task"]) == set()
        assert names_in(known[f"{key}.right"]) | names_in(known[f"{key}.wrong"]) <= numbers
    keys = {key for key in known if key.startswith(("learn.quoridor.", "learn.reversi."))}
    used = {f"{lesson.key}.{part}" for lesson in LESSONS for part in ("title", "task")}
    parts = ("task", "right", "wrong")
    used |= {f"{lesson.step_key(step)}.{part}" for lesson, step in STEPS for part in parts}
    assert keys <= used


def test_the_first_games_can_begin() -> None:
    games = [lesson for lesson in LESSONS if lesson.lesson.first_game is not None]
    assert [lesson.game.name for lesson in games] == ["quoridor", "reversi"]
    for lesson in games:
        assert lesson.game.start(lesson.lesson.first_game).legal_actions()
        assert LEVEL_NAMES[0] in lesson.game.levels


def test_the_drawings_belong_to_sections_and_can_be_drawn() -> None:
    for game in registry.games().values():
        headings = [part.split("\n")[0] for part in game.rules_text(game.start()).split("\n\n")]
        for drawing in game.rule_drawings:
            assert drawing.section in headings
            state = game.start(None, drawing.position)
            picture = state.svg(marks=drawing.marks, arrows=drawing.arrows, paths=drawing.paths)
            assert picture.startswith("<svg")
