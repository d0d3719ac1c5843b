"""The minimax opponent with three caches: `minimax:order=dijkstra`."""

from __future__ import annotations

from pathlib import Path

from plyground.agents.minimax import MinimaxAgent
from plyground.config import read_yaml
from plyground.errors import ConfigError
from plyground.games.base import State
from plyground.games.quoridor import expect_state
from plyground.search.limits import SearchLimits
from plyground.search.quoridor_dijkstra import (
    DISTANCES_ONLY,
    USUAL_DEPTH,
    cached_search,
    growing_depth,
)
from plyground.search.quoridor_minimax_cache import MinimaxCache, shared_cache
from plyground.search.result import SearchResult
from plyground.search.textbook import Poll


class DijkstraAgent(MinimaxAgent):
    """Plays Quoridor by an alpha-beta search whose results are kept between games and runs.

    It evaluates positions by the distances to the goal, and tries walls near the opponent's goal
    row first, which are found by Dijkstra's algorithm (`plyground.search.quoridor_dijkstra`).
    Without a `depth`, it searches 3 plies, and 4 or 5 when a pawn comes near its goal. The `cache`
    is by default the one that all such agents share. A path names a file of its own, and
    `cache=False` turns it off.

    >>> from plyground.quoridor import State
    >>> DijkstraAgent(cache=False).search(State()).depth
    3
    """

    name = "minimax:order=dijkstra"
    default_limits = None

    def __init__(
        self,
        player_number: int | None = None,
        depth: int | None = None,
        cache: MinimaxCache | str | Path | bool = True,
    ) -> None:
        usual = USUAL_DEPTH if depth is None else depth
        super().__init__(player_number, usual, max_wall_moves=None, weights=DISTANCES_ONLY)
        self.grows = depth is None
        if self.grows:
            self.limits = SearchLimits()
        if isinstance(cache, str | Path):
            cache = MinimaxCache(Path(cache))
        self.cache = cache if isinstance(cache, MinimaxCache) else None
        self._shares_cache = cache is True

    @classmethod
    def from_yaml(cls, path: str | Path, player_number: int | None = None) -> DijkstraAgent:
        """Read an agent from a YAML file, which may have a `depth` and nothing else.

        The evaluation and the walls that it tries are fixed.
        """
        settings = read_yaml(path, ("depth",))
        try:
            return cls(player_number, **settings)
        except ConfigError as error:
            raise ConfigError(f"{error} in {path}") from error

    def depth_for(self, state: State) -> int:
        """The depth in a position."""
        return growing_depth(expect_state(state)) if self.grows else self.max_depth

    def prepare(self) -> None:
        """Open the shared caches."""
        if self._shares_cache and self.cache is None:
            self.cache = shared_cache()

    def close(self) -> None:
        """Save what its searches found."""
        if self.cache is not None:
            self.cache.save()

    def new_game(self) -> None:
        """Save what its searches found; nothing is forgotten."""
        self.close()

    def _search(self, state: State, depth: int, poll: Poll | None = None) -> SearchResult:
        self.prepare()
        return cached_search(expect_state(state), depth, self.cache, poll)
