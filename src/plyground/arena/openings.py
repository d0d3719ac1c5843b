"""Openings for matches: a few plies of play after which neither side is clearly ahead."""

from __future__ import annotations

import random

from plyground.games.quoridor import State
from plyground.games.quoridor_config import GameConfig
from plyground.search import Engine, SearchLimits


def balanced_openings(
    config: GameConfig,
    count: int,
    rng: random.Random,
    plies: tuple[int, int] = (4, 8),
    nodes: int = 20_000,
    margin: float = 90,
) -> list[State]:
    """Different positions that the engine, looking at `nodes` nodes, scores within `margin`.

    They come from random games that mostly run ahead and now and then place a wall, as people do.
    """
    engine = Engine(hash_mb=4)
    found: dict[str, State] = {}
    while len(found) < count:
        state = _random_opening(config, rng.randint(*plies), rng)
        if state is None or state.text() in found:
            continue
        if abs(engine.search(state, SearchLimits(nodes=nodes)).score) <= margin:
            found[state.text()] = state
    return list(found.values())


def _random_opening(config: GameConfig, plies: int, rng: random.Random) -> State | None:
    state = State(config)
    cells = config.board_size**2
    for _ in range(plies):
        actions = state.legal_actions()
        walls = [action for action in actions if action >= cells]
        if walls and rng.random() < 0.4:
            state = state.play(rng.choice(walls))
        else:
            player = state.current_player
            ahead = state.shortest_path_length(player) - 1
            steps = [
                action
                for action in actions[: len(actions) - len(walls)]
                if state.play(action).shortest_path_length(player) <= ahead
            ]
            state = state.play(rng.choice(steps or actions))
        if state.game_over:
            return None
    return state
