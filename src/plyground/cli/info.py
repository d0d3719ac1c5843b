"""Show the versions, the build of the native core and the machine, for a bug report.

Example: plyground info --json
"""

from __future__ import annotations

import argparse
import json
import platform
from importlib.metadata import version

from plyground import __version__, _core
from plyground.machine import available_cores, cpu_name


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Print the facts."""
    facts = collect()
    if args.json:
        print(json.dumps(facts))
    else:
        for name, value in facts.items():
            print(f"{name + ':':<12} {value}")
    return 0


def collect() -> dict[str, str | int]:
    """The facts by name."""
    build = _core.build_info()
    return {
        "plyground": __version__,
        "core": f"{build['compiler']}, {build['build_type']}, for {build['processor']}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "numpy": version("numpy"),
        "system": f"{platform.system()} {platform.machine()}",
        "cpu": cpu_name(),
        "cores": available_cores(),
    }
