"""Matches between agents, and what their results say."""

from plyground.arena.match import GameResult, MatchScore, play_game, play_match
from plyground.arena.openings import balanced_openings
from plyground.arena.rating import Estimate, elo_estimate

__all__ = [
    "Estimate",
    "GameResult",
    "MatchScore",
    "balanced_openings",
    "elo_estimate",
    "play_game",
    "play_match",
]
