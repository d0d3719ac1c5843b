"""The network with its tree search as a player."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import Any

from plyground.agents.base import Progress, legal_actions
from plyground.errors import ConfigError
from plyground.games import quoridor, reversi
from plyground.nets.evaluator import OnnxEvaluator, shipped_network
from plyground.search import SearchLimits, SearchResult
from plyground.search.engine import State
from plyground.search.gumbel import GumbelSearch

STATES = {"quoridor": quoridor.State, "reversi": reversi.State}


class ZeroAgent:
    """Plays what the tree search over its network finds, by default in one second a move.

    `sims` simulations a move, or `time` seconds; limits given with a move come before these, and
    where neither was given, a clock alone decides.
    `network` is an ONNX file as `plyground export` writes it, by default the one in the package for
    the `game`: 5x5 has one of its own, and another plays on all other boards.
    `batch` leaves at most are evaluated together, on so many `threads`. Between moves the tree is
    kept; `new_game` forgets it.
    """

    has_depth = False
    """The depth of its results is but the length of a line, and no measure of their worth."""

    def __init__(
        self,
        sims: int | None = None,
        time: float | None = None,
        network: str | Path | None = None,
        threads: int = 1,
        batch: int = 4,
        game: str = "quoridor",
    ) -> None:
        self.is_limited = sims is not None or time is not None
        self.limits = SearchLimits(time if self.is_limited else 1.0, simulations=sims)
        self.game = game
        self._is_shipped = network is None
        self._network = shipped_network(game) if network is None else Path(network)
        self._evaluator = cache(partial(OnnxEvaluator, threads=threads, game=game))
        self._batch = batch
        self.tree_search = GumbelSearch(self._evaluator(self._network), batch=batch)

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
        self._get_ready(state)
        return self.tree_search.search(state, limits or self.limits, on_progress)

    def ranking(self, state: State) -> list[tuple[int, float]]:
        """All moves with their values, best first, in a fraction of a second."""
        self._get_ready(state)
        return self.tree_search.ranking(state)

    def signature(self, state: State) -> str:
        """Tells apart agents whose networks judge a position differently."""
        self._get_ready(state)
        return self._evaluator(self._network).digest

    def _get_ready(self, state: State) -> None:
        """Refuse what cannot be played, and take the network for this board."""
        if not isinstance(state, STATES[self.game]):
            raise ConfigError(f"expected a state of {self.game}, got {state!r}")
        legal_actions(state)
        if isinstance(state, quoridor.State) and self._is_shipped:
            path = shipped_network(self.game, state.board_size)
            if path != self._network:
                self.tree_search = GumbelSearch(self._evaluator(path), batch=self._batch)
                self._network = path

    def points(self, state: Any) -> float | None:  # noqa: ARG002
        """Scores are expected results."""
        return None

    def stop(self) -> None:
        """End the running search soon, with what it has found. Safe from any thread."""
        self.tree_search.stop()

    def new_game(self) -> None:
        """Forget earlier games."""
        self.tree_search.clear()
