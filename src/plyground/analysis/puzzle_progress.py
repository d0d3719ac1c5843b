"""A solver's progress: rating, streak and the puzzles solved, kept on the solver's own machine.

The text form is what the page stores in the browser, and the terminal and the window in the user's
data folder.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, replace
from pathlib import Path

from plyground.analysis.glicko2 import Glicko2
from plyground.analysis.puzzle import (
    PuzzleFilter,
    collection_id,
    daily_puzzle,
    find_puzzle,
    shipped_puzzles,
)
from plyground.errors import ConfigError, NotationError
from plyground.files import atomic_write
from plyground.folders import data_folder, data_path
from plyground.hints import reason_of

PUZZLE_DEVIATION = 100.0
"""Uncertainty of a puzzle's rating, which is measured with agents instead of people."""
NEAR = 150
"""A puzzle within this many points of the solver's rating suits the solver."""
LONGEST_TEXT = 4000
"""Characters of the longest text form that is read."""
START = Glicko2(1000.0, 250.0)
"""The rating of a new solver, who meets easy puzzles first."""
_FOLDER, _FILE = "puzzles", "progress.json"


@dataclass(frozen=True, slots=True)
class PuzzleProgress:
    """What a solver has achieved."""

    rating: Glicko2 = START
    streak: int = 0
    """Puzzles solved in a row without a mistake or a hint."""
    best: int = 0
    """The longest streak."""
    solved: frozenset[int] = frozenset()
    rated: frozenset[int] = frozenset()
    """Puzzles that have changed the rating, solved or not; each does so once."""
    daily: str = ""
    """The last day whose puzzle was solved."""

    def record(
        self, number: int, *, is_solved: bool, used_hint: bool, day: str = ""
    ) -> PuzzleProgress:
        """The progress after a puzzle.

        `is_solved` means without a wrong move and without the answer. After a hint, a solved puzzle
        changes neither the rating nor the streak.
        """
        puzzle = find_puzzle(number)
        streak = self.streak + (not used_hint) if is_solved else 0
        rating, rated = self.rating, self.rated
        if number not in rated and not (is_solved and used_hint):
            opponent = Glicko2(float(puzzle.rating), PUZZLE_DEVIATION)
            rating = rating.after([(opponent, float(is_solved))])
            rated |= {number}
        return replace(
            self,
            rating=rating,
            streak=streak,
            best=max(self.best, streak),
            solved=self.solved | {number} if is_solved else self.solved,
            rated=rated,
            daily=day if is_solved and day else self.daily,
        )

    def text(self) -> str:
        """The progress as one line of JSON."""
        rating = self.rating
        return json.dumps(
            {
                "rating": [
                    round(rating.rating, 2),
                    round(rating.deviation, 2),
                    round(rating.volatility, 6),
                ],
                "streak": self.streak,
                "best": self.best,
                "daily": self.daily,
                "collection": collection_id(),
                "solved": _pack(self.solved),
                "rated": _pack(self.rated),
            }
        )

    @classmethod
    def parse(cls, text: str) -> PuzzleProgress:
        """Read the text form; "" is a new solver.

        Of another collection, whose puzzles have other numbers, the rating and the streaks remain.
        """
        if not text:
            return cls()
        try:
            found = json.loads(text[: LONGEST_TEXT + 1])
            rating = Glicko2(*map(float, found["rating"]))
            streak, best, daily = int(found["streak"]), int(found["best"]), str(found["daily"])
            solved = rated = frozenset[int]()
            if found["collection"] == collection_id():
                solved, rated = _unpack(found["solved"]), _unpack(found["rated"])
        except (ValueError, TypeError, KeyError, RecursionError, OverflowError):
            short = text if len(text) <= 60 else text[:57] + "..."
            raise NotationError(
                f"expected the progress of a puzzle solver, got {short!r}"
            ) from None
        return cls(rating, max(0, streak), max(0, best), solved, rated, daily[:10])


def next_puzzle(
    progress: PuzzleProgress,
    wanted: PuzzleFilter,
    rng: random.Random | None = None,
    without: int = 0,
) -> int:
    """The number of a puzzle to try next: unsolved, and near the solver's rating if there is one.

    `without` is the number of the puzzle just shown.
    """
    numbers = [
        number
        for number, puzzle in enumerate(shipped_puzzles(), 1)
        if number != without and wanted.accepts(puzzle)
    ]
    if not numbers and without:
        numbers = [without] if wanted.accepts(find_puzzle(without)) else []
    if not numbers:
        raise ConfigError("no puzzle matches; choose another board, theme or level")
    fresh = [number for number in numbers if number not in progress.rated | progress.solved]
    unsolved = [number for number in numbers if number not in progress.solved]
    choices = fresh or unsolved or numbers

    def distance(number: int) -> float:
        return abs(find_puzzle(number).rating - progress.rating.rating)

    closest = min(map(distance, choices))
    near = [number for number in choices if distance(number) <= max(NEAR, closest)]
    return (rng or random.Random()).choice(near)


def is_daily_solved(progress: PuzzleProgress, day: str) -> bool:
    """Whether the puzzle of a day was solved on that day."""
    return progress.daily == day


def load_progress() -> PuzzleProgress:
    """The progress in the user's data folder; a new solver's if there is none."""
    path = data_path(_FOLDER) / _FILE
    try:
        return PuzzleProgress.parse(path.read_text(encoding="utf-8").strip())
    except FileNotFoundError:
        return PuzzleProgress.parse("")
    except UnicodeDecodeError:
        raise ConfigError(f"cannot read {path}: expected text in UTF-8") from None
    except NotationError as error:
        raise ConfigError(f"cannot read {path}: {error}") from None
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {reason_of(error)}") from error


def save_progress(progress: PuzzleProgress) -> Path:
    """Store the progress in the user's data folder."""
    path = data_folder(_FOLDER) / _FILE
    try:
        with atomic_write(path) as file:
            file.write(progress.text().encode() + b"\n")
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {reason_of(error)}") from error
    return path


def _pack(numbers: frozenset[int]) -> str:
    """Numbers as the bits of a hexadecimal number."""
    return f"{sum(1 << number for number in numbers):x}"


def _unpack(text: str) -> frozenset[int]:
    bits, most = int(text, 16), len(shipped_puzzles())
    return frozenset(number for number in range(1, most + 1) if bits >> number & 1)


__all__ = [
    "PuzzleProgress",
    "daily_puzzle",
    "is_daily_solved",
    "load_progress",
    "next_puzzle",
    "save_progress",
]
