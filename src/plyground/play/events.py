"""What happens in a live game, as its listeners hear of it. They are values, and hold no game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plyground.games.base import Outcome
from plyground.play.record import Move
from plyground.search.result import SearchResult


@dataclass(frozen=True, slots=True)
class Event:
    """Anything that happens; `turn` is the live game's when it happened."""

    turn: int


@dataclass(frozen=True, slots=True)
class TurnBegan(Event):
    """Somebody is to move, a person or an agent; the game waits for them."""

    player: int
    is_person: bool


@dataclass(frozen=True, slots=True)
class Thinking(Event):
    """What an agent at the board knows so far."""

    player: int
    state: Any
    result: SearchResult


@dataclass(frozen=True, slots=True)
class MovePlayed(Event):
    """A move was played; `result` is what its player found, where it tells."""

    player: int
    move: Move
    before: Any
    state: Any
    result: SearchResult | None = None


@dataclass(frozen=True, slots=True)
class PositionChanged(Event):
    """Moves were taken back or played again, by how many plies (negative: back)."""

    plies: int


@dataclass(frozen=True, slots=True)
class SeatChanged(Event):
    """Another person or agent plays from now on."""

    player: int
    name: str


@dataclass(frozen=True, slots=True)
class HintFound(Event):
    """What an adviser would play."""

    action: int
    state: Any
    result: SearchResult | None = None


@dataclass(frozen=True, slots=True)
class HintFailed(Event):
    """An adviser had nothing to say, for a reason."""

    reason: str


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """The game is over."""

    outcome: Outcome
