"""Openings of Quoridor: a few plies after which neither side is clearly ahead.

Between strong players most random openings are decided, and a match from them would measure the
openings. The books in the package, one for each board from 4x4 to 9x9 with its usual walls, hold
positions that the network, searching, scores close to even. On 4x4 and 5x5, which are solved, they
hold those that last longest. With other walls, or when a book is used up, the engine judges new
ones.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection
from functools import cache, reduce
from importlib.resources import files
from typing import TypeAlias

from plyground.games.base import OnFound
from plyground.games.quoridor import State
from plyground.games.quoridor_config import GameConfig
from plyground.search import Engine, SearchLimits

Lead: TypeAlias = Callable[[State], float]
"""The distance of a position from even, in steps, whichever side is ahead."""

BOOK_SIZES = range(4, 10)
"""Boards with a book."""
EVEN = 0.9
"""The largest lead of a balanced opening, in steps."""
_PROVEN = 1000.0
"""The lead of a proven win, less its plies."""
_MOST_TRIES = 200
"""Random openings tried for each balanced one; on 9x9 about one in four is balanced."""


def match_openings(
    start: State, count: int, rng: random.Random, on_found: OnFound | None = None
) -> list[State]:
    """At most `count` different openings: the book's, and more from the engine if it has too few.

    If every game is over before the end of an opening, the only one is the start itself.
    """
    known = list(book(start))
    rng.shuffle(known)
    chosen = known[:count]
    missing = count - len(chosen)
    chosen += balanced_openings(start, missing, rng, without=chosen, on_found=on_found)
    return chosen or [start]


@cache
def book(start: State) -> tuple[State, ...]:
    """The openings in the package after this start; a board with its usual rules has some."""
    size = start.board_size
    if size not in BOOK_SIZES or start != State(GameConfig.for_size(size)):
        return ()
    return tuple(reduce(State.play, line, start) for line in book_lines(size))


def book_lines(size: int = 9) -> list[list[str]]:
    """The moves of a book's openings, from the usual start on a board of that size."""
    name = f"quoridor-openings-{size}x{size}.txt"
    text = (files("plyground") / "data" / name).read_text(encoding="utf-8")
    return [line.split() for line in text.splitlines() if line[:1] != "#"]


def balanced_openings(
    start: State,
    count: int,
    rng: random.Random,
    plies: tuple[int, int] = (4, 8),
    lead: Lead | None = None,
    without: Collection[State] = (),
    on_found: OnFound | None = None,
) -> list[State]:
    """New openings that are even by `lead`, by default a quick search of the engine.

    They come from `random_opening`. Small boards have almost no even openings: after many tries the
    closest one is taken, which is the longest fight if all are decided. There are fewer than
    `count` if no more different ones are found. A larger `count` begins with the same openings.
    """
    lead = cache(lead or _engine_lead())
    taken = {state.text() for state in without}
    found: list[State] = []
    while len(found) < count:
        closest: State | None = None
        for _ in range(_MOST_TRIES):
            line = random_opening(start, rng.randint(*plies), rng)
            state = reduce(State.play, line, start)
            if state.game_over or state.text() in taken:
                continue
            if closest is None or lead(state) < lead(closest):
                closest = state
            if on_found is not None:
                on_found(len(found), count)
            if lead(closest) <= EVEN:
                break
        if closest is None:
            break
        taken.add(closest.text())
        found.append(closest)
    return found


def _engine_lead(nodes: int = 20_000) -> Lead:
    """The lead that the engine finds within that many nodes; quicker wins are larger leads."""
    engine = Engine(hash_mb=4)

    def lead(state: State) -> float:
        score = engine.search(state, SearchLimits(nodes=nodes)).score
        assert score is not None
        return abs(score.value) if score.win_in is None else _PROVEN - abs(score.win_in)

    return lead


def random_opening(start: State, plies: int, rng: random.Random) -> list[int]:
    """Moves that mostly run ahead and now and then place a wall; fewer if the game ends before."""
    state = start
    cells = start.board_size**2
    line: list[int] = []
    while len(line) < plies and not state.game_over:
        actions = state.legal_actions()
        walls = [action for action in actions if action >= cells]
        if walls and rng.random() < 0.4:
            line.append(rng.choice(walls))
        else:
            player = state.current_player
            ahead = state.shortest_path_length(player) - 1
            steps = [
                action
                for action in actions[: len(actions) - len(walls)]
                if state.play(action).shortest_path_length(player) <= ahead
            ]
            line.append(rng.choice(steps or actions))
        state = state.play(line[-1])
    return line
