"""Matches between agents, and what their results say."""

from plyground.arena.match import GameResult, MatchScore, play_game, play_match
from plyground.arena.openings import (
    balanced_openings,
    book,
    book_lines,
    match_openings,
    reversi_openings,
)
from plyground.arena.rating import Estimate, PairScore, elo_estimate, fit_ratings

__all__ = [
    "Estimate",
    "GameResult",
    "MatchScore",
    "PairScore",
    "balanced_openings",
    "book",
    "book_lines",
    "elo_estimate",
    "fit_ratings",
    "match_openings",
    "play_game",
    "play_match",
    "reversi_openings",
]
