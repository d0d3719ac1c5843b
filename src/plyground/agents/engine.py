"""The alpha-beta engine as a player."""

from __future__ import annotations

import random
from collections.abc import Mapping
from inspect import signature
from pathlib import Path

from plyground.agents.base import Agent, Progress, legal_actions
from plyground.errors import ConfigError
from plyground.games.base import AnyGame, State
from plyground.games.score import ScoreScale
from plyground.hints import suggest
from plyground.search import Engine, SearchLimits, SearchResult
from plyground.search.quoridor_engine import default_weights
from plyground.search.quoridor_weights import TUNED, read_engine_weights, tuned_engine_weights
from plyground.search.scored_book import choose_from_book


class EngineAgent(Agent):
    """Plays the engine's move, by default after one second.

    `evaluator` (Reversi only) is "patterns" (default) or "classic". `weights` (Quoridor only)
    replaces weights of the evaluation: a mapping, a file, or "tuned" (docs/tuning.md). Single
    weights are arguments of their own: `EngineAgent(walls_weight=170)`. With `book`, it plays moves
    of the game's opening book at once, if it has any; a `seed` makes its choice repeatable. With a
    `game`, the options are checked at once, otherwise at the first search.
    """

    name = "engine"
    evaluates = True

    def __init__(
        self,
        time: float | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        hash_mb: int = 64,
        threads: int = 1,
        evaluator: str | None = None,
        game: AnyGame | str | None = None,
        weights: Mapping[str, int] | str | Path | None = None,
        book: bool = False,
        seed: int | None = None,
        **single_weights: int,
    ) -> None:
        self.limits = SearchLimits.of({"time": time, "nodes": nodes, "depth": depth})
        self._book = book
        self._rng = random.Random(seed)
        if weights == TUNED:
            weights = tuned_engine_weights()
        elif isinstance(weights, str | Path):
            weights = read_engine_weights(weights)
        for name in single_weights:
            if name.removesuffix("_weight") not in default_weights():
                known = [*signature(EngineAgent).parameters][:-1]
                known += [f"{weight}_weight" for weight in default_weights()]
                raise ConfigError(
                    f"unknown option {name!r} of the agent 'engine'; {suggest(name, known)}"
                )
        singles = {name.removesuffix("_weight"): value for name, value in single_weights.items()}
        if weights is not None and singles:
            raise ConfigError("expected weights or single weights such as path_weight, got both")
        self.engine = Engine(
            hash_mb, threads, singles or weights or None, evaluator=evaluator, game=game
        )

    def search(
        self,
        state: State,
        limits: SearchLimits | None = None,
        on_progress: Progress | None = None,
    ) -> SearchResult:
        """Search the position, or look it up in the book."""
        legal_actions(state)
        if self._book and (limits is None or limits.simulations is None):
            found = choose_from_book(state, self._rng)
            if found is not None:
                return found
        return self.engine.search(state, self.limits_for(limits), on_progress)

    def solves(self, state: State) -> bool:
        """Whether its search of a position finds the exact result, given a few seconds."""
        return state.game.engine_solves(state)

    def stop(self) -> None:
        """End the running search soon; it returns what it has found. Safe from any thread."""
        self.engine.stop()

    def new_game(self) -> None:
        """Forget earlier games, so that games do not depend on each other."""
        self.engine.clear()

    def close(self) -> None:
        """Free the transposition table; a later search allocates it again."""
        self.engine.close()

    @property
    def may_reuse_results(self) -> bool:
        """True unless its depth or nodes are limited."""
        return self.limits.depth is None and self.limits.nodes is None

    def cache_scale(self, state: State) -> ScoreScale:
        """The engine's own numbers."""
        return ScoreScale(state.game.unit, state.game.engine_scale)

    def export_table(self) -> bytes | None:
        """The deepest results of the last search."""
        return self.engine.deepest()

    def import_table(self, state: State, table: bytes) -> None:
        """Load what `export_table` returned."""
        self.engine.recall(table, state.game)
