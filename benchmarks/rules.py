"""Measure the rules: the same as `plyground bench rules`, with the same options.

The measurements are in `plyground.bench.rules`, so they also work in an installed package.
"""

import sys

from plyground.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main(["bench", "rules", *sys.argv[1:]]))
