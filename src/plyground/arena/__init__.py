"""Matches between agents, and what their results say."""

from plyground.arena.adjudicate import Adjudication
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
from plyground.arena.sprt import Sprt
from plyground.arena.task import Conditions, Finished, Task

__all__ = [
    "Adjudication",
    "Conditions",
    "Estimate",
    "Finished",
    "GameResult",
    "MatchScore",
    "Rating",
    "Ratings",
    "Sprt",
    "Tally",
    "Task",
    "balanced_openings",
    "book",
    "book_lines",
    "elo_estimate",
    "fit_ratings",
    "match_openings",
    "normalised_elo",
    "pentanomial",
    "play_game",
    "play_match",
    "reversi_openings",
    "run_tasks",
    "superiority",
]
