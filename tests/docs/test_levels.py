"""The pages name every level, and the matches between neighbours are as even as they say."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

from plyground.games import registry
from plyground.games.levels import LEVEL_NAMES

DOCS = Path(__file__).parents[2] / "docs"
MATCH = re.compile(r"^\| `(\w+) (\w+)`[^|]*\| (\d+) \| \+(\d+) =(\d+) -(\d+), ([0-9.]+)%", re.M)


def section(page: str, title: str) -> str:
    text = (DOCS / page).read_text(encoding="utf-8")
    return text.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def test_every_level_wins_75_to_90_percent_against_the_one_below() -> None:
    matches = MATCH.findall(section("results.md", "Levels"))
    neighbours = [(higher, lower) for lower, higher in pairwise(LEVEL_NAMES)]
    assert [tuple(match[:2]) for match in matches] == neighbours * len(registry.games())
    for *_, games, won, drawn, lost, score in matches:
        assert int(won) + int(drawn) + int(lost) == int(games)
        points = int(won) + int(drawn) / 2
        assert abs(100 * points / int(games) - float(score)) <= 0.05
        assert 75 <= float(score) <= 90


def test_the_levels_are_listed_from_weak_to_strong() -> None:
    text = section("playing.md", "Levels")
    assert re.findall(r"`(\w+)`", text.split(". Each wins")[0].replace("(or `medium`)", "")) == [
        *LEVEL_NAMES
    ]
