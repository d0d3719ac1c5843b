"""The events of a live game that its listeners receive: values without a reference to the game."""

from __future__ import annotations

from dataclasses import dataclass

from plyground.games.base import Outcome, State
from plyground.play.record import MoveRecord
from plyground.search.result import SearchResult


@dataclass(frozen=True, slots=True)
class Event:
    """Base class of all events; `turn` is the live game's turn number at the time."""

    turn: int


@dataclass(frozen=True, slots=True)
class TurnBegan(Event):
    """A player is to move, a person or an agent."""

    player: int
    is_person: bool


@dataclass(frozen=True, slots=True)
class SearchProgress(Event):
    """The progress of an agent's search."""

    player: int
    state: State
    result: SearchResult


@dataclass(frozen=True, slots=True)
class MovePlayed(Event):
    """A move was played; `result` is what the agent that chose it found."""

    player: int
    action: int
    move: MoveRecord
    before: State
    state: State
    result: SearchResult | None = None


@dataclass(frozen=True, slots=True)
class PositionChanged(Event):
    """Another position is on the board; `plies` is negative if it has fewer moves."""

    plies: int


@dataclass(frozen=True, slots=True)
class TreeChanged(Event):
    """Variations, comments or marks changed; the position on the board did not."""


@dataclass(frozen=True, slots=True)
class SeatChanged(Event):
    """Another person or agent took a seat."""

    player: int
    name: str


@dataclass(frozen=True, slots=True)
class HintFound(Event):
    """The move that an adviser suggests."""

    action: int
    state: State
    result: SearchResult | None = None


@dataclass(frozen=True, slots=True)
class HintFailed(Event):
    """An adviser failed to suggest a move."""

    reason: str


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """The game is over."""

    outcome: Outcome
