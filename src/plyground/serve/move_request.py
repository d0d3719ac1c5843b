"""The body of a request to the REST server, checked against its description."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn

from plyground.config import check_keys
from plyground.errors import ConfigError, IllegalMoveError, NotationError
from plyground.games.base import AnyGame, State
from plyground.search.limits import SearchLimits
from plyground.serve.openapi import (
    DEEPEST,
    LONGEST_MOVE,
    LONGEST_TEXT,
    MOST_MOVES,
    MOST_NODES,
    MOST_SIMULATIONS,
)


class InvalidJsonError(ValueError):
    """A body that is not JSON."""


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """A position to choose a move in, and the limits of the search, if any were given."""

    state: State
    limits: SearchLimits | None = None


def parse_request(body: bytes, game: AnyGame, max_time_s: float) -> MoveRequest:
    """Read the body of a request; errors say what was expected.

    >>> from plyground.games import registry
    >>> parse_request(b'{"moves": ["e2", "e8"]}', registry.get("quoridor"), 5).state.text()
    '9 e2/e8 - 10/10 1 2 2'
    """
    try:
        value = json.loads(body, parse_constant=_reject_constant)
    except (ValueError, RecursionError) as error:
        raise InvalidJsonError(f"expected JSON: {str(error)[:200]}") from None
    values = check_keys("the request", value, ["position", "moves", "limits"])
    state: State = game.start(None, _position(values))
    for move in _moves(values):
        state = state.play(move)
    if state.outcome is not None:
        raise IllegalMoveError(f"no move to choose in {state.text()!r}: {state.outcome}")
    limits = _limits(values["limits"], max_time_s) if "limits" in values else None
    return MoveRequest(state, limits)


def _reject_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number in JSON")


def _position(values: Mapping[str, object]) -> str | None:
    if "position" not in values:
        return None
    text = values["position"]
    if not isinstance(text, str) or len(text) > LONGEST_TEXT:
        raise NotationError(f"expected 'position' to be text of up to {LONGEST_TEXT} characters")
    return text


def _moves(values: Mapping[str, object]) -> list[str]:
    moves = values.get("moves", [])
    if not isinstance(moves, list) or len(moves) > MOST_MOVES:
        raise NotationError(f"expected 'moves' to be a list of up to {MOST_MOVES} moves")
    for move in moves:
        if not isinstance(move, str) or len(move) > LONGEST_MOVE or not move.isascii():
            raise NotationError(f"expected a move in notation, got {str(move)[:40]!r}")
    return moves


def _limits(value: object, max_time_s: float) -> SearchLimits:
    most = {
        "time_s": max_time_s,
        "nodes": MOST_NODES,
        "depth": DEEPEST,
        "simulations": MOST_SIMULATIONS,
    }
    limits = check_keys("limits", value, list(most))
    for name, number in limits.items():
        # Not by math.isfinite, which fails for large integers.
        is_number = type(number) in (int, float) and -math.inf < number < math.inf
        if is_number and name != "time_s" and number == int(number):
            limits[name] = number = int(number)  # JSON does not tell 3.0 from 3
        if not is_number or number > most[name]:
            raise ConfigError(
                f"expected {name} to be a number up to {most[name]:g}, got {number!r}"
            )
    return SearchLimits(**limits)
