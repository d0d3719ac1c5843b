"""Puzzles of Quoridor, proven by the engine, which sees races to their end."""

from __future__ import annotations

from plyground.analysis.puzzle import Puzzle
from plyground.games.quoridor import State
from plyground.search import Engine, SearchLimits, SearchResult

NODES = (1_000, 20_000, 400_000)
"""Nodes of the searches that try to prove a move won or lost: a short one first, then longer."""
GLANCES = (1, 4)
"""Depths of short searches; each that misses the answer makes a puzzle one level harder."""
HASH_MB = 64


def find_puzzle(state: State) -> Puzzle | None:
    """The puzzle that a position makes; None unless one move wins and all others lose or draw."""
    if len(state.legal_actions()) < 2:
        return None
    engine = Engine(HASH_MB)  # a new one, so that the result depends on the position alone
    found = _proof(state, engine)
    if found is None or found.win_in is None or found.win_in < 0:
        return None
    for action in state.legal_actions():
        if action != found.best_move and not _is_refuted(state.play(action), engine):
            return None
    level = 1 + sum(_glance(state, depth) != found.best_move for depth in GLANCES)
    return Puzzle.of(state, found.pv, f"wins in {found.win_in}", level)


def _proof(state: State, engine: Engine) -> SearchResult | None:
    """A search that proves who wins; None if the longest does not."""
    for nodes in NODES:
        result = engine.search(state, SearchLimits(nodes=nodes))
        if result.win_in is not None:
            return result
    return None


def _glance(state: State, depth: int) -> int:
    """The move that a short search finds."""
    return Engine(hash_mb=1).search(state, SearchLimits(depth=depth)).best_move


def _is_refuted(after: State, engine: Engine) -> bool:
    """Whether the move that led here is proven not to win."""
    if after.outcome is not None:
        return after.outcome.winner != 3 - after.current_player
    proof = _proof(after, engine)
    return proof is not None and proof.win_in is not None and proof.win_in > 0
