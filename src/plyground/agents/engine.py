"""The full alpha-beta search as a player."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plyground.agents.base import Progress, legal_actions
from plyground.errors import ConfigError
from plyground.games import quoridor
from plyground.search import Engine, SearchLimits, SearchResult
from plyground.search.engine import State
from plyground.search.weights import TUNED, read_engine_weights, tuned_engine_weights


class EngineAgent:
    """Plays what the engine finds within its limits, by default one second a move.

    Limits given with a move come before the agent's own; where it was given none, a clock alone
    decides how long it thinks. Between games, `new_game` forgets what the
    last one taught, so that games do not depend on each other. The `evaluator` is Reversi's:
    "patterns" (by default) or "classic". Quoridor's evaluation takes other `weights`, by name, from
    a file or "tuned" (docs/tuning.md), or single ones: `EngineAgent(walls_weight=170)`.
    """

    def __init__(
        self,
        time: float | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        hash_mb: int = 64,
        threads: int = 1,
        evaluator: str | None = None,
        game: str = "quoridor",
        weights: Mapping[str, int] | str | Path | None = None,
        **single_weights: int,
    ) -> None:
        self.is_limited = any(limit is not None for limit in (time, depth, nodes))
        self.limits = SearchLimits(time if self.is_limited else 1.0, nodes=nodes, depth=depth)
        if weights == TUNED:
            weights = tuned_engine_weights()
        elif isinstance(weights, str | Path):
            weights = read_engine_weights(weights)
        singles = {name.removesuffix("_weight"): value for name, value in single_weights.items()}
        if weights is not None and singles:
            raise ConfigError("expected weights or single ones such as path_weight, got both")
        self.engine = Engine(hash_mb, threads, singles or weights, game=game, evaluator=evaluator)

    def select_action(self, state: State, limits: Any = None) -> int:
        """Choose the move that the search prefers."""
        return self.search(state, limits).best_move

    def search(
        self,
        state: State,
        limits: SearchLimits | None = None,
        on_progress: Progress | None = None,
    ) -> SearchResult:
        """Search the position and tell what was found."""
        legal_actions(state)
        return self.engine.search(state, limits or self.limits, on_progress)

    def points(self, state: Any) -> float | None:
        """Scores are in hundredths of a step, or in discs."""
        return 100.0 if isinstance(state, quoridor.State) else 1.0

    def stop(self) -> None:
        """End the running search soon, with what it has found. Safe from any thread."""
        self.engine.stop()

    def new_game(self) -> None:
        """Forget earlier games."""
        self.engine.clear()
