"""Puzzles: positions in which one move wins, and every other move is proven not to.

The puzzles of the package are in `data/puzzles.txt.xz`, a line each, from easy to hard.
`tools/make_puzzles.py` finds and packs them. `puzzle_attempt.py` plays them, `puzzle_progress.py`
keeps a solver's rating.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cache, cached_property
from hashlib import sha256
from importlib.resources import files
from typing import Final

from plyground.errors import ConfigError
from plyground.games import registry
from plyground.games.base import AnyGame, State
from plyground.hints import suggest

LEVELS: Final = ("easy", "medium", "hard")
EASY_PLIES = 7
"""Most plies of an easy puzzle, to the end of the game."""
MEDIUM_RATING, HARD_RATING = 1150, 1500
"""The lowest ratings of medium and of hard puzzles."""
THEMES: Final = (
    "jump",
    "dead end",
    "last wall",
    "tempo",
    "wall",
    "race",
    "corner",
    "parity",
    "sacrifice",
)
"""Every theme, in the order of lists. Modules named after a game detect them."""
_FIELDS = "|"


@dataclass(frozen=True)
class Puzzle:
    """A position and the line that wins: the answer, the best defence, and so on to the end."""

    game: str
    board: int
    """Rows and columns."""
    position: str
    line: tuple[str, ...]
    rating: int
    """Difficulty on the scale of solvers' ratings."""
    themes: tuple[str, ...] = ()

    @property
    def answer(self) -> str:
        """The only move that wins."""
        return self.line[0]

    @property
    def level(self) -> str:
        """One of LEVELS."""
        if self.rating < MEDIUM_RATING and len(self.line) <= EASY_PLIES:
            return "easy"
        return "medium" if self.rating < HARD_RATING else "hard"

    @cached_property
    def start(self) -> State:
        """The position as a state of its game."""
        state: State = registry.get(self.game).start({}, self.position)
        return state

    def text(self) -> str:
        """The puzzle as a line of the file."""
        line, themes = " ".join(self.line), ",".join(self.themes)
        fields = (self.game, self.board, self.position, line, self.rating, themes)
        return _FIELDS.join(map(str, fields))

    @classmethod
    def parse(cls, text: str) -> Puzzle:
        """Read a line of the file."""
        game, board, position, line, rating, themes = text.split(_FIELDS)
        found = tuple(themes.split(",")) if themes else ()
        return cls(game, int(board), position, tuple(line.split()), int(rating), found)


@dataclass(frozen=True, slots=True)
class PuzzleFilter:
    """Which puzzles to choose from; None stands for all."""

    game: str | None = None
    board: int | None = None
    theme: str | None = None
    level: str | None = None

    def __post_init__(self) -> None:
        for what, value, known in (
            ("game", self.game, registry.games()),
            ("theme", self.theme, THEMES),
            ("level", self.level, LEVELS),
        ):
            if value is not None and value not in known:
                raise ConfigError(f"unknown {what} {value!r}; {suggest(value, known)}")

    def accepts(self, puzzle: Puzzle) -> bool:
        """Whether a puzzle may be chosen."""
        return (
            self.game in (None, puzzle.game)
            and self.board in (None, puzzle.board)
            and (self.theme is None or self.theme in puzzle.themes)
            and self.level in (None, puzzle.level)
        )


@cache
def shipped_puzzles() -> tuple[Puzzle, ...]:
    """The puzzles of the package, from easy to hard."""
    packed = (files("plyground") / "data" / "puzzles.txt.xz").read_bytes()
    return tuple(map(Puzzle.parse, lzma.decompress(packed).decode().splitlines()))


def pack_puzzles(puzzles: Iterable[Puzzle]) -> bytes:
    """The file of the package with these puzzles."""
    text = "".join(puzzle.text() + "\n" for puzzle in puzzles)
    return lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)


@cache
def collection_id() -> str:
    """An identifier of the shipped collection, which changes with any puzzle's number."""
    text = "\n".join(puzzle.position for puzzle in shipped_puzzles())
    return sha256(text.encode()).hexdigest()[:8]


def find_puzzle(number: int) -> Puzzle:
    """The shipped puzzle of a number, from 1."""
    puzzles = shipped_puzzles()
    if not 1 <= number <= len(puzzles):
        raise ConfigError(f"expected a puzzle from 1 to {len(puzzles)}, got {number}")
    return puzzles[number - 1]


@cache
def boards_of(game: AnyGame) -> tuple[int, ...]:
    """The board sizes of a game's puzzles, the largest first."""
    boards = {puzzle.board for puzzle in shipped_puzzles() if puzzle.game == game.name}
    return tuple(sorted(boards, reverse=True))


@cache
def themes_of(game: AnyGame) -> tuple[str, ...]:
    """The themes of a game's puzzles."""
    found = {
        theme for puzzle in shipped_puzzles() if puzzle.game == game.name for theme in puzzle.themes
    }
    return tuple(theme for theme in THEMES if theme in found)


def daily_puzzle(day: date | None = None) -> int:
    """The number of the puzzle of a day, by default today in UTC; the same for everyone."""
    day = day or datetime.now(UTC).date()
    return 1 + int(sha256(day.isoformat().encode()).hexdigest(), 16) % len(shipped_puzzles())
