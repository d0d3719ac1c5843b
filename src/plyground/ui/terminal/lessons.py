"""Lessons at the terminal: a board, a task, and an answer to every move that is typed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from plyground.errors import NotationError
from plyground.games.lesson import AnswerKind, GameLesson
from plyground.play.live_game import LiveGame
from plyground.play.seat import Seat
from plyground.ui.terminal.lesson_progress import LessonProgress
from plyground.ui.terminal.prompt import Prompt
from plyground.ui.terminal.screen import Screen
from plyground.ui.text import explain_mistake, format_reason, format_rules
from plyground.ui.view import DisplayOptions, view_live
from plyground.ui.web.texts import DEFAULT, texts

HELP = """\
Type a move, such as c2, or one of these:
  hint     show an answer
  skip     go to the next step
  back     go to the previous step
  list     list the lessons
  lesson N go to lesson N
  rules    explain all rules of the game
  quit     leave"""
COMMANDS = ("hint", "skip", "back", "list", "lesson", "rules", "help", "quit")


def lesson_text(key: str, **values: int | str) -> str:
    """A text of the lessons, in English."""
    return texts(DEFAULT).get(key, key).format(**values)


class TerminalLessons:
    """Guides a learner through lessons, step by step.

    `run` returns the lesson whose first game the learner wants to play, or None.
    """

    def __init__(
        self, lessons: Sequence[GameLesson], screen: Screen, progress: LessonProgress
    ) -> None:
        self._lessons = lessons
        self._progress = progress
        self._screen = screen
        self._prompt = Prompt(lambda before: [] if before else COMMANDS)
        self._at = (0, 0)
        """The places of the lesson and of the step within it."""

    def run(self, first: int | None = None) -> GameLesson | None:
        """Go through the lessons from one of them, by its number; by default the first left."""
        self._go_to(self._progress.next_number(self._lessons) if first is None else first)
        try:
            while self._at[0] < len(self._lessons):
                lesson, step = self._lessons[self._at[0]], self._at[1]
                if step < len(lesson.lesson.steps):
                    self._do_step(lesson, step)
                else:
                    self._progress.finish(lesson)
                    if lesson.lesson.first_game is not None and self._offers_game(lesson):
                        return lesson
                    self._at = (self._at[0] + 1, 0)
        except EOFError:
            self._screen.say()
        except _Quit:
            pass
        return None

    def _do_step(self, lesson: GameLesson, step: int) -> None:
        """Show a step and read moves and commands until the learner goes to another one."""
        here, steps = self._at, len(lesson.lesson.steps)
        title = lesson_text(f"{lesson.key}.title")
        self._show(lesson, step)
        self._screen.say(f"Lesson {lesson.number}: {title} ({step + 1} of {steps})")
        self._screen.say(lesson_text(f"{lesson.step_key(step)}.task"))
        while self._at == here:
            typed = self._prompt.ask("move> ").lower()
            name, _, argument = typed.partition(" ")
            if name in COMMANDS:
                self._command(name, argument, lesson, step)
            elif typed:
                self._answer(typed, lesson, step)

    def _answer(self, typed: str, lesson: GameLesson, step: int) -> None:
        """Judge a move."""
        state = lesson.start(step)
        try:
            answer = lesson.judge(step, typed)
        except NotationError as error:
            self._screen.say(explain_mistake(typed, error, state, COMMANDS))
            return
        reason = "" if answer.error is None else format_reason(answer.error)
        if answer.kind is AnswerKind.ILLEGAL:
            self._screen.say(reason)
            return
        text = lesson_text(f"{lesson.step_key(step)}.{answer.kind}", **answer.numbers)
        if not answer.is_done:
            self._screen.say(text)
            return
        if answer.after is not None:
            self._show(lesson, step, answer.move)
        for sentence in filter(None, (reason, text)):
            self._screen.say(sentence)
        if self._prompt.ask("Enter goes on> ").lower() == "quit":
            raise _Quit
        self._next()

    def _command(self, name: str, argument: str, lesson: GameLesson, step: int) -> None:
        say = self._screen.say
        commands: dict[str, Callable[[], None]] = {
            "hint": lambda: say(lesson_text("learn.answer", move=lesson.answers(step)[0])),
            "skip": self._next,
            "back": self._back,
            "list": lambda: say(format_lessons(self._lessons, self._progress)),
            "lesson": lambda: self._go_to(int(argument) if argument.isdecimal() else 0),
            "rules": lambda: say("\n".join(format_rules(lesson.start(step), self._screen.width))),
            "help": lambda: say(HELP),
            "quit": _quit,
        }
        commands[name]()

    def _offers_game(self, lesson: GameLesson) -> bool:
        """Ask whether to play a first game."""
        self._screen.say(lesson_text(f"{lesson.key}.task"))
        typed = self._prompt.ask("Play now? [yes]: ").lower()
        if typed in ("quit", "q"):
            raise _Quit
        return typed in ("", "y", "yes")

    def _next(self) -> None:
        self._at = (self._at[0], self._at[1] + 1)

    def _back(self) -> None:
        lesson, step = self._at
        if step == 0 and lesson > 0:
            lesson -= 1
            step = len(self._lessons[lesson].lesson.steps)
        self._at = (lesson, max(0, step - 1))
        if (lesson, step) == (0, 0):
            self._screen.say("This is the first step.")

    def _go_to(self, number: int) -> None:
        numbers = [lesson.number for lesson in self._lessons]
        if number in numbers:
            self._at = (numbers.index(number), 0)
        else:
            self._screen.say(f"expected a lesson from {numbers[0]} to {numbers[-1]}")

    def _show(self, lesson: GameLesson, step: int, move: str | None = None) -> None:
        """Draw the position of a step, or the one after a move."""
        paths = lesson.lesson.steps[step].shows_paths
        options = DisplayOptions(targets=lesson.game.shows_targets, paths=paths)
        live = LiveGame({1: Seat("You"), 2: Seat("Opponent")}, lesson.start(step))
        if move is not None:
            live.play(move)
        self._screen.show(view_live(live, options.targets, options.paths), options)


class _Quit(Exception):  # noqa: N818  the learner's wish, not an error
    """The learner leaves."""


def _quit() -> None:
    raise _Quit


def format_lessons(lessons: Sequence[GameLesson], progress: LessonProgress) -> str:
    """A list of lessons with their numbers, and which of them are done."""
    lines = []
    for each in lessons:
        done = " (done)" if progress.is_done(each) else ""
        lines.append(
            f"{each.number:3}  {each.game.title}: {lesson_text(f'{each.key}.title')}{done}"
        )
    return "\n".join(lines)
