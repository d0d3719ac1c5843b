"""Work on a thread of its own that ends soon after it is told to stop."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Generic, TypeVar

Result = TypeVar("Result")


class BackgroundJob(ABC, Generic[Result]):
    """Runs `_work` on a thread and passes its result to `on_end`, on the same thread.

    The thread starts in the constructor, so subclasses set their attributes before they call it.
    """

    waits_for_stop = False
    """Whether the job keeps its result until it is stopped."""

    def __init__(self, name: str, on_end: Callable[[Result], object]) -> None:
        self._on_end = on_end
        self._stop = threading.Event()
        self._is_cancelled = False
        self.is_running = True
        """False once the work has ended, shortly before `on_end` is called."""
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    @property
    def is_stopped(self) -> bool:
        """Whether the job was told to stop, and will soon."""
        return self._stop.is_set()

    def stop(self) -> None:
        """End the work soon, with the best result so far."""
        self._stop.set()

    def wait(self) -> None:
        """Wait until `on_end` has returned."""
        self._thread.join()

    def cancel(self, wait_s: float | None = None) -> None:
        """End the work soon without calling `on_end`, and wait for its end, at most that long."""
        self._is_cancelled = True
        self.stop()
        self._thread.join(wait_s)

    @abstractmethod
    def _work(self) -> Result:
        """Do the work; check `is_stopped` now and then."""

    def _run(self) -> None:
        result = self._work()
        self.is_running = False
        if not self._is_cancelled:
            self._on_end(result)
