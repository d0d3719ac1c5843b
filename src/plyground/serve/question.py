"""A question as the REST endpoint is asked it, checked against what its description says."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

from plyground.config import check_keys
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games import registry
from plyground.search.limits import SearchLimits
from plyground.serve.openapi import (
    DEEPEST,
    LONGEST_TEXT,
    MOST_MOVES,
    MOST_NODES,
    MOST_SIMULATIONS,
)


class NotJsonError(ValueError):
    """A body that is no JSON."""


@dataclass(frozen=True, slots=True)
class Question:
    """A position to find a move in, and the limits that were asked for."""

    state: Any
    limits: SearchLimits | None


def read_question(body: bytes, game: str, max_time_s: float) -> Question:
    """Read the body of a request; errors say what was expected.

    >>> read_question(b'{"moves": ["e2", "e8"]}', "quoridor", 5).state.text()
    '9 e2/e8 - 10/10 1 2 2'
    """
    try:
        value = json.loads(body, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise NotJsonError(f"expected JSON: {str(error)[:200]}") from None
    settings = check_keys("the question", value, ["position", "moves", "limits"])
    state = registry.get(game).start({}, _position(settings))
    for move in _moves(settings):
        state = state.play(move)
    if state.outcome is not None:
        raise IllegalMoveError(f"no move to choose in {state.text()!r}: {state.outcome}")
    limits = None
    if "limits" in settings:
        limits = _limits(settings["limits"], max_time_s)
    return Question(state, limits)


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def _position(settings: dict[str, Any]) -> str | None:
    if "position" not in settings:
        return None
    text = settings["position"]
    if not isinstance(text, str) or len(text) > LONGEST_TEXT:
        raise NotationError(f"expected 'position' to be text of up to {LONGEST_TEXT} characters")
    return text


def _moves(settings: dict[str, Any]) -> list[str]:
    moves = settings.get("moves", [])
    if not isinstance(moves, list) or len(moves) > MOST_MOVES:
        raise NotationError(f"expected 'moves' to be a list of up to {MOST_MOVES} moves")
    for move in moves:
        if not isinstance(move, str) or len(move) > 8 or not move.isascii():
            raise NotationError(f"expected a move in notation, got {str(move)[:40]!r}")
    return moves


def _limits(settings: Any, max_time_s: float) -> SearchLimits:
    values = check_keys("limits", settings, ["time_s", "nodes", "depth", "simulations"])
    most = {
        "time_s": max_time_s,
        "nodes": MOST_NODES,
        "depth": DEEPEST,
        "simulations": MOST_SIMULATIONS,
    }
    for name, value in values.items():
        # Not by math.isfinite, which large integers are too large for.
        is_number = type(value) in (int, float) and -math.inf < value < math.inf
        if is_number and name != "time_s" and value == int(value):
            values[name] = value = int(value)  # to JSON, 3.0 is a whole number
        if not is_number or value > most[name]:
            raise ConfigError(f"expected {name} to be a number up to {most[name]:g}, got {value!r}")
    return SearchLimits(**values)
