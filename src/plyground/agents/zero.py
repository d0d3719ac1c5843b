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

GLANCE = SearchLimits(simulations=200)
"""Enough to tell which moves come first, in a tenth of a second."""

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
        if not isinstance(state, STATES[self.game]):
            raise ConfigError(f"expected a state of {self.game}, got {state!r}")
        legal_actions(state)
        if isinstance(state, quoridor.State) and self._is_shipped:
            self._take_network(shipped_network(self.game, state.board_size))
        return self.tree_search.search(state, limits or self.limits, on_progress)

    def ranking(self, state: State) -> list[tuple[int, float]]:
        """All moves, those visited most in a short search first, then as the network ranks them.

        The scores of moves without a visit say little.
        """
        self.search(state, GLANCE)
        moves = sorted(self.tree_search.moves(), key=_rank, reverse=True)
        return [(move["action"], move["value"]) for move in moves]

    def _take_network(self, path: Path) -> None:
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


def _rank(move: dict[str, Any]) -> tuple[int, int, float]:
    """Sorts proven losses first and proven wins last; a short win is better than a long one."""
    win_in: int | None = move["win_in"]
    if win_in is None:
        return (0, move["visits"], move["logit"])
    return (1 if win_in > 0 else -1, -win_in, move["logit"])
