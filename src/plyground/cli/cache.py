"""Show the size of the analysis cache, or clear it.

Games and analyses keep the results of searches in one file and reuse them.

Example: plyground cache info
"""

from __future__ import annotations

import argparse
import json

from plyground.analysis.cache import MOST_ROWS, AnalysisCache


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.add_argument(
        "action", choices=("info", "clear"), help="show its size, or delete its content"
    )
    parser.add_argument("--json", action="store_true", help="print the facts as a JSON object")


def run(args: argparse.Namespace) -> int:
    """Print the size of the cache, after clearing it if that was asked for."""
    with AnalysisCache() as cache:
        before = len(cache)
        if args.action == "clear":
            cache.clear()
        facts = {
            "file": str(cache.path),
            "positions": len(cache),
            "most": MOST_ROWS,
            "bytes": cache.size_bytes(),
        }
    if args.action == "clear":
        facts["deleted"] = before
    if args.json:
        print(json.dumps(facts))
        return 0
    for name, value in facts.items():
        print(f"{name}: {value if isinstance(value, str) else f'{value:,}'}")
    return 0
