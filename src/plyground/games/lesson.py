"""Lessons: positions in which a learner plays one move, and how the answer is judged.

Drawings for the rules are here as well.

A lesson has no texts. Screens find them by key: `learn.quoridor.jump.title` is the title of a
lesson, `learn.quoridor.jump.over.task` the task of one of its steps, `.right` and `.wrong` what is
said after an answer. The lessons of a game are in a module named after it; `Game.lessons` lists
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from plyground.errors import ConfigError, IllegalMoveError
from plyground.games import registry
from plyground.games.base import AnyGame, State

Accepts: TypeAlias = Callable[[State, State], bool]
"""Whether a move is the answer, given the positions before and after it."""


@dataclass(frozen=True, slots=True)
class RuleDrawing:
    """A drawing for a section of the rules; screens find its caption by key."""

    name: str
    section: str
    """The heading of the section in `Game.rules_text`."""
    position: str | None = None
    """The position, or None for the start."""
    marks: tuple[str, ...] = ()
    arrows: tuple[tuple[str, str], ...] = ()
    paths: bool = False


class AnswerKind(StrEnum):
    """What a learner's move was."""

    RIGHT = "right"
    WRONG = "wrong"
    ILLEGAL = "illegal"


@dataclass(frozen=True, slots=True)
class LessonStep:
    """A position, and what to play in it."""

    name: str
    position: str
    accepts: Accepts
    forbidden: str | None = None
    """An illegal move that the learner is asked to try; trying it is the answer."""
    shows_paths: bool = False
    """Whether screens show the shortest paths."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A few steps about one idea."""

    name: str
    steps: tuple[LessonStep, ...] = ()
    first_game: Mapping[str, str] | None = None
    """The settings of a game against the lowest level that ends the lesson, if there is one."""


@dataclass(frozen=True, slots=True)
class LessonAnswer:
    """A learner's move, judged."""

    kind: AnswerKind
    move: str
    after: State | None
    """The position after it; None if it is illegal."""
    numbers: Mapping[str, int] = field(default_factory=dict)
    error: IllegalMoveError | None = None
    """Why the move is illegal."""

    @property
    def is_done(self) -> bool:
        """Whether the step is done."""
        return self.kind is AnswerKind.RIGHT


@dataclass(frozen=True, slots=True)
class GameLesson:
    """A lesson of a game, by its number among the lessons of all games, from 1."""

    number: int
    game: AnyGame
    lesson: Lesson

    @property
    def key(self) -> str:
        """The key of its texts."""
        return f"learn.{self.game.name}.{self.lesson.name}"

    def step_key(self, step: int) -> str:
        """The key of the texts of a step."""
        return f"{self.key}.{self.lesson.steps[step].name}"

    def start(self, step: int) -> State:
        """The position of a step."""
        start: State = self.game.start(None, self.lesson.steps[step].position)
        return start

    def answers(self, step: int) -> list[str]:
        """The moves that a step accepts."""
        wanted, state = self.lesson.steps[step], self.start(step)
        if wanted.forbidden is not None:
            return [wanted.forbidden]
        actions = state.legal_actions()
        accepted = (action for action in actions if wanted.accepts(state, state.play(action)))
        return [state.format_move(action) for action in accepted]

    def judge(self, step: int, move: str) -> LessonAnswer:
        """Judge a learner's move; text that is not a move raises a NotationError."""
        wanted, state = self.lesson.steps[step], self.start(step)
        text = move
        try:
            action = state.parse_move(move)
            text = state.format_move(action)
            after = state.play(action)
        except IllegalMoveError as error:
            is_right = text == wanted.forbidden
            kind = AnswerKind.RIGHT if is_right else AnswerKind.ILLEGAL
            return LessonAnswer(kind, text, None, error=error)
        kind = AnswerKind.RIGHT if wanted.accepts(state, after) else AnswerKind.WRONG
        return LessonAnswer(kind, text, after, self.game.lesson_numbers(state, after))


def all_lessons() -> Iterator[GameLesson]:
    """The lessons of all games, in the order of their numbers."""
    number = 0
    for game in registry.games().values():
        for lesson in game.lessons:
            number += 1
            yield GameLesson(number, game, lesson)


def find_lesson(number: int) -> GameLesson:
    """The lesson with a number; a ConfigError if there is none."""
    lessons = list(all_lessons())
    if not 1 <= number <= len(lessons):
        raise ConfigError(f"expected a lesson from 1 to {len(lessons)}, got {number}")
    return lessons[number - 1]


def nothing(before: State, after: State) -> bool:  # noqa: ARG001
    """Accept no move: the answer is a forbidden one."""
    return False
