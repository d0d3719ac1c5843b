"""The opening explorer: books of this machine, and what the adviser knows about their moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from plyground.agents.base import Agent
from plyground.analysis.book_file import BookFile, default_book
from plyground.analysis.cached_agent import CachedAgent
from plyground.analysis.opening_book import BookMove, MemoryBook, OpeningBook, shipped_book
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.folders import data_path
from plyground.games.base import AnyGame, State
from plyground.play.game_file import read_game
from plyground.play.record import Record

MOST_SAVED = 100
"""Saved games of the terminal that are counted, the newest ones."""


@contextmanager
def local_books(game: AnyGame, path: Path | None = None) -> Iterator[list[OpeningBook]]:
    """The openings in the package, and a book file: by default the user's, if there is one."""
    books: list[OpeningBook] = [shipped_book(game)]
    if path is None and not default_book().is_file():
        yield books
        return
    with BookFile(path or default_book(), read_only=True) as file:
        yield [*books, file]


def saved_games(game: AnyGame) -> MemoryBook:
    """The newest saved games of the terminal, as a book."""
    book = MemoryBook()
    for record in islice(read_saved_games(data_path("autosave")), MOST_SAVED):
        if record.game == game.name:
            book.add_game(record)
    return book


def read_saved_games(folder: Path) -> Iterator[Record]:
    """The games in the files of a folder, newest first; those that cannot be read are skipped."""
    for path in sorted(folder.glob("*.pgn"), reverse=True):
        try:
            yield read_game(path)[0]
        except (ConfigError, IllegalMoveError, NotationError):
            continue


def known_chances(agent: Agent | None, state: State, moves: Sequence[BookMove]) -> dict[int, float]:
    """The chances to win of the player to move after moves, as far as the agent has them cached."""
    if not isinstance(agent, CachedAgent):
        return {}
    scores = agent.known_scores(state, [each.action for each in moves])
    return {action: score.chance() for action, score in scores.items()}
