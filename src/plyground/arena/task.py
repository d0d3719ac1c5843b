"""What the parts of the arena hand to each other: a game to play, and a game that was played."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from plyground.arena.adjudicate import Adjudication
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.games.base import State
from plyground.play import Record
from plyground.play.clock import LONGEST_S, TimeControl
from plyground.search.limits import SearchLimits


@dataclass(frozen=True, slots=True)
class Conditions:
    """What holds for every game of a tournament, beside its rules and openings."""

    limits: SearchLimits | None = None
    """For every move of every agent, in place of the agent's own."""
    control: TimeControl | None = None
    """Each agent's clock; one that runs out of it loses."""
    move_timeout_s: float = 60.0
    """Without a clock, an agent loses that is silent for so much longer than it may think."""
    adjudication: Adjudication = field(default_factory=Adjudication)
    """Which games end early."""

    def __post_init__(self) -> None:
        if not 0.001 <= self.move_timeout_s <= LONGEST_S:
            raise ConfigError(
                f"expected the time-out of a move to be from 0.001 to {LONGEST_S} seconds, "
                f"got {self.move_timeout_s!r}"
            )


@dataclass(frozen=True, slots=True)
class Task:
    """A game to play."""

    player1: str
    player2: str
    """The agents, by their strings."""
    game: str
    settings: dict[str, str] = field(hash=False)
    """What the game needs to start, as a record has it."""
    start: str
    """The opening: the position the game starts from."""
    round: int = 1
    """Which time this opening is played by these two."""
    label: str = ""
    """The game's place in the tournament, for its record."""
    conditions: Conditions = field(default_factory=Conditions)

    @property
    def key(self) -> tuple[str, str, str, int]:
        """What tells it from the other games of a tournament."""
        return self.player1, self.player2, self.start, self.round

    @property
    def tags(self) -> dict[str, str]:
        """The tags of its record."""
        tags = {"Player1": self.player1, "Player2": self.player2, "Round": self.label}
        return {name: value for name, value in tags.items() if value}

    def start_state(self) -> Any:
        """The position it starts from."""
        return registry.get(self.game).start(self.settings, self.start)

    @classmethod
    def of(cls, player1: str, player2: str, game: str, opening: State, **more: Any) -> Task:
        """A game from an opening."""
        settings = registry.get(game).settings(opening)
        return cls(player1, player2, game, settings, opening.text(), **more)


@dataclass(frozen=True, slots=True)
class Finished:
    """A game that was played, to its end or to the loss of one who did not keep to the rules."""

    task: Task
    record: Record
    nodes: tuple[int, int] = (0, 0)
    """Positions both players looked at, where they tell."""
    seconds: tuple[float, float] = (0.0, 0.0)
    """What both players' moves took; the record has each, to the millisecond."""

    def points(self, agent: str) -> float:
        """Of one of the two: 1, 0.5 or 0."""
        mine = {self.task.player1: 1.0, self.task.player2: 0.0}[agent]
        return {"1-0": mine, "0-1": 1 - mine}.get(self.record.result, 0.5)
