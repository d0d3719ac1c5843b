"""A search on a thread of its own, which can be stopped at any moment and tells when it ends."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from plyground.agents.base import Thinker
from plyground.search.limits import SearchLimits
from plyground.search.result import SearchResult

UNLIMITED = SearchLimits(time_s=1e9)
"""For a search that somebody will stop."""


class _Stopped(Exception):  # noqa: N818  nobody's mistake
    """Ends the search of an agent that knows no other way."""


class Thinking:
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
        self._on_progress = on_progress
        self._on_end = on_end
        self.holds = holds
        self._stop = threading.Event()
        self._is_dropped = False
        self._latest: SearchResult | None = None
        self.is_running = True
        """Until it has ended; its answer is on its way then."""
        self._thread = threading.Thread(target=self._run, name="plyground-search", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End it soon, with the best that was found."""
        self._stop.set()

    @property
    def is_stopped(self) -> bool:
        """Whether it was told to end, and will soon."""
        return self._stop.is_set()

    def wait(self) -> None:
        """Until whoever asked has heard of its end."""
        self._thread.join()

    def drop(self) -> None:
        """End it soon and wait for that; nobody hears what was not told yet."""
        self._is_dropped = True
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
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
        self.is_running = False
        if not self._is_dropped:
            self._on_end(found)

    def _progress(self, result: SearchResult) -> None:
        self._latest = result
        if not self._stop.is_set():
            self._on_progress(result)
            return
        stop = getattr(self.agent, "stop", None)
        if stop is None:
            raise _Stopped
        stop()  # from within, so that it cannot come before the search has begun
