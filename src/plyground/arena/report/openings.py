"""The tree of openings: which moves were played from each position, how often, and who won."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from plyground.play import Record

DEPTH = 6
"""Plies of each game in the tree, after its opening."""
USUAL_START = "the usual start"


@dataclass(slots=True)
class OpeningNode:
    """Games with the same beginning. The root has all games, its children their start positions."""

    games: int = 0
    points: float = 0.0
    """Points of player 1."""
    children: dict[str, OpeningNode] = field(default_factory=dict)

    @property
    def score(self) -> float:
        """Player 1's share of the points; one half without games."""
        return self.points / self.games if self.games else 0.5

    def add(self, record: Record, points: float, depth: int = DEPTH) -> None:
        """Count a game, with the points of player 1."""
        node = self
        node._count(points)
        start = USUAL_START if record.start is None else record.start
        for name in (start, *(move.text for move in record.moves[:depth])):
            node = node.children.setdefault(name, OpeningNode())
            node._count(points)

    def _count(self, points: float) -> None:
        self.games += 1
        self.points += points

    def most_played(self, most: int) -> Iterator[tuple[str, OpeningNode]]:
        """The most frequent children, ties by name."""
        ordered = sorted(self.children.items(), key=lambda item: (-item[1].games, item[0]))
        yield from ordered[:most]
