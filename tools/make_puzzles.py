"""Find puzzles in self-play games, and pack them for the package.

    python tools/make_puzzles.py puzzles.jsonl
    python tools/make_puzzles.py puzzles.jsonl --pack

The first command plays games between engines that sometimes move at random, looks for positions
with a single winning move (analysis/puzzle_finder.py), and appends them to the file, a line each.
It goes on where an earlier run stopped, until every kind of puzzle is complete. Ctrl-C is safe at
any time. The second command grades the puzzles and writes src/plyground/data/puzzles.txt.xz.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

from plyground import quoridor, reversi
from plyground.agents.base import Agent
from plyground.agents.quoridor_pathfinder import PathfinderAgent
from plyground.agents.spec import make
from plyground.analysis.proof import Prover
from plyground.analysis.puzzle import Puzzle, pack_puzzles
from plyground.analysis.puzzle_finder import find_line
from plyground.analysis.puzzle_grading import grade
from plyground.analysis.quoridor_proof import QuoridorProver
from plyground.analysis.quoridor_themes import is_jump
from plyground.analysis.reversi_proof import ReversiProver
from plyground.games import registry
from plyground.games.base import State
from plyground.games.lines import format_line
from plyground.search import Engine, SearchLimits

OPENING, ENDING = SearchLimits(nodes=60), SearchLimits(nodes=1_000)
"""Searches of the players; a win that they prove near the end may make a puzzle."""
PROOF_NODES = 8_000
"""Nodes of the longest search for a proof. The package proves with more, so it succeeds too."""
ERRORS = (0.05, 0.1, 0.2)
"""Shares of random moves, one of which is drawn for each game."""
ENDINGS = 4
"""Endings played from each late position; in every other one both sides play simply."""
PER_GAME = 2
"""Most puzzles from one game with its different endings, of different kinds."""
SHORT, MEDIUM, LONG = 7, 13, 25
"""Quoridor: plies of short, medium and long wins."""
LATE_WALLS = (2, 6)
"""Quoridor: walls in both hands at which the ending begins, one number drawn for each game."""
BEGINNER, RUNNER = PathfinderAgent(), PathfinderAgent(min_gain=99)
"""Quoridor: the runner saves its walls until the opponent is about to win."""
EMPTIES = {
    "end": range(6, 8),
    "late": range(8, 11),
    "middle": range(11, 14),
    "early": range(14, 17),
}
"""Reversi: empty squares by kind."""
REPORT_S = 10.0
"""Seconds between two lines of progress."""

PACKED = Path(__file__).parents[1] / "src" / "plyground" / "data" / "puzzles.txt.xz"

Found: TypeAlias = tuple[str, State, list[int]]
"""A puzzle: its kind, position and line."""


@dataclass(frozen=True)
class PuzzleSource:
    """Games of one board, and the number of puzzles of each kind to find in them."""

    name: str
    start: State
    opening_plies: tuple[int, int]
    wanted: Mapping[str, int]
    prover: Prover[Any]  # of the states of one game
    material: Callable[[State], int]
    """Walls in both hands or empty squares, which only become fewer."""
    ending: tuple[int, int]
    """The material at which the ending begins, one number drawn for each game."""
    simple_player: Agent
    """Plays some of the endings, so that mistakes are those of beginners."""
    kind_of: Callable[[State, int | None, int], str | None]
    """The kind of puzzle that a position may make, given the plies of a known win and its move."""


def quoridor_kind(state: State, win_in: int | None, move: int) -> str | None:
    """A jump; tricky, if a beginner who sees shortest paths only misses it; else by its length.

    Another pawn move that a beginner finds is too simple.
    """
    assert isinstance(state, quoridor.State)
    if win_in is None or not 3 <= win_in <= LONG:
        return None
    if is_jump(state, move):
        return "jump"
    if BEGINNER.select_action(state) != move:
        return "tricky"
    if move < state.board_size**2:
        return None
    return "short" if win_in <= SHORT else "medium" if win_in <= MEDIUM else "long"


def quoridor_material(state: State) -> int:
    """Walls in both hands."""
    assert isinstance(state, quoridor.State)
    return sum(state.walls_remaining.values())


def quoridor_source(size: int, **wanted: int) -> PuzzleSource:
    """Puzzles of Quoridor on a board of that size."""
    return PuzzleSource(
        name=f"quoridor-{size}",
        start=quoridor.State(quoridor.GameConfig.for_size(size)),
        opening_plies=(0, 6),
        wanted=wanted,
        prover=QuoridorProver(PROOF_NODES),
        material=quoridor_material,
        ending=LATE_WALLS,
        simple_player=RUNNER,
        kind_of=quoridor_kind,
    )


def reversi_material(state: State) -> int:
    """Empty squares."""
    assert isinstance(state, reversi.State)
    return 64 - sum(state.counts.values())


def reversi_kind(state: State, win_in: int | None, move: int) -> str | None:  # noqa: ARG001
    """By the number of empty squares."""
    empties = reversi_material(state)
    return next((kind for kind, among in EMPTIES.items() if empties in among), None)


def reversi_source(**wanted: int) -> PuzzleSource:
    """Puzzles of Reversi."""
    return PuzzleSource(
        name="reversi-8",
        start=reversi.State(),
        opening_plies=(6, 12),
        wanted=wanted,
        prover=ReversiProver(),
        material=reversi_material,
        ending=(16, 20),
        simple_player=make("minimax:depth=1", "reversi"),
        kind_of=reversi_kind,
    )


SOURCES: tuple[Callable[[], PuzzleSource], ...] = (
    partial(reversi_source, end=160, late=160, middle=160, early=120),
    partial(quoridor_source, 9, short=380, medium=400, long=120, tricky=190, jump=20),
    partial(quoridor_source, 7, short=25, medium=14, long=4, tricky=10, jump=5),
    partial(quoridor_source, 5, short=20, medium=5, tricky=5, jump=5),
)


class SelfPlay:
    """Games in which both sides sometimes move at random."""

    def __init__(self, rng: random.Random, simple_player: Agent) -> None:
        self._rng = rng
        self._simple_player = simple_player
        self._engine = Engine(hash_mb=4)

    def positions(
        self,
        state: State,
        limits: SearchLimits,
        is_over: Callable[[State], bool],
        is_simple: bool = False,
    ) -> Iterator[tuple[State, int | None, int]]:
        """Yield the positions of a game, each with the plies of a win that a search sees, and with
        the move that it prefers."""
        errors = self._rng.choice(ERRORS)
        while state.outcome is None and not is_over(state):
            found = self._engine.search(state, limits)
            yield state, found.win_in, found.best_move
            if self._rng.random() < errors:
                move = self._rng.choice(state.legal_actions())
            else:
                move = self._simple_player.select_action(state) if is_simple else found.best_move
            state = state.play(move)
        yield state, None, 0


def puzzles_of_game(
    source: PuzzleSource, number: int, missing: Mapping[str, int]
) -> Iterator[Found]:
    """Yield the puzzles in several endings of one game."""
    rng = random.Random(f"{source.name} {number}")
    game, late, state = (
        SelfPlay(rng, source.simple_player),
        rng.randint(*source.ending),
        source.start,
    )
    for action in state.game.random_opening(state, rng.randint(*source.opening_plies), rng):
        state = state.play(action)
    *_, (state, _, _) = game.positions(state, OPENING, partial(_has_at_most, source, late))
    seen: set[State] = set()
    kinds: set[str] = set()
    for ending in range(ENDINGS):
        # Only the first is played to the end of the game.
        is_over = partial(_has_at_most, source, 0 if ending else -1)
        played = list(game.positions(state, ENDING, is_over, is_simple=ending % 2 == 1))
        for position, win_in, move in reversed(played):
            if position in seen or position.outcome is not None:
                continue
            seen.add(position)
            kind = source.kind_of(position, win_in, move)
            if kind is None or kind in kinds:
                continue
            found = _first_missing(source, position, missing, kinds)
            if found is not None:
                kinds.add(found[0])
                yield found
            if len(kinds) == PER_GAME:
                return


def _has_at_most(source: PuzzleSource, most: int, state: State) -> bool:
    return source.material(state) <= most


def _first_missing(
    source: PuzzleSource, state: State, missing: Mapping[str, int], taken: set[str]
) -> Found | None:
    """The puzzle of a missing kind in a position, or in what follows with best play."""
    while (line := find_line(state, source.prover)) is not None:
        kind = source.kind_of(state, len(line), line[0])
        if kind is not None and kind not in taken and missing[kind] > 0:
            return kind, state, line
        if len(line) < 3:
            return None
        state = state.play(line[0]).play(line[1])
    return None


class PuzzleFile:
    """The puzzles found so far, and the games that were searched for them."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.lines: list[dict[str, str]] = []
        self._games: Counter[str] = Counter()
        content = path.read_text(encoding="utf-8") if path.exists() else ""
        if content and not content.endswith("\n"):  # cut off by a crash
            path.write_text(content + "\n", encoding="utf-8")
        for text in content.splitlines():
            try:
                found = json.loads(text)
            except ValueError:  # cut off
                continue
            if "searched" in found:
                self._games[found["source"]] = found["searched"]
            else:
                self.lines.append(found)

    def next_game(self, source: str) -> int:
        """The number of the first game that was not searched."""
        return self._games[source]

    def counts(self, source: str) -> Counter[str]:
        """The number of puzzles of a source by kind."""
        return Counter(line["kind"] for line in self.lines if line["source"] == source)

    def add_game(self, source: str, number: int, found: list[Found]) -> None:
        """Append a game that was searched, with its puzzles, in one go."""
        new = [
            {
                "source": source,
                "kind": kind,
                "game": state.game.name,
                "position": state.text(),
                "line": format_line(state, line),
            }
            for kind, state, line in found
        ]
        self.lines += new
        self._games[source] = number + 1
        texts = [json.dumps(line) for line in (*new, {"source": source, "searched": number + 1})]
        with self._path.open("a", encoding="utf-8") as file:
            file.write("\n".join(texts) + "\n")


def find_all(file: PuzzleFile, source: PuzzleSource) -> None:
    """Search games until no kind of puzzle is missing."""
    known = {line["position"] for line in file.lines}
    shown = time.monotonic()
    for number in count(file.next_game(source.name)):
        missing = Counter(source.wanted)
        missing.subtract(file.counts(source.name))
        if max(missing.values()) <= 0:
            return
        found = [
            puzzle
            for puzzle in puzzles_of_game(source, number, missing)
            if puzzle[1].text() not in known
        ]
        known.update(state.text() for _, state, _ in found)
        file.add_game(source.name, number, found)
        if time.monotonic() - shown >= REPORT_S:
            shown = time.monotonic()
            left = ", ".join(f"{kind} {left}" for kind, left in missing.items() if left > 0)
            print(f"{source.name}: {number + 1} games, left to find: {left}", file=sys.stderr)


def graded(file: PuzzleFile) -> list[Puzzle]:
    """The puzzles of the file with their ratings and themes, from easy to hard."""
    puzzles = []
    for number, found in enumerate(file.lines, 1):
        state: State = registry.get(found["game"]).start({}, found["position"])
        puzzles.append(grade(state, state.game.parse_line(state, found["line"])))
        if number % 100 == 0:
            print(f"graded {number} of {len(file.lines)}", file=sys.stderr)
    return sorted(puzzles, key=lambda puzzle: (puzzle.rating, puzzle.position))


def main() -> None:
    """Find puzzles, or pack those that were found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path, help="file of the puzzles found so far")
    parser.add_argument("--pack", action="store_true", help="write the file of the package")
    args = parser.parse_args()
    file = PuzzleFile(args.file)
    if args.pack:
        PACKED.write_bytes(pack_puzzles(graded(file)))
        return
    try:
        for source in SOURCES:
            find_all(file, source())
    except KeyboardInterrupt:
        print(f"stopped with {len(file.lines)} puzzles; run it again to go on", file=sys.stderr)


if __name__ == "__main__":
    main()
