"""Look at the analysis cache, or empty it.

What is worked out in games and analyses is kept in one file and not worked out twice.

Example: plyground cache info
"""

from __future__ import annotations

import argparse
import json

from plyground.analysis.cache import MOST_ROWS, AnalysisCache


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.add_argument("action", choices=("info", "clear"), help="what to do")
    parser.add_argument("--json", action="store_true", help="print the facts as a JSON object")


def run(args: argparse.Namespace) -> int:
    """Tell about the cache, after clearing it if that was asked for."""
    with AnalysisCache() as cache:
        forgotten = len(cache)
        if args.action == "clear":
            cache.clear()
        facts = {
            "file": str(cache.path),
            "positions": len(cache),
            "most": MOST_ROWS,
            "bytes": cache.size_bytes(),
        }
    if args.action == "clear":
        facts["forgotten"] = forgotten
    if args.json:
        print(json.dumps(facts))
        return 0
    for name, value in facts.items():
        print(f"{name}: {value if isinstance(value, str) else f'{value:,}'}")
    return 0
