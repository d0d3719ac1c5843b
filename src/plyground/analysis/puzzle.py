"""Puzzles: positions in which one move wins, and every other move is proven not to.

`Game.find_puzzle` decides that by proof, never by an estimate: `quoridor_puzzle.py` and
`reversi_puzzle.py`. The puzzles of the package are in `data/puzzles.jsonl`, a line each;
`tools/make_puzzles.py` finds them.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files

from plyground.games import registry
from plyground.games.base import State
from plyground.games.lines import format_line

SHOWN_PLIES = 8
"""Plies of the line that a puzzle keeps."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, the one move that wins, and how the game may go on."""

    game: str
    position: str
    answer: str
    line: tuple[str, ...]
    """The answer and what follows, both sides playing their best."""
    verdict: str
    """What the answer achieves: `wins in 9` or `wins by 4`."""
    level: int
    """How hard it is, from 1 to 3."""

    @classmethod
    def of(cls, state: State, line: list[int], verdict: str, level: int) -> Puzzle:
        """The puzzle of a position whose answer begins this line."""
        moves = tuple(format_line(state, line[:SHOWN_PLIES]).split())
        return cls(state.game.name, state.text(), moves[0], moves, verdict, level)

    def start(self) -> State:
        """The position as a state of its game."""
        state: State = registry.get(self.game).start({}, self.position)
        return state

    def text(self) -> str:
        """The puzzle as a line of the file."""
        return json.dumps(asdict(self))


@cache
def shipped_puzzles() -> tuple[Puzzle, ...]:
    """The puzzles of the package, in their order on the page."""
    path = files("plyground") / "data" / "puzzles.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    puzzles = (json.loads(line) for line in lines)
    return tuple(Puzzle(**puzzle | {"line": tuple(puzzle["line"])}) for puzzle in puzzles)
