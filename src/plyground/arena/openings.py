"""Openings for matches: a few plies of play after which neither side is clearly ahead.

Between strong players most random openings are decided, whoever plays them, and a match from them
measures the openings. The book in the package holds positions that the network, searching, scores
close to even; on other boards the engine judges new ones. Reversi has the XOT list.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache, reduce
from importlib.resources import files

from plyground.games import reversi
from plyground.games.quoridor import State
from plyground.games.quoridor_config import GameConfig
from plyground.search import Engine, SearchLimits

Lead = Callable[[State], float]
"""How far ahead one side is, in hundredths of a step; whichever side."""
Found = Callable[[int, int], object]
"""Hears how many openings were found, and of how many that are wanted: each takes some 25 ms."""

EVEN = 90
"""The largest lead that passes: most of a step."""
_MOST_TRIES = 200
"""Openings looked at for each one that is wanted; on 9x9 about one in four passes."""


def match_openings(
    config: GameConfig, count: int, rng: random.Random, on_found: Found | None = None
) -> list[State]:
    """So many different openings: the book's, and more from the engine where it has too few.

    Where every game is over before that, there is one, the start.
    """
    known = list(book(config))
    rng.shuffle(known)
    chosen = known[:count]
    missing = count - len(chosen)
    chosen += balanced_openings(config, missing, rng, without=chosen, on_found=on_found)
    return chosen or [State(config)]


@cache
def book(config: GameConfig) -> tuple[State, ...]:
    """The openings in the package for this game; none but for the standard one."""
    if config != GameConfig.preset("standard"):
        return ()
    return tuple(reduce(State.play, line, State(config)) for line in book_lines())


def book_lines() -> list[list[str]]:
    """The moves of the book's openings, from the start of the standard game."""
    text = (files("plyground") / "data" / "quoridor-openings.txt").read_text(encoding="utf-8")
    return [line.split() for line in text.splitlines() if line[:1] != "#"]


def balanced_openings(
    config: GameConfig,
    count: int,
    rng: random.Random,
    plies: tuple[int, int] = (4, 8),
    lead: Lead | None = None,
    without: list[State] | None = None,
    on_found: Found | None = None,
) -> list[State]:
    """New openings that are even by `lead`, which is a quick look of the engine by default.

    They come from random games that mostly run ahead and now and then place a wall, as people do.
    Small boards have next to none that are even: after many tries the closest one is taken, which
    is the longest fight where all are decided. Where there are no more different ones, there are
    fewer than asked for. Asked for more, the first ones are the same.
    """
    lead = cache(lead or _engine_lead())
    taken = {state.text() for state in without or ()}
    found: list[State] = []
    while len(found) < count:
        closest: State | None = None
        for _ in range(_MOST_TRIES):
            line = random_opening(config, rng.randint(*plies), rng)
            state = reduce(State.play, line, State(config))
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
    """What the engine sees, looking at so many nodes; the sooner a win, the larger."""
    engine = Engine(hash_mb=4)
    return lambda state: abs(engine.search(state, SearchLimits(nodes=nodes)).score)


def reversi_openings(count: int, rng: random.Random) -> list[reversi.State]:
    """So many different openings of the XOT list; all of them, if that is fewer."""
    text = (files("plyground") / "data" / "reversi-openings.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line[:1] != "#"]
    return [
        reduce(reversi.State.play, reversi.parse_transcript(line), reversi.State())
        for line in rng.sample(lines, min(count, len(lines)))
    ]


def random_opening(config: GameConfig, plies: int, rng: random.Random) -> list[int]:
    """Moves of a game's beginning; fewer where it ends before."""
    state = State(config)
    cells = config.board_size**2
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
