"""A neural network with tree search as a player."""

from __future__ import annotations

from functools import cache, partial
from hashlib import sha256
from pathlib import Path

from plyground.agents.base import Agent, Progress, legal_actions
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.games.base import AnyGame, State
from plyground.games.score import Score
from plyground.nets.evaluator import NativeEvaluator, load_evaluator, network_for
from plyground.search import SearchLimits, SearchResult
from plyground.search.gumbel import GumbelSearch


class ZeroAgent(Agent):
    """Plays the move of a tree search over a network, by default after one second.

    `sims` and `time` limit a search to simulations or seconds. `network` is a file written by
    `plyground export`, by default the one in the package for the game and board. Up to `batch`
    leaves are evaluated together, on `threads` threads. With `precise` the network is evaluated in
    16 bits, so that searches of the same size are the same on every processor; without it in 8
    bits, on processors on which that is faster. The tree is kept between moves until `new_game`.
    """

    name = "zero"
    evaluates = True
    depth_measures_effort = False

    def __init__(
        self,
        sims: int | None = None,
        time: float | None = None,
        network: str | Path | None = None,
        threads: int = 1,
        batch: int = 4,
        precise: bool = False,
        game: AnyGame | str | None = None,
    ) -> None:
        self.limits = SearchLimits.of({"time": time, "sims": sims})
        self.game = registry.find(game)
        self._own_network = None if network is None else Path(network)
        self._network = self._own_network or network_for(self.game.start())
        self._evaluator = cache(
            partial(load_evaluator, threads=threads, game=self.game, fast=not precise)
        )
        self._batch = batch
        self.tree_search = self._make_search(self._network)

    def search(
        self,
        state: State,
        limits: SearchLimits | None = None,
        on_progress: Progress | None = None,
    ) -> SearchResult:
        """Search the position."""
        self._get_ready(state)
        return self.tree_search.search(state, self.limits_for(limits), on_progress)

    def rank(self, state: State) -> list[tuple[int, Score]]:
        """All moves with their scores, best first, in a fraction of a second."""
        self._get_ready(state)
        return self.tree_search.rank(state)

    def warm_up(self, state: State) -> None:
        """Load the network for the board."""
        self._get_ready(state)

    def stop(self) -> None:
        """End the running search soon; it returns what it has found. Safe from any thread."""
        self.tree_search.stop()

    def new_game(self) -> None:
        """Forget earlier games."""
        self.tree_search.clear()

    def close(self) -> None:
        """Free the tree."""
        self.tree_search.clear()

    def cache_identity(self, state: State) -> str:
        """A key that includes the digests of the network and of the history that it sees."""
        self._get_ready(state)
        evaluator = self._evaluator(self._network)
        identity = f"{super().cache_identity(state)} {evaluator.digest}"
        if not (length := evaluator.encoding.history_length):
            return identity
        seen = sha256(state.game.net_features(state, length).tobytes()).hexdigest()[:12]
        return f"{identity} {seen}"

    def _get_ready(self, state: State) -> None:
        """Check the state, and load the network for its board."""
        if state.game is not self.game:
            raise ConfigError(f"expected a state of {self.game.name}, got {state!r}")
        legal_actions(state)
        if self._own_network is None and (path := network_for(state)) != self._network:
            self.tree_search = self._make_search(path)
            self._network = path
        self._evaluator(self._network).check_board(state)

    def _make_search(self, network: Path) -> GumbelSearch:
        evaluator = self._evaluator(network)
        return GumbelSearch(
            evaluator,
            self._batch,
            history_length=evaluator.encoding.history_length,
            grow=evaluator.grow if isinstance(evaluator, NativeEvaluator) else None,
        )
