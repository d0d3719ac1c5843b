"""Openings of Reversi: the XOT list of eight plies after which neither side is far ahead.

The list is in `data/reversi-openings.txt.xz`, a line each, sorted, which packs best.
"""

from __future__ import annotations

import lzma
import random
from functools import reduce
from importlib.resources import files

from plyground.games.reversi import State, parse_transcript


def xot_openings(count: int, rng: random.Random) -> list[State]:
    """At most `count` different lines of the XOT list, in random order."""
    lines = xot_lines()
    return [
        reduce(State.play, parse_transcript(line), State())
        for line in rng.sample(lines, min(count, len(lines)))
    ]


def xot_lines() -> list[str]:
    """The lines of the XOT list as transcripts."""
    packed = (files("plyground") / "data" / "reversi-openings.txt.xz").read_bytes()
    return lzma.decompress(packed).decode().splitlines()
