"""Waiting for what other threads and processes do."""

from __future__ import annotations

import time
from collections.abc import Callable

LONGEST_S = 60.0
"""Seconds: far longer than anything takes on a busy machine."""


def wait_until(is_so: Callable[[], object]) -> None:
    """Return once something is so; an assertion fails if that never happens."""
    deadline = time.monotonic() + LONGEST_S
    while not is_so():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.01)
