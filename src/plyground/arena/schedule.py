"""Who plays whom, from which openings, in which order."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import asdict
from itertools import combinations

from plyground import __version__
from plyground.arena.book import read_book
from plyground.arena.config import ArenaConfig
from plyground.arena.openings import Found, book, match_openings, reversi_openings
from plyground.arena.store import Store
from plyground.arena.task import Task
from plyground.games.base import State
from plyground.games.quoridor import State as QuoridorState


def pairings(agents: Sequence[str], form: str = "round-robin") -> list[tuple[str, str]]:
    """Everybody against everybody, or the first against all others.

    >>> pairings("abc"), pairings("abc", "gauntlet")
    ([('a', 'b'), ('a', 'c'), ('b', 'c')], [('a', 'b'), ('a', 'c')])
    """
    if form == "gauntlet":
        return [(agents[0], other) for other in agents[1:]]
    return list(combinations(agents, 2))


MOST_OPENINGS = 1000
"""No more are looked for, since that takes time (25 ms each on 5x5); then they are played again."""


def openings_for(
    config: ArenaConfig, on_found: Found | None = None, store: Store | None = None
) -> list[State]:
    """An opening for each pair of games of two agents; fewer where there are not so many.

    Where they have to be looked for, `on_found` hears how far that is, and the store keeps them.
    """
    rng, start = random.Random(config.seed), config.start_state()
    count = min(config.games // 2, MOST_OPENINGS)
    if config.openings == "start":
        return [start]
    if config.openings != "balanced":
        openings = read_book(config.openings, start, config.game)
        rng.shuffle(openings)
        return openings[:count]
    if not isinstance(start, QuoridorState):
        return list(reversi_openings(count, rng))
    rules = start.config
    if store is None or count <= len(book(rules)):
        return list(match_openings(rules, count, rng, on_found))
    wanted = {"version": __version__, "game": asdict(rules), "seed": config.seed, "count": count}
    texts = store.openings(
        wanted,
        lambda: [state.text() for state in match_openings(rules, count, rng, on_found)],
    )
    return [QuoridorState.parse(text, rules) for text in texts]


def tasks_for(config: ArenaConfig, openings: Sequence[State]) -> list[Task]:
    """All games of a tournament.

    Each opening is played by each pairing, twice with the colours swapped, before the next one, so
    that whenever a tournament is stopped everybody has played about as much. When all openings
    were played and more games are wanted, they are played again.
    """
    conditions = config.conditions()
    return [
        Task.of(
            player1,
            player2,
            config.game,
            openings[number % len(openings)],
            round=number // len(openings) + 1,
            label=f"{number + 1}.{swap}",
            conditions=conditions,
        )
        for number in range(config.games // 2)
        for one, other in pairings(config.agents, config.format)
        for swap, (player1, player2) in enumerate([(one, other), (other, one)], 1)
    ]
