"""Matches and tournaments between agents, and what their results say."""

from plyground.arena.adjudicate import Adjudication
from plyground.arena.book import read_book
from plyground.arena.config import ArenaConfig
from plyground.arena.crosstable import Crosstable, Standing
from plyground.arena.estimate import (
    Estimate,
    elo_estimate,
    normalised_elo,
    pentanomial,
    superiority,
)
from plyground.arena.game import play_game
from plyground.arena.match import play_match
from plyground.arena.rating import Rating, Ratings, Tally, fit_ratings
from plyground.arena.runner import run_tasks
from plyground.arena.sprt import Sprt
from plyground.arena.store import Filter, Store, StoredGame
from plyground.arena.summary import format_pair, format_standings
from plyground.arena.task import Conditions, GameResult, Task
from plyground.arena.tournament import Tournament

__all__ = [
    "Adjudication",
    "ArenaConfig",
    "Conditions",
    "Crosstable",
    "Estimate",
    "Filter",
    "GameResult",
    "Rating",
    "Ratings",
    "Sprt",
    "Standing",
    "Store",
    "StoredGame",
    "Tally",
    "Task",
    "Tournament",
    "elo_estimate",
    "fit_ratings",
    "format_pair",
    "format_standings",
    "normalised_elo",
    "pentanomial",
    "play_game",
    "play_match",
    "read_book",
    "run_tasks",
    "superiority",
]
