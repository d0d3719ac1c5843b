"""Calls of native libraries on daemon threads, which must not be running when Python exits.

A library that releases the interpreter lock asks for it again at the end of a call. If Python has
exited meanwhile, the thread is terminated inside the library, which aborts the process. The native
core guards itself (cpp/bind/interpreter_lock.h); this is the same for other libraries.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

LONGEST_S = 5.0
"""Seconds to wait for running calls at exit."""


class ExitGuard:
    """Counts calls in progress. At exit it waits for them, and daemon threads begin no more."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running = 0
        self._ending = False

    @contextmanager
    def call(self) -> Iterator[None]:
        """A call of a native library."""
        with self._changed:
            is_late = self._ending and threading.current_thread().daemon
            self._running += not is_late
        while is_late:
            time.sleep(3600)  # until the process ends
        try:
            yield
        finally:
            with self._changed:
                self._running -= 1
                self._changed.notify_all()

    def end(self) -> None:
        """Wait for the calls in progress."""
        with self._changed:
            self._ending = True
            self._changed.wait_for(lambda: self._running == 0, LONGEST_S)


EXIT_GUARD = ExitGuard()
atexit.register(EXIT_GUARD.end)
