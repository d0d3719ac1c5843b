"""A search on a thread of its own, which can be stopped at any moment and tells when it ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from plyground.agents.base import Thinker
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult
from plyground.serve.stoppable import Stoppable

UNLIMITED = SearchLimits(time_s=1e9)
"""For a search that somebody will stop."""


class _Stopped(Exception):  # noqa: N818  nobody's mistake
    """Ends the search of an agent that knows no other way."""


class Thinking(Stoppable[SearchResult | Exception]):
    """What an agent is thinking about.

    `on_progress` hears what is known so far, `on_end` what was found, both on the search's thread.
    One that `holds` keeps its answer until it is stopped, even if there is nothing left to find.
    """

    def __init__(
        self,
        agent: Thinker,
        state: Any,
        limits: SearchLimits | None,
        on_progress: Callable[[SearchResult], object],
        on_end: Callable[[SearchResult | Exception], object],
        holds: bool = False,
    ) -> None:
        self.agent = agent
        self.state = state
        self.limits = limits
        self.holds = holds
        self._on_progress = on_progress
        self._latest: SearchResult | None = None
        super().__init__("plyground-search", on_end)

    def _work(self) -> SearchResult | Exception:
        found: SearchResult | Exception
        try:
            found = self.agent.search(self.state, self.limits, self._progress)
        except _Stopped:
            assert self._latest is not None
            found = self._latest
        except Exception as error:  # noqa: BLE001  handed to whoever asked
            found = error
        if self.holds and not isinstance(found, Exception):
            self._stop.wait()
        return found

    def _progress(self, result: SearchResult) -> None:
        self._latest = result
        if not self.is_stopped:
            self._on_progress(result)
            return
        stop = getattr(self.agent, "stop", None)
        if stop is None:
            raise _Stopped
        stop()  # from within, so that it cannot come before the search has begun
