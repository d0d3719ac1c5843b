"""Puzzles: positions in which one move wins, and every other one is known to lose.

`only_win` decides that by proof, never by a score: in Quoridor by the engine, which sees races to
their end, in Reversi by the exact solver. The puzzles of the package are in `data/puzzles.jsonl`,
a line each; `tools/make_puzzles.py` finds them.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from plyground.games import registry, reversi
from plyground.search import Engine, SearchLimits, SearchResult
from plyground.search.reversi_solver import solve_endgame

NODES = (1_000, 20_000, 400_000)
"""What the engine may look at to prove a move won or lost: a little first, then more."""

GLANCES = (1, 4)
"""Plies of short looks; a puzzle of Quoridor is as hard as there are that miss the answer."""


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

    def start(self) -> Any:
        """The position as a state of its game."""
        return registry.get(self.game).start({}, self.position)

    def text(self) -> str:
        """The puzzle as a line of the file."""
        return json.dumps(asdict(self))


@cache
def shipped_puzzles() -> tuple[Puzzle, ...]:
    """The puzzles of the package, in the order they are set."""
    path = files("plyground") / "data" / "puzzles.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    puzzles = (json.loads(line) for line in lines)
    return tuple(Puzzle(**puzzle | {"line": tuple(puzzle["line"])}) for puzzle in puzzles)


def only_win(state: Any, engine: Engine) -> Puzzle | None:
    """The puzzle that a position makes; None unless one move wins and all others surely do not."""
    if len(state.legal_actions()) < 2:
        return None
    if isinstance(state, reversi.State):
        return _only_reversi_win(state)
    return _only_quoridor_win(state, engine)


def _only_quoridor_win(state: Any, engine: Engine) -> Puzzle | None:
    engine.clear()  # what it finds should not depend on what it was asked before
    found = _proof(state, engine)
    if found is None or found.win_in is None or found.win_in < 0:
        return None
    for action in state.legal_actions():
        if action != found.best_move and not _loses(state.play(action), engine):
            return None
    level = 1 + sum(_glance(state, depth) != found.best_move for depth in GLANCES)
    return _puzzle("quoridor", state, found.pv, f"wins in {found.win_in}", level)


def _proof(state: Any, engine: Engine) -> SearchResult | None:
    """A search that proves who wins; None if none does."""
    for nodes in NODES:
        result = engine.search(state, SearchLimits(nodes=nodes))
        if result.win_in is not None:
            return result
    return None


def _glance(state: Any, depth: int) -> int:
    """What a short look would play."""
    return Engine(hash_mb=1).search(state, SearchLimits(depth=depth)).best_move


def _loses(after: Any, engine: Engine) -> bool:
    """Whether the move that led here is proven to lose: whoever is to move now wins."""
    if after.outcome is not None:
        return bool(after.outcome.winner != 3 - after.current_player)
    proof = _proof(after, engine)
    return proof is not None and proof.win_in is not None and proof.win_in > 0


def _only_reversi_win(state: reversi.State) -> Puzzle | None:
    worth = {action: _reversi_worth(state, action) for action in state.legal_actions()}
    winning = [action for action, score in worth.items() if score > 0]
    if len(winning) != 1 or any(score == 0 for score in worth.values()):
        return None
    (answer,) = winning
    after = state.play(answer)
    line = [answer, *(solve_endgame(after).pv if after.outcome is None else [])]
    discs = _gain(state)
    level = 1 if max(discs, key=lambda a: discs[a]) == answer else 2 if len(worth) < 8 else 3
    return _puzzle("reversi", state, line, f"wins by {worth[answer]:.0f}", level)


def _reversi_worth(state: reversi.State, action: int) -> float:
    """The final score of whoever plays this, exactly."""
    after = state.play(action)
    if after.outcome is not None:
        return {state.current_player: 1.0, None: 0.0}.get(after.outcome.winner, -1.0)
    return -solve_endgame(after).score


def _gain(state: reversi.State) -> dict[int, int]:
    """How many discs each move leaves its player with: what a beginner goes by."""
    mover = state.current_player
    return {action: state.play(action).counts[mover] for action in state.legal_actions()}


def _puzzle(game: str, state: Any, line: list[int], verdict: str, level: int) -> Puzzle:
    rules = registry.get(game)
    moves, at = [], state
    for action in line[:8]:
        moves.append(rules.format_action(at, action))
        at = at.play(action)
    return Puzzle(game, state.text(), moves[0], tuple(moves), verdict, level)
