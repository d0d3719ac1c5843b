"""Searchers: the engine, the textbook's minimax and alpha-beta, the solver; limits, results."""

from plyground.search.engine import Engine, default_switches, default_weights, features
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult
from plyground.search.reversi_evaluator import ReversiEvaluator
from plyground.search.reversi_solver import solve_endgame
from plyground.search.solver import Solution, solve
from plyground.search.textbook import TextbookWeights, alphabeta, minimax

__all__ = [
    "Engine",
    "ReversiEvaluator",
    "SearchLimits",
    "SearchResult",
    "Solution",
    "TextbookWeights",
    "alphabeta",
    "default_switches",
    "default_weights",
    "features",
    "minimax",
    "solve",
    "solve_endgame",
]
