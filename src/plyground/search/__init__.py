"""Searchers: the engine, textbook minimax and alpha-beta, the solvers; their limits and results."""

from plyground.games.score import Score, Unit
from plyground.search.engine import Engine, default_switches
from plyground.search.limits import SearchLimits
from plyground.search.quoridor_engine import default_weights, features
from plyground.search.quoridor_solver import Solution, solve
from plyground.search.quoridor_textbook import TextbookWeights, evaluate
from plyground.search.result import SearchResult
from plyground.search.reversi_evaluator import ReversiEvaluator
from plyground.search.reversi_solver import solve_endgame
from plyground.search.textbook import alphabeta, minimax

__all__ = [
    "Engine",
    "ReversiEvaluator",
    "Score",
    "SearchLimits",
    "SearchResult",
    "Solution",
    "TextbookWeights",
    "Unit",
    "alphabeta",
    "default_switches",
    "default_weights",
    "evaluate",
    "features",
    "minimax",
    "solve",
    "solve_endgame",
]
