"""Measure the searches: `python benchmarks/search.py` is `plyground bench search`, options and all.

The measurements are in `plyground.bench.search`, so that an installed package can take them too.
"""

import sys

from plyground.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main(["bench", "search", *sys.argv[1:]]))
