"""Matches and tournaments between agents, and what their results say."""

from plyground.arena.adjudicate import Adjudication
from plyground.arena.book import read_book
from plyground.arena.config import ArenaConfig
from plyground.arena.estimate import (
    Estimate,
    elo_estimate,
    normalised_elo,
    pentanomial,
    superiority,
)
from plyground.arena.game import play_game
from plyground.arena.match import GameResult, MatchScore, play_match
from plyground.arena.openings import (
    balanced_openings,
    book,
    book_lines,
    match_openings,
    reversi_openings,
)
from plyground.arena.rating import Rating, Ratings, Tally, fit_ratings
from plyground.arena.runner import run_tasks
from plyground.arena.scores import Scores, Standing
from plyground.arena.sprt import Sprt
from plyground.arena.store import Filter, Store, StoredGame
from plyground.arena.table import format_table
from plyground.arena.task import Conditions, Finished, Task
from plyground.arena.tournament import Tournament

__all__ = [
    "Adjudication",
    "ArenaConfig",
    "Conditions",
    "Estimate",
    "Filter",
    "Finished",
    "GameResult",
    "MatchScore",
    "Rating",
    "Ratings",
    "Scores",
    "Sprt",
    "Standing",
    "Store",
    "StoredGame",
    "Tally",
    "Task",
    "Tournament",
    "balanced_openings",
    "book",
    "book_lines",
    "elo_estimate",
    "fit_ratings",
    "format_table",
    "match_openings",
    "normalised_elo",
    "pentanomial",
    "play_game",
    "play_match",
    "read_book",
    "reversi_openings",
    "run_tasks",
    "superiority",
]
