"""Agents with other settings than their own, and whether they are better for it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plyground.arena.config import ArenaConfig
from plyground.arena.openings import Found
from plyground.arena.store import Store
from plyground.arena.tournament import Tournament
from plyground.files import replacing
from plyground.search.weights import write_weights

CHECK_SEED = 1_000_003
"""Added to the seed of the openings where a result is checked: games it was not chosen by."""


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


def weights_in(agent: str, options: Mapping[str, float]) -> dict[str, float] | None:
    """The options as a file of weights has them; None if the agent reads no such file.

    >>> weights_in("engine:nodes=100", {"walls_weight": 170})
    {'walls': 170}
    """
    name = agent.partition(":")[0]
    if name not in ("minimax", "engine") or not all(key.endswith("_weight") for key in options):
        return None
    if name == "minimax":
        return dict(options)
    return {key.removesuffix("_weight"): value for key, value in options.items()}


def write_found(folder: Path, agent: str, options: Mapping[str, float], comment: str) -> None:
    """Write what was found: the agent's string, and its weights where that is what they are."""
    with replacing(folder / "agent.txt") as file:
        file.write(f"{with_options(agent, options)}\n".encode())
    weights = weights_in(agent, options)
    if weights is not None:
        write_weights(folder / "weights.yaml", weights, comment)


def check_match(
    candidate: str,
    reference: str,
    settings: Mapping[str, Any],
    games: int,
    store: Store,
    on_found: Found | None = None,
) -> Tournament:
    """A match between two agents from openings that no tuning has seen, ready to run.

    The best of many was partly lucky, and so the games that chose it flatter it. The settings are
    those of a tournament.
    """
    seed = int(settings.get("seed", 1)) + CHECK_SEED
    changed = {"agents": (candidate, reference), "format": "round-robin", "games": games}
    config = ArenaConfig.of({**settings, **changed, "seed": seed})
    return Tournament(config, store, on_found=on_found)
