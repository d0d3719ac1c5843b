"""Show the size of the caches, or clear them.

Games and analyses keep the results of searches in one file and reuse them. The agent
minimax:order=dijkstra keeps best moves, evaluations and children of positions in another.

Example: plyground cache info
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping

from plyground.analysis.cache import MOST_ROWS, AnalysisCache
from plyground.search.quoridor_minimax_cache import (
    MOST_BEST_MOVES,
    MOST_BYTES,
    MinimaxCache,
    default_path,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.add_argument(
        "action", choices=("info", "clear"), help="show their size, or delete their content"
    )
    parser.add_argument("--json", action="store_true", help="print the facts as a JSON object")


def run(args: argparse.Namespace) -> int:
    """Print the size of both files, after clearing them if that was asked for."""
    clear = args.action == "clear"
    analysis, minimax = analysis_facts(clear), minimax_facts(clear)
    if args.json:
        print(json.dumps({**analysis, "minimax": minimax}))
        return 0
    print_facts("analysis", analysis)
    print()
    print_facts("minimax:order=dijkstra", minimax)
    return 0


def analysis_facts(clear: bool) -> dict[str, str | int]:
    """The file of analyses."""
    with AnalysisCache() as cache:
        before = len(cache)
        if clear:
            cache.clear()
        facts: dict[str, str | int] = {
            "file": str(cache.path),
            "positions": len(cache),
            "most": MOST_ROWS,
            "bytes": cache.size_bytes(),
        }
    return facts | ({"deleted": before} if clear else {})


def minimax_facts(clear: bool) -> dict[str, str | int]:
    """The three caches of the minimax opponent."""
    with MinimaxCache(path := default_path()) as cache:
        before = cache.sizes()
        if clear:
            cache.clear()
        sizes = cache.sizes()
    facts: dict[str, str | int] = {
        "file": str(path),
        "best_moves": sizes.best_moves,
        "most_best_moves": MOST_BEST_MOVES,
        "evaluations": sizes.evaluations,
        "children": sizes.children,
        "most_bytes_of_each": MOST_BYTES,
        "bytes": sizes.bytes,
    }
    return facts | ({"deleted": before.best_moves} if clear else {})


def print_facts(title: str, facts: Mapping[str, str | int]) -> None:
    """Print a title and a line for each fact."""
    print(f"{title}:")
    for name, value in facts.items():
        shown = value if isinstance(value, str) else f"{value:,}"
        print(f"  {name.replace('_', ' ')}: {shown}")
