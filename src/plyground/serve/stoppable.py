"""Work on a thread of its own, which ends soon after it is told to."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Generic, TypeVar

Found = TypeVar("Found")


class Stoppable(ABC, Generic[Found]):
    """Does its `_work`, and tells `on_end` what came of it, on the work's thread.

    It begins as soon as it is made, so what the work needs has to be there before.
    """

    holds = False
    """Whether it keeps its answer until it is stopped."""

    def __init__(self, name: str, on_end: Callable[[Found], object]) -> None:
        self._on_end = on_end
        self._stop = threading.Event()
        self._is_dropped = False
        self.is_running = True
        """Until it has ended; its answer is on its way then."""
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    @property
    def is_stopped(self) -> bool:
        """Whether it was told to end, and will soon."""
        return self._stop.is_set()

    def stop(self) -> None:
        """End it soon, with the best that was found."""
        self._stop.set()

    def wait(self) -> None:
        """Until whoever asked has heard of its end."""
        self._thread.join()

    def drop(self) -> None:
        """End it soon and wait for that; nobody hears what was not told yet."""
        self._is_dropped = True
        self._stop.set()
        self._thread.join()

    @abstractmethod
    def _work(self) -> Found:
        """What takes its time, with a look at `is_stopped` now and then."""

    def _run(self) -> None:
        found = self._work()
        self.is_running = False
        if not self._is_dropped:
            self._on_end(found)
