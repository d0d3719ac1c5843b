"""The full alpha-beta search. How it works is told in docs/search.md."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

from plyground import _core
from plyground.errors import ConfigError
from plyground.games import quoridor, reversi
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult
from plyground.search.reversi_patterns import shipped_patterns

State = quoridor.State | reversi.State

DEFAULT_LIMITS = SearchLimits(time_s=1.0)
_OVERHEAD_S = 0.01
"""Kept back from a player's clock for everything around the search."""


class Engine:
    """An alpha-beta searcher for one game, with its table and threads.

    It keeps what it learnt between searches.

    >>> engine = Engine(hash_mb=1)
    >>> result = engine.search(quoridor.State(), SearchLimits(depth=4))
    >>> result.depth, result.best_move
    (4, 13)

    `switches` turns parts of the search off, to study them (see `default_switches`).

    Quoridor: scores are in hundredths of a step. `weights` replaces weights of the evaluation by
    name (see `default_weights`), and `draw_score` is what a draw is worth to the player who
    searches (by default -20).

    Reversi: scores are in discs. The `evaluator` is "patterns" (by default) or "classic". When few
    squares are empty and there is time, the game is solved, and the result says `exact`.
    """

    def __init__(
        self,
        hash_mb: int = 64,
        threads: int = 1,
        weights: Mapping[str, int] | None = None,
        switches: Mapping[str, bool] | None = None,
        draw_score: int | None = None,
        game: str = "quoridor",
        evaluator: str | None = None,
    ) -> None:
        self._core: Any
        if game == "quoridor":
            if evaluator is not None:
                raise ConfigError("Quoridor has one evaluator; leave out 'evaluator'")
            draw = -20 if draw_score is None else draw_score
            self._core = _core.QuoridorEngine(
                hash_mb, threads, dict(weights or {}), dict(switches or {}), draw
            )
        elif game == "reversi":
            if weights or draw_score is not None:
                raise ConfigError("'weights' and 'draw_score' are Quoridor's; Reversi has neither")
            patterns = _patterns_for(evaluator)
            self._core = _core.ReversiEngine(hash_mb, threads, patterns, dict(switches or {}))
        else:
            raise ConfigError(f"expected the game 'quoridor' or 'reversi', got {game!r}")
        self._pondering: threading.Thread | None = None

    def search(
        self,
        state: State,
        limits: SearchLimits | None = None,
        on_progress: Callable[[SearchResult], object] | None = None,
    ) -> SearchResult:
        """Search until a limit is met (by default one second), Ctrl-C or `stop`.

        `on_progress` is called with the result so far after each depth and every few hundredths of
        a second; whatever it raises ends the search and is raised here.
        """
        self.stop_pondering()
        return self._search(state, limits, on_progress)

    def ponder(self, state: State) -> None:
        """Search in the background until `stop_pondering`, to fill the table for what follows."""
        self.stop_pondering()
        if state.game_over:
            return
        unlimited = SearchLimits(depth=1000)
        self._pondering = threading.Thread(
            target=self._search, args=(state, unlimited), name="plyground-ponder", daemon=True
        )
        self._pondering.start()

    def stop_pondering(self) -> None:
        """End the search in the background, if there is one, and wait until it has ended."""
        if self._pondering is not None:
            while self._pondering.is_alive():
                self._core.stop()
                self._pondering.join(timeout=0.005)
            self._pondering = None

    def stop(self) -> None:
        """End the running search soon; it returns what it has found. Safe from any thread."""
        self._core.stop()

    def deepest(self, most: int = 1024) -> bytes:
        """The deepest results of the last search, as bytes that `recall` takes, 16 for each."""
        self.stop_pondering()
        kept: bytes = self._core.deepest(most)
        return kept

    def recall(self, kept: bytes) -> None:
        """Take over what `deepest` gave in the same version: a search then starts from there."""
        self.stop_pondering()
        self._core.recall(kept)

    def clear(self) -> None:
        """Forget what earlier searches found."""
        self.stop_pondering()
        self._core.clear()

    def _search(
        self,
        state: State,
        limits: SearchLimits | None,
        on_progress: Callable[[SearchResult], object] | None = None,
    ) -> SearchResult:
        limits = limits or DEFAULT_LIMITS
        if limits.simulations is not None:
            raise ConfigError("the alpha-beta engine knows no simulations; limit its nodes instead")
        time_s, start_s = time_budget(limits)
        report: Callable[[dict[str, Any]], object] | None = None
        if on_progress is not None:

            def report(known: dict[str, Any]) -> object:
                return on_progress(SearchResult(**known))

        return SearchResult(
            **self._core.search(state, time_s, start_s, limits.nodes, limits.depth, report)
        )


def default_weights() -> dict[str, int]:
    """The weights of Quoridor's evaluation, in hundredths of a step."""
    return _core.quoridor_weights()


def default_switches(game: str = "quoridor") -> dict[str, bool]:
    """The parts of the search that can be switched."""
    return _core.reversi_switches() if game == "reversi" else _core.quoridor_switches()


def features(state: quoridor.State) -> dict[str, int]:
    """Quoridor's evaluation terms, for the side to move; the score is their weighted sum.

    >>> features(quoridor.State())["tempo"]
    1
    """
    return _core.quoridor_features(state)


def _patterns_for(evaluator: str | None) -> _core.ReversiPatterns | None:
    if evaluator in (None, "patterns"):
        return shipped_patterns()
    if evaluator == "classic":
        return None
    raise ConfigError(f"expected the evaluator 'patterns' or 'classic', got {evaluator!r}")


def time_budget(limits: SearchLimits) -> tuple[float | None, float | None]:
    """Seconds after which a search must end, and after which it starts no new depth.

    With a clock, a move may take about a twentieth of what is left and most of the increment; three
    times that if the search is in the middle of a depth, and never what would lose on time.
    """
    if limits.clock_s is None:
        return limits.time_s, None
    left = max(limits.clock_s - _OVERHEAD_S, 0.001)
    aim = min(left / 20 + 0.8 * limits.increment_s, left / 2)
    hard = min(3 * aim, left / 2)
    if limits.time_s is not None:
        hard = min(hard, limits.time_s)
    return hard, aim / 2
