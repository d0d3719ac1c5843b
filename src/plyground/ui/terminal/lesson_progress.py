"""The lessons that a learner has done at the terminal, in a file of the user."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from plyground.files import atomic_write
from plyground.games.lesson import GameLesson


class LessonProgress:
    """The keys of finished lessons; without a file they are forgotten at the end."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._done = set[str]()
        if path is not None:
            with suppress(OSError, ValueError):  # a missing or damaged file is as good as none
                found = json.loads(path.read_text("utf-8"))
                if isinstance(found, list):
                    self._done = {key for key in found if isinstance(key, str)}

    def is_done(self, lesson: GameLesson) -> bool:
        """Whether a lesson was finished."""
        return lesson.key in self._done

    def finish(self, lesson: GameLesson) -> None:
        """Remember a finished lesson. A file that cannot be written is not worth an error."""
        if self.is_done(lesson):
            return
        self._done.add(lesson.key)
        if self._path is not None:
            with suppress(OSError):
                self._path.parent.mkdir(parents=True, exist_ok=True)
                with atomic_write(self._path) as file:
                    file.write(json.dumps(sorted(self._done), indent=1).encode())

    def next_number(self, lessons: Sequence[GameLesson]) -> int:
        """The number of the first lesson that is not finished, or else of the first."""
        left = [lesson.number for lesson in lessons if not self.is_done(lesson)]
        return left[0] if left else lessons[0].number
