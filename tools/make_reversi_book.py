"""Grow Reversi's opening book by deep searches, and pack it for the package.

    python tools/make_reversi_book.py book.jsonl --positions 3000
    python tools/make_reversi_book.py book.jsonl --pack

The first command searches the moves of one position after another and appends a line to the file
for each. It continues where an earlier run stopped. Ctrl-C is safe at any time. The second command
writes src/plyground/data/reversi-book.bin.xz, with scores that are propagated from the end of every
line by minimax.

The next position is the one that costs least to reach: the sum of what the moves on the way to it
lose, in discs, and PLY_COST for each ply. So the book grows in depth and in width. The losses of
one of the players, the one that plays from the book, may be weighted by OWN_WEIGHT.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import dataclass, field
from heapq import heappop, heappush
from pathlib import Path
from typing import TypeAlias

from plyground.games.book_position import BookPosition
from plyground.games.reversi import State
from plyground.search import Engine, SearchLimits
from plyground.search.scored_book import ScoredBook, key_of

GLANCE_DEPTH, DEPTH = 10, 20
"""Plies of the first search of every move, and of the search of the good ones."""
MARGIN = 4.0
"""Discs below the best move at which a move is left out."""
OWN_WEIGHT, PLY_COST = 1.0, 0.8
"""Costs of a position; guessed."""
MOST_DISCS = 34
"""Discs on the board of the latest positions."""
HASH_MB = 128
REPORT_S = 10.0
"""Seconds between two lines of progress."""

PACKED = Path(__file__).parents[1] / "src" / "plyground" / "data" / "reversi-book.bin.xz"

Children: TypeAlias = dict[int, str]
"""The positions after the moves of a position, by move."""


@dataclass
class Tree:
    """Positions in the orientation of books: those whose moves were searched, and their ends."""

    root: str = BookPosition(State()).text
    children: dict[str, Children] = field(default_factory=dict)
    leaves: dict[str, float] = field(default_factory=dict)
    """Scores of all positions that were searched, for the player to move."""

    def add(self, position: str, moves: dict[int, tuple[str, float]]) -> None:
        """Add the moves of a position, each with the position after it and that one's score."""
        self.children[position] = {move: after for move, (after, _) in moves.items()}
        self.leaves.update(moves.values())

    def values(self) -> dict[str, float]:
        """The scores of all positions by minimax, for the player to move."""
        values = dict(self.leaves)
        for position in sorted(self.children, key=_progress, reverse=True):
            values[position] = max(-values[after] for after in self.children[position].values())
        return values

    def next_position(self) -> str | None:
        """The position with the lowest cost among those whose moves were not searched."""
        values = self.values() if self.children else {}
        found = [self._nearest(values, user) for user in "XO"]
        return min((each for each in found if each is not None), default=(0.0, None))[1]

    def _nearest(self, values: dict[str, float], user: str) -> tuple[float, str] | None:
        heap, done = [(0.0, self.root)], set[str]()
        while heap:
            cost, position = heappop(heap)
            if position not in self.children:
                if _is_worth_searching(position):
                    return cost, position
                continue
            if position in done:
                continue
            done.add(position)
            weight = OWN_WEIGHT if position[-1] == user else 1.0
            for after in self.children[position].values():
                loss = values[position] + values[after]
                heappush(heap, (cost + weight * loss + PLY_COST, after))
        return None


def _progress(position: str) -> tuple[int, int]:
    """A key that sorts positions after those that they arise from."""
    state = State.parse(position)
    return sum(state.counts.values()), 0 if state.is_legal(64) else 1


def _is_worth_searching(position: str) -> bool:
    return sum(State.parse(position).counts.values()) <= MOST_DISCS


def search_moves(engine: Engine, tree: Tree, position: str) -> dict[int, tuple[str, float]]:
    """The good moves of a position, each with the position after it and that one's score."""
    state = State.parse(position)
    turned = BookPosition(state)
    afters: Children = {}
    for action in state.legal_actions():
        if turned.move(action) == action and state.play(action).outcome is None:
            afters.setdefault(action, BookPosition(state.play(action)).text)
    glances = {move: _score(engine, after, GLANCE_DEPTH) for move, after in afters.items()}
    best = min(glances.values())
    return {
        move: (after, tree.leaves[after] if after in tree.leaves else _score(engine, after, DEPTH))
        for move, after in afters.items()
        if glances[move] <= best + MARGIN
    }


def _score(engine: Engine, position: str, depth: int) -> float:
    score = engine.search(State.parse(position), SearchLimits(depth=depth)).score
    assert score is not None
    return score.value


def read_tree(path: Path) -> Tree:
    """The tree in a file."""
    tree = Tree()
    for line in path.read_text().splitlines():
        found = json.loads(line)
        moves = {int(move): (after, score) for move, (after, score) in found["moves"].items()}
        tree.add(found["position"], moves)
    return tree


def drop_incomplete_line(path: Path) -> None:
    """Cut off the last line of a file if a crash kept it from being written whole."""
    if path.is_file():
        text = path.read_text()
        path.write_text(text[: text.rfind("\n") + 1])
    else:
        path.touch()


def grow(path: Path, positions: int) -> None:
    """Search positions until the file has enough of them."""
    drop_incomplete_line(path)
    tree, engine = read_tree(path), Engine(HASH_MB, game="reversi")
    due = 0.0
    with path.open("a") as file:
        while len(tree.children) < positions:
            position = tree.next_position()
            if position is None:
                break
            moves = search_moves(engine, tree, position)
            file.write(json.dumps({"position": position, "moves": moves}) + "\n")
            file.flush()
            tree.add(position, moves)
            if time.monotonic() >= due:
                due = time.monotonic() + REPORT_S
                _report(tree, positions)


def scored_book(tree: Tree) -> ScoredBook:
    """The moves of all positions, with their scores by minimax."""
    values = tree.values()
    moves = {}
    for position, children in tree.children.items():
        scores = [(move, -values[after]) for move, after in children.items()]
        moves[key_of(BookPosition(State.parse(position)))] = sorted(
            scores, key=lambda each: -each[1]
        )
    assert len(moves) == len(tree.children), "two positions have the same key"
    return ScoredBook(moves)


def _report(tree: Tree, positions: int) -> None:
    value = tree.values()[tree.root]
    text = f"{len(tree.children)} of {positions} positions, {len(tree.leaves)} searched"
    print(f"\r{text}, start {value:+.1f}", end="", file=sys.stderr, flush=True)


def main() -> None:
    """Grow the book, or pack it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--positions", type=int, default=3000)
    parser.add_argument("--pack", action="store_true")
    args = parser.parse_args()
    if args.pack:
        packed = scored_book(read_tree(args.file)).pack()
        PACKED.write_bytes(packed)
        print(f"{PACKED}: {len(packed):,} bytes")
        return
    try:
        grow(args.file, args.positions)
    except KeyboardInterrupt:
        print("\nstopped; the same command continues", file=sys.stderr)


if __name__ == "__main__":
    main()
