"""Measure the searches: the same as `plyground bench search`, with the same options.

The measurements are in `plyground.bench.quoridor_search`, so an installed package has them too.
"""

import sys

from plyground.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main(["bench", "search", *sys.argv[1:]]))
