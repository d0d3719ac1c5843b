"""Agents with changed options, and matches that check whether they are better."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from plyground.arena.config import ArenaConfig
from plyground.arena.store import Store
from plyground.arena.tournament import Tournament
from plyground.config import Settings
from plyground.files import atomic_write
from plyground.games.base import AnyGame, OnFound
from plyground.search.quoridor_weights import write_weights

CHECK_SEED = 1_000_003
"""Added to the seed of the openings for a check, which then uses openings that chose nothing."""


def with_options(agent: str, options: Mapping[str, float]) -> str:
    """An agent's string with more options.

    >>> with_options("minimax:depth=2", {"wall_weight": 2.5})
    'minimax:depth=2,wall_weight=2.5'
    >>> with_options("engine", {"walls_weight": 170})
    'engine:walls_weight=170'
    """
    if not options:
        return agent
    words = ",".join(f"{name}={value:.10g}" for name, value in options.items())
    return f"{agent}{',' if ':' in agent else ':'}{words}"


def weights_of(agent: str, options: Mapping[str, float], game: AnyGame) -> dict[str, float] | None:
    """The options as the agent's weights file has them; None if it reads no such file.

    >>> from plyground.games import registry
    >>> weights_of("engine:nodes=100", {"walls_weight": 170}, registry.default())
    {'walls': 170}
    """
    name = agent.partition(":")[0]
    takes_file = "weights" in game.agents.get(name, {})
    if not takes_file or not all(key.endswith("_weight") for key in options):
        return None
    if name == "engine":
        return {key.removesuffix("_weight"): value for key, value in options.items()}
    return dict(options)


def write_found(
    folder: Path, agent: str, options: Mapping[str, float], game: AnyGame, comment: str
) -> None:
    """Write the result of a run: the agent's string, and its weights if the options are weights."""
    with atomic_write(folder / "agent.txt") as file:
        file.write(f"{with_options(agent, options)}\n".encode())
    weights = weights_of(agent, options, game)
    if weights is not None:
        write_weights(folder / "weights.yaml", weights, comment)


def check_match(
    candidate: str,
    reference: str,
    settings: Settings,
    games: int,
    store: Store,
    on_found: OnFound | None = None,
) -> Tournament:
    """A match between two agents from openings that no tuning has used, ready to run.

    The best of many candidates was partly lucky, so the games that chose it overrate it. The
    settings are those of a tournament.
    """
    seed = int(settings.get("seed", 1)) + CHECK_SEED
    changed = {"agents": (candidate, reference), "format": "round-robin", "games": games}
    config = ArenaConfig.of({**settings, **changed, "seed": seed})
    return Tournament(config, store, on_found=on_found)
