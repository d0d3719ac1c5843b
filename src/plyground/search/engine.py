"""The alpha-beta engine. docs/search.md describes its search."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from plyground.checks import check_range
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.games.base import AnyGame, State
from plyground.search.limits import DEFAULT_LIMITS, SearchLimits
from plyground.search.native import NativeEngine, Report
from plyground.search.result import SearchResult

MOST_HASH_MB, MOST_THREADS, MOST_DRAW_SCORE = 65536, 256, 10_000
"""Largest options that the core takes."""


class Engine:
    """An alpha-beta engine with its transposition table and threads, for any native game.

    It keeps its table between searches, until it is given a state of another game.

    >>> from plyground.quoridor import State
    >>> result = Engine(hash_mb=1).search(State(), SearchLimits(depth=4))
    >>> result.depth, result.best_move
    (4, 13)

    `switches` turns parts of the search off, to study them (see `default_switches`). For Quoridor,
    `weights` replaces weights of the evaluation by name (see `default_weights`), and `draw_score`
    is the score of a draw for the player who searches, in hundredths of a step (default -20). For
    Reversi, `evaluator` is "patterns" (default) or "classic". Late positions of Reversi are solved
    if there is time; their score is then exact.

    With a `game`, the options are checked and the table is allocated at once, otherwise at the
    first search.

    `stop` may be called from any thread. `clear`, `deepest`, `recall` and another `search` wait for
    a running search; in `on_progress` they raise a RuntimeError.
    """

    def __init__(
        self,
        hash_mb: int = 64,
        threads: int = 1,
        weights: Mapping[str, int] | None = None,
        switches: Mapping[str, bool] | None = None,
        draw_score: int | None = None,
        evaluator: str | None = None,
        game: AnyGame | str | None = None,
    ) -> None:
        check_range("hash_mb", hash_mb, 1, MOST_HASH_MB)
        check_range("threads", threads, 1, MOST_THREADS)
        if draw_score is not None:
            check_range("draw_score", draw_score, -MOST_DRAW_SCORE, MOST_DRAW_SCORE)
        self._size = (hash_mb, threads)
        given = {
            "weights": weights,
            "switches": switches,
            "draw_score": draw_score,
            "evaluator": evaluator,
        }
        self._options = {name: value for name, value in given.items() if value is not None}
        self._native: NativeEngine[State] | None = None
        self._game: AnyGame | None = None
        if game is not None:
            self._set_up(registry.find(game))
        elif not self._options:
            self._set_up(registry.default())

    def search(
        self,
        state: State,
        limits: SearchLimits | None = None,
        on_progress: Callable[[SearchResult], object] | None = None,
    ) -> SearchResult:
        """Search until a limit (by default one second), Ctrl-C or `stop`.

        `on_progress` is called with the result so far after each depth and about 20 times a second;
        an exception that it raises ends the search.
        """
        limits = limits or DEFAULT_LIMITS
        if limits.simulations is not None:
            raise ConfigError("the alpha-beta engine has no simulations; limit its nodes instead")
        native = self._set_up(state.game)
        parts = None if limits.clock_s is None else state.game.clock_parts(state, limits.clock_s)
        time_s, start_s = limits.time_budget(parts)
        report: Callable[[Report], object] | None = None
        if on_progress is not None:

            def report(known: Report) -> object:
                return on_progress(SearchResult.from_report(known, state))

        found = native.search(state, time_s, start_s, limits.nodes, limits.depth, report)
        return SearchResult.from_report(found, state)

    def stop(self) -> None:
        """End the running search soon; it returns what it has found. Safe from any thread."""
        if (native := self._native) is not None:
            native.stop()

    def deepest(self, most: int = 1024) -> bytes:
        """The deepest entries of the table after the last search, 16 bytes each, for `recall`."""
        return b"" if (native := self._native) is None else native.deepest(most)

    def recall(self, kept: bytes, game: AnyGame) -> None:
        """Load into the table what `deepest` returned in the same version."""
        self._set_up(game).recall(kept)

    def clear(self) -> None:
        """Clear the table."""
        if (native := self._native) is not None:
            native.clear()

    def close(self) -> None:
        """Free the table, which a later search would allocate again."""
        self._native = self._game = None

    def _set_up(self, game: AnyGame) -> NativeEngine[State]:
        """The core's engine for a game; a new one if the last was for another game."""
        if self._native is None or self._game is not game:
            hash_mb, threads = self._size
            try:
                native = game.make_engine(hash_mb, threads, **self._options)
            except MemoryError:
                raise ConfigError(f"not enough memory for hash_mb {hash_mb}") from None
            self._native, self._game = native, game
        return self._native


def default_switches(game: AnyGame | str | None = None) -> dict[str, bool]:
    """The parts of the engine's search that can be switched off, with their defaults."""
    return registry.find(game).engine_switches()
