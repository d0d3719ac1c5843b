"""Going through positions and games with a strong player."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plyground.analysis.adviser import adviser_for
    from plyground.analysis.cache import AnalysisCache
    from plyground.analysis.cached_agent import CachedAgent, cached_seat
    from plyground.analysis.game_report import GameReport, PlyReport, analyse_game
    from plyground.analysis.lines import best_lines
    from plyground.analysis.policy import network_policy
    from plyground.analysis.puzzle import Puzzle, shipped_puzzles

__all__ = [
    "AnalysisCache",
    "CachedAgent",
    "GameReport",
    "PlyReport",
    "Puzzle",
    "adviser_for",
    "analyse_game",
    "best_lines",
    "cached_seat",
    "network_policy",
    "shipped_puzzles",
]

if not TYPE_CHECKING:  # type checkers use the imports above
    from plyground.lazy import lazy_names

    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "adviser": ["adviser_for"],
            "cache": ["AnalysisCache"],
            "cached_agent": ["CachedAgent", "cached_seat"],
            "game_report": ["GameReport", "PlyReport", "analyse_game"],
            "lines": ["best_lines"],
            "policy": ["network_policy"],
            "puzzle": ["Puzzle", "shipped_puzzles"],
        },
    )
