"""Facts about the machine."""

from __future__ import annotations

import os
import platform
from pathlib import Path


def available_cores() -> int:
    """The number of cores this process may use, which can be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS and Windows
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def cpu_name() -> str:
    """The processor's name, which the platform module does not know on Linux."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or "unknown"
