"""Show versions, how the native core was built, and the machine: what a bug report needs.

Example: plyground info --json
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from importlib.metadata import version
from pathlib import Path

from plyground import __version__, _core


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Print what `collect` finds."""
    facts = collect()
    if args.json:
        print(json.dumps(facts))
    else:
        for name, value in facts.items():
            print(f"{name + ':':<12} {value}")
    return 0


def collect() -> dict[str, str | int]:
    """The facts, by name."""
    build = _core.build_info()
    return {
        "plyground": __version__,
        "core": f"{build['compiler']}, {build['build_type']}, for {build['processor']}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "numpy": version("numpy"),
        "system": f"{platform.system()} {platform.machine()}",
        "cpu": cpu_name(),
        "cores": usable_cores(),
    }


def cpu_name() -> str:
    """What the processor calls itself; the platform module does not know on Linux."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or "unknown"


def usable_cores() -> int:
    """Cores this process may use, which can be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
