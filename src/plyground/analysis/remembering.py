"""A thinker that need not think twice about a position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any

from plyground import __version__
from plyground.agents.base import Progress, Ranker, Thinker
from plyground.agents.engine import EngineAgent
from plyground.analysis.cache import AnalysisCache, Known
from plyground.games import quoridor, reversi
from plyground.play.seat import Seat
from plyground.search.engine import Engine, default_weights, features
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult
from plyground.search.reversi_patterns import shipped_patterns

ENOUGH = 0.9
"""A search that took this share of what is allowed now would hardly gain from the rest."""

WORTH_KEEPING = 20_000
"""Nodes from which on a search is worth starting from; fewer take no time."""

EFFORT = ("time", "depth", "nodes", "sims", "hash_mb", "threads", "batch", "seed")
"""Options of agents that say how far they look, and not what they think of a position."""


class Remembering:
    """A thinker in front of a cache: what was searched as far before is answered from there.

    A search that has to go further starts with a part of the last one's table.

    `name` tells searchers apart whose results do not replace each other's: `searcher_name`.
    """

    def __init__(self, thinker: Thinker, cache: AnalysisCache, name: str = "engine") -> None:
        self.thinker = thinker
        self.cache = cache
        self._name = f"{name} {__version__}"

    @property
    def limits(self) -> SearchLimits | None:
        """The thinker's own limits, which for some is but a depth."""
        limits: SearchLimits | None = getattr(self.thinker, "limits", None)
        depth: int | None = getattr(self.thinker, "depth", None)
        return SearchLimits(depth=depth) if limits is None and depth is not None else limits

    @property
    def is_limited(self) -> bool:
        """Whether these are limits that somebody has set; else a clock decides alone."""
        return bool(getattr(self.thinker, "is_limited", True))

    def select_action(self, state: Any, limits: SearchLimits | None = None) -> int:
        """Choose the best move."""
        return self.search(state, limits).best_move

    def points(self, state: Any) -> float | None:
        """Scores are the thinker's."""
        return self.thinker.points(state)

    def search(
        self,
        state: Any,
        limits: SearchLimits | None = None,
        on_progress: Progress | None = None,
    ) -> SearchResult:
        """What was found before if that went far enough, or else what is found now."""
        started = perf_counter()
        searcher, position = self.searcher(state), position_key(state)
        known = self.cache.get(searcher, position)
        if known is not None and is_enough(known.result, limits or self.limits):
            found = known.result
            if found.best_move in state.legal_actions():  # whoever wrote the file
                return replace(found, time_ms=(perf_counter() - started) * 1000)
        # Other thinkers than the engine have no table to start from.
        engine: Engine | None = getattr(self.thinker, "engine", None)
        if engine is not None and (kept := self.cache.get_table(searcher, position)):
            engine.recall(kept)
        result = self.thinker.search(state, limits, on_progress)
        by_depth: bool = getattr(self.thinker, "has_depth", True)
        known = Known(result, static_evaluation(state))
        self.cache.put(searcher, position, known, by_depth=by_depth)
        if engine is not None and result.nodes_searched >= WORTH_KEEPING:
            self.cache.put_table(searcher, position, engine.deepest())
        return result

    def searcher(self, state: Any) -> str:
        """Who judges this position, as the cache knows it: another network is somebody else."""
        signature = getattr(self.thinker, "signature", None)
        return self._name if signature is None else f"{self._name} {signature(state)}"

    def ranking(self, state: Any) -> list[tuple[int, float]]:
        """All moves of a position with their scores, best first, as they were ranked before.

        Where they were not, as the thinker ranks them, if it does.
        """
        known = self.cache.get(self.searcher(state), position_key(state))
        ranked = [] if known is None else list(known.children)
        if sorted(action for action, _ in ranked) == state.legal_actions():
            return ranked
        return self.thinker.ranking(state) if isinstance(self.thinker, Ranker) else []

    def keep_ranking(
        self, state: Any, lines: Sequence[SearchResult], others: Sequence[tuple[int, float]]
    ) -> None:
        """Keep all moves of a position, best first: those searched, then those only looked at."""
        searcher, position, best = self.searcher(state), position_key(state), lines[0]
        # Not every move was searched, so a loss is not proven, and no depth reached.
        win_in = best.win_in if best.win_in is not None and best.win_in > 0 else None
        glance = SearchResult(best.best_move, best.score, 1, best.pv, 0, 0.0, win_in)
        self.cache.put(searcher, position, Known(glance, static_evaluation(state)))
        children = [*((line.best_move, line.score) for line in lines), *others]
        self.cache.put_children(searcher, position, children)

    def new_game(self) -> None:
        """Forget earlier games, but not what the cache knows."""
        forget = getattr(self.thinker, "new_game", None)
        if forget is not None:
            forget()


def remember(seat: Seat, cache: AnalysisCache) -> Seat:
    """The seat with its agent in front of the cache, where it is one that plays as well as it can.

    An agent that is limited in depth or nodes is meant to see no further than that; what others
    have found would make it stronger than its name says.
    """
    agent = seat.agent
    if not isinstance(agent, EngineAgent) or agent.limits.depth or agent.limits.nodes:
        return seat
    return Seat(seat.name, Remembering(agent, cache, searcher_name(seat.name)))


def searcher_name(spec: str) -> str:
    """An agent's string without what limits it: whoever has the same one scores alike.

    >>> searcher_name("engine:time=1"), searcher_name("engine:time=1,evaluator=classic")
    ('engine', 'engine:evaluator=classic')
    """
    name, _, rest = spec.partition(":")
    kept = [part for part in rest.split(",") if part.partition("=")[0] not in EFFORT]
    return ":".join(filter(None, (name, ",".join(sorted(kept)))))


def is_enough(found: SearchResult, limits: SearchLimits | None) -> bool:
    """Whether a search under these limits would hardly find more."""
    if found.win_in is not None or found.exact:
        return True
    if limits is None:
        return False
    reached = [
        limits.depth is not None and found.depth >= limits.depth,
        limits.nodes is not None and found.nodes_searched >= ENOUGH * limits.nodes,
        limits.simulations is not None and found.nodes_searched >= ENOUGH * limits.simulations,
        limits.time_s is not None and found.time_ms >= ENOUGH * 1000 * limits.time_s,
    ]
    return any(reached)


def position_key(state: Any) -> str:
    """A position and the settings it is played under, in one line."""
    if isinstance(state, quoridor.State):
        config = state.config
        rules = f"{config.max_moves} {config.no_progress_limit} {config.walls_per_player}"
        return f"quoridor {rules} {state.text()}"
    return f"reversi {state.text()}"


def static_evaluation(state: Any) -> float | None:
    """What a position is worth at a glance, for the side to move, in the engine's units."""
    if isinstance(state, quoridor.State):
        weights = default_weights()
        return float(sum(weights.get(name, 0) * value for name, value in features(state).items()))
    if isinstance(state, reversi.State):
        return shipped_patterns().evaluate(state)
    return None
