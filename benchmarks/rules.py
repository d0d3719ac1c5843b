"""Measure the rules: `python benchmarks/rules.py` is `plyground bench rules`, options and all.

The measurements are in `plyground.bench.rules`, so that an installed package can take them too.
"""

import sys

from plyground.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main(["bench", "rules", *sys.argv[1:]]))
