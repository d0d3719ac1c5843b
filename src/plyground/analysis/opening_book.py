"""What was played in a position, and how it ended: the opening explorer.

A book counts moves by position. Positions are joined however they were reached, and so are mirror
images: a book holds a position the way round whose text comes first (`Game.orientations`), and its
moves in that orientation. A book is in memory, or a file (book_file.py). A game may also have a
book of scored openings (search/scored_book.py), whose scores are shown beside the counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from plyground.games.base import AnyGame, State
from plyground.games.book_position import BookPosition
from plyground.games.score import Score
from plyground.play.record import Record

PLIES = 24
"""Plies of a game that a book counts by default."""


@dataclass(frozen=True, slots=True)
class MoveCounts:
    """How often a move was played, and the results of those games as far as they are known."""

    games: int = 0
    wins1: int = 0
    draws: int = 0
    wins2: int = 0

    def __add__(self, other: MoveCounts) -> MoveCounts:
        return MoveCounts(
            self.games + other.games,
            self.wins1 + other.wins1,
            self.draws + other.draws,
            self.wins2 + other.wins2,
        )

    def score(self, player: int) -> float | None:
        """The share of points of a player; None without results.

        >>> MoveCounts(4, 2, 1, 1).score(1)
        0.625
        """
        known = self.wins1 + self.draws + self.wins2
        own = self.wins1 if player == 1 else self.wins2
        return (own + self.draws / 2) / known if known else None


ONE = {
    "1-0": MoveCounts(1, wins1=1),
    "1/2-1/2": MoveCounts(1, draws=1),
    "0-1": MoveCounts(1, wins2=1),
    "*": MoveCounts(1),
}
"""The counts of one game by its result."""


class OpeningBook(Protocol):
    """Counts of moves by the number of a position (see BookPosition)."""

    def counts(self, position: int) -> dict[int, MoveCounts]:
        """The moves of a position, in the orientation of the book."""


class MemoryBook:
    """A book in memory.

    >>> book = MemoryBook()
    >>> book.add_game(Record.from_moves(["e2", "d1h"], result="1-0"))
    >>> [(each.move, each.counts.games) for each in explore(Record.from_moves(["e2"]).states()[-1],
    ...                                                     [book])]
    [('d1h', 1)]
    """

    def __init__(self) -> None:
        self._counts: dict[int, dict[int, MoveCounts]] = {}
        self._seen: dict[State, BookPosition] = {}

    def add_game(self, record: Record, plies: int = PLIES) -> None:
        """Count the first moves of a game."""
        state = record.start_state()
        for move in record.moves[:plies]:
            action = state.parse_move(move.text)
            self.add(BookPosition(state), action, ONE[record.result])
            state = state.play(action)

    def add_line(self, start: State, actions: Sequence[int]) -> None:
        """Count the moves of an opening, which has no result."""
        state = start
        for action in actions:
            known = self._seen.get(state)
            if known is None:
                known = self._seen[state] = BookPosition(state)
            self.add(known, action, ONE["*"])
            state = state.play(action)

    def add(self, position: BookPosition, action: int, counts: MoveCounts) -> None:
        """Count a move."""
        moves = self._counts.setdefault(position.number, {})
        move = position.move(action)
        moves[move] = moves.get(move, MoveCounts()) + counts

    def counts(self, position: int) -> dict[int, MoveCounts]:
        """The moves of a position."""
        return self._counts.get(position, {})

    def rows(self) -> Iterable[tuple[int, int, MoveCounts]]:
        """Every position and move with its counts."""
        for position, moves in self._counts.items():
            for move, counts in moves.items():
                yield position, move, counts


@dataclass(frozen=True, slots=True)
class BookMove:
    """A move of a position, with the counts of all books."""

    action: int
    move: str
    counts: MoveCounts
    score: Score | None = None
    """Its score for the player who makes it, if it is in the game's book of scored openings."""


def explore(state: State, books: Iterable[OpeningBook]) -> list[BookMove]:
    """The moves that were played in a position, the most frequent first.

    Moves in the game's book of scored openings are among them, also those without a game. Of moves
    that are mirror images of each other, the first is listed for all of them.
    """
    if state.outcome is not None:
        return []
    position = BookPosition(state)
    total: dict[int, MoveCounts] = {}
    for book in books:
        for move, counts in book.counts(position.number).items():
            total[move] = total.get(move, MoveCounts()) + counts
    scores = {position.move(each.action): each.score for each in state.game.book_moves(state)}
    found: dict[int, BookMove] = {}
    for action in state.legal_actions():
        move = position.move(action)
        if (move in total or move in scores) and move not in found:
            counts = total.get(move, MoveCounts())
            found[move] = BookMove(action, state.format_move(action), counts, scores.get(move))
    return sorted(found.values(), key=_place)


def _place(move: BookMove) -> tuple[int, float, str]:
    """A key that sorts the most frequent move first, and moves of equal number by their scores."""
    value = float("-inf") if move.score is None else move.score.value
    return -move.counts.games, -value, move.move


@cache
def shipped_book(game: AnyGame) -> MemoryBook:
    """The openings in the package, as a book without results."""
    book = MemoryBook()
    for start, actions in game.opening_lines():
        book.add_line(start, actions)
    return book
