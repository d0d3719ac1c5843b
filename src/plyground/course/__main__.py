"""Run an agent of the course with our `quoridor` and `minimax` in place of the course's.

    python -m plyground.course my_agent.py -p 8000

The file is run as it is. Options after it are its own.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from plyground.course import minimax, quoridor
from plyground.errors import ConfigError


def run(arguments: list[str]) -> None:
    """Run the file that the first argument names."""
    if not arguments or arguments[0].startswith("-"):
        raise ConfigError("expected an agent: python -m plyground.course my_agent.py -p 8000")
    path = Path(arguments[0])
    if not path.is_file():
        raise ConfigError(f"cannot read {path}: no such file")
    for module in (quoridor, minimax):
        sys.modules[module.__name__.rpartition(".")[2]] = module
    sys.argv = arguments
    sys.path.insert(0, str(path.parent.resolve()))
    runpy.run_path(str(path), run_name="__main__")


if __name__ == "__main__":
    try:
        run(sys.argv[1:])
    except ConfigError as problem:
        sys.exit(f"plyground.course: {problem}")
