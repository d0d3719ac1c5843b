"""An agent's search on a thread of its own, which can be stopped at any moment."""

from __future__ import annotations

from collections.abc import Callable

from plyground.agents.base import Agent, Progress
from plyground.games.base import State
from plyground.search.limits import MOST_SECONDS, SearchLimits
from plyground.search.result import SearchResult
from plyground.serve.background_job import BackgroundJob

UNLIMITED = SearchLimits(time_s=MOST_SECONDS)
"""The limits of a search that ends by `stop`."""
STOPPED = SearchLimits(time_s=0.001)
"""The limits of a search that was stopped before it began."""


class _SearchStopped(Exception):  # noqa: N818  not an error
    """Ends the search of an agent that does not end it by `Agent.stop`."""


class SearchJob(BackgroundJob[SearchResult | Exception]):
    """A search of one position.

    `on_progress` receives the result so far, and `on_end` the final result or the exception, both
    on the search's thread. With `waits_for_stop` the result is kept until `stop`, even if nothing
    is left to search.
    """

    def __init__(
        self,
        agent: Agent,
        state: State,
        limits: SearchLimits | None,
        on_progress: Progress,
        on_end: Callable[[SearchResult | Exception], object],
        waits_for_stop: bool = False,
    ) -> None:
        self._agent = agent
        self._state = state
        self._limits = limits
        self.waits_for_stop = waits_for_stop
        self._on_progress = on_progress
        self._latest: SearchResult | None = None
        self._asked_to_stop = False
        super().__init__("plyground-search", on_end)

    def stop(self) -> None:
        """End the search soon, even if it reports no progress."""
        super().stop()
        self._agent.stop()

    def _work(self) -> SearchResult | Exception:
        found: SearchResult | Exception
        limits = STOPPED if self.is_stopped else self._limits
        try:
            found = self._agent.search(self._state, limits, self._progress)
        except _SearchStopped:
            assert self._latest is not None
            found = self._latest
        except Exception as error:  # noqa: BLE001  handed to the caller
            found = error
        if self.waits_for_stop and not isinstance(found, Exception):
            self._stop.wait()
        return found

    def _progress(self, result: SearchResult) -> None:
        self._latest = result
        if not self.is_stopped:
            self._on_progress(result)
        elif self._asked_to_stop:
            raise _SearchStopped
        else:
            # Called again here, since `stop` may have come before the search began.
            self._asked_to_stop = True
            self._agent.stop()
