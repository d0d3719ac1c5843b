"""Who plays whom, from which openings, in which order."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations

from plyground import __version__
from plyground.arena.book import GAME_BOOK, from_opening, read_book
from plyground.arena.config import ArenaConfig
from plyground.arena.rounds import Results, Round, count_rounds, pairs_of_round, play_rounds
from plyground.arena.scored_openings import PLIES, scored_openings
from plyground.arena.store import Store
from plyground.arena.task import Conditions, Task
from plyground.games.base import OnFound, State
from plyground.json_types import JsonObject

MOST_OPENINGS = 1000
"""The most openings that are searched for, since that takes time (25 ms each on 5x5). If more are
needed, they are played again."""


def pairings(agents: Sequence[str], form: str = "round-robin") -> list[tuple[str, str]]:
    """All pairs of agents, or the first agent with each of the others.

    >>> pairings("abc"), pairings("abc", "gauntlet")
    ([('a', 'b'), ('a', 'c'), ('b', 'c')], [('a', 'b'), ('a', 'c')])
    """
    if form == "gauntlet":
        return [(agents[0], other) for other in agents[1:]]
    return list(combinations(agents, 2))


def openings_for(
    config: ArenaConfig, on_found: OnFound | None = None, store: Store | None = None
) -> list[State]:
    """An opening for each pair of games of two agents, or of a round, or fewer if there are fewer.

    If the game searches for them, it reports its progress to `on_found`, and the store keeps what
    was found.
    """
    rng, start = random.Random(config.seed), config.start_state()
    wanted = config.games // 2
    if config.has_rounds:
        rounds = count_rounds(config.format, len(config.agents), config.rounds)
        wanted = rounds * pairs_of_round(config.format, config.games)
    if config.openings == "start":
        return [start]
    if config.has_book:
        if config.openings == GAME_BOOK:
            openings = scored_openings(start, config.openings_plies or PLIES)
        else:
            openings = read_book(config.openings, start, config.openings_plies)
        if config.openings_order == "random":
            rng.shuffle(openings)
        return from_opening(openings, config.openings_start)[:wanted]
    count = min(wanted, MOST_OPENINGS)
    game, settings = start.game, start.game.settings(start)
    key: JsonObject = {
        "version": __version__,
        "game": game.name,
        "settings": {**settings},
        "seed": config.seed,
        "count": count,
    }
    if store is not None and (kept := store.openings(key)) is not None:
        return [game.start(settings, text) for text in kept]
    searched = False

    def report(found: int, wanted: int) -> None:
        nonlocal searched
        searched = True
        if on_found is not None:
            on_found(found, wanted)

    found: list[State] = game.openings(start, count, rng, report)
    if store is not None and searched:
        store.keep_openings(key, [state.text() for state in found])
    return found


def tasks_for(config: ArenaConfig, openings: Sequence[State]) -> list[Task]:
    """All games of a tournament without rounds.

    Each pairing plays an opening twice, with colours swapped, before the next opening begins, so
    that all agents have played about equally many games whenever a tournament is stopped. If there
    are more games than openings, the openings are played again.
    """
    conditions = config.conditions()
    return [
        task
        for number in range(config.games // 2)
        for one, other in pairings(config.agents, config.format)
        for task in _pair(one, other, openings, number, str(number + 1), conditions)
    ]


def rounds_for(config: ArenaConfig, openings: Sequence[State], results: Results) -> list[Round]:
    """The rounds of a tournament up to the first that is not over.

    All meetings of a round play the same openings, and the next round plays others.
    """
    conditions = config.conditions()
    each = pairs_of_round(config.format, config.games)

    def make_pair(one: str, other: str, number: int, pair: int) -> tuple[Task, Task]:
        place = (number - 1) * each + pair
        return _pair(one, other, openings, place, f"{number}.{pair + 1}", conditions)

    rounds = count_rounds(config.format, len(config.agents), config.rounds)
    return play_rounds(config.format, config.agents, rounds, config.games, make_pair, results)


def _pair(
    one: str,
    other: str,
    openings: Sequence[State],
    place: int,
    label: str,
    conditions: Conditions,
) -> tuple[Task, Task]:
    """The two games of an opening, with colours swapped; the last opening precedes the first."""
    first, second = (
        Task.of(
            player1,
            player2,
            openings[place % len(openings)],
            round=place // len(openings) + 1,
            label=f"{label}.{swap}",
            conditions=conditions,
        )
        for swap, (player1, player2) in enumerate([(one, other), (other, one)], 1)
    )
    return first, second
