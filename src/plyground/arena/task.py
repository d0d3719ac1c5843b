"""What the parts of the arena pass to each other: games to play, and their results."""

from __future__ import annotations

from dataclasses import dataclass, field

from plyground.agents.base import ForfeitKind
from plyground.agents.spec import split_clock
from plyground.arena.adjudicate import Adjudication
from plyground.errors import ConfigError
from plyground.games import registry
from plyground.games.base import State
from plyground.play import Record
from plyground.play.clock import control_tags
from plyground.search.limits import SearchLimits
from plyground.search.time_control import LONGEST_S, TimeControl


@dataclass(frozen=True, slots=True)
class Conditions:
    """What all games of a tournament have in common, apart from the rules and the openings."""

    limits: SearchLimits | None = None
    """Limits of every move, in place of the agents' own."""
    control: TimeControl | None = None
    """Clock of each agent without a clock of its own; an agent that runs out of time loses."""
    move_timeout_s: float = 60.0
    """Grace period after the move limit before an unresponsive agent forfeits (games without a
    clock)."""
    adjudication: Adjudication = field(default_factory=Adjudication)
    """Which games end early."""

    def __post_init__(self) -> None:
        if not 0.001 <= self.move_timeout_s <= LONGEST_S:
            raise ConfigError(
                f"expected the timeout of a move to be from 0.001 to {LONGEST_S} seconds, "
                f"got {self.move_timeout_s!r}"
            )


@dataclass(frozen=True, slots=True)
class Task:
    """A game to play."""

    player1: str
    player2: str
    """The agents, by their strings."""
    game: str
    """The game's name."""
    settings: dict[str, str] = field(hash=False)
    """The game's settings, as a record has them."""
    start: str
    """The opening: the position the game starts from."""
    round: int = 1
    """How many times these players, with these colours, play this opening by then."""
    label: str = ""
    """The game's place in the tournament, for its record."""
    conditions: Conditions = field(default_factory=Conditions)

    @property
    def key(self) -> tuple[str, str, str, int]:
        """Identifies the game within its tournament."""
        return self.player1, self.player2, self.start, self.round

    @property
    def controls(self) -> dict[int, TimeControl | None]:
        """The clock of each player: the one in the agent's string, or the common one."""
        return {
            player: split_clock(spec)[1] or self.conditions.control
            for player, spec in ((1, self.player1), (2, self.player2))
        }

    @property
    def tags(self) -> dict[str, str]:
        """The tags of its record."""
        tags = {"Player1": self.player1, "Player2": self.player2, "Round": self.label}
        tags |= control_tags(self.controls)
        return {name: value for name, value in tags.items() if value}

    def start_state(self) -> State:
        """The position it starts from."""
        state: State = registry.get(self.game).start(self.settings, self.start)
        return state

    @classmethod
    def of(
        cls,
        player1: str,
        player2: str,
        opening: State,
        *,
        round: int = 1,  # noqa: A002  the field's name
        label: str = "",
        conditions: Conditions | None = None,
    ) -> Task:
        """A game from an opening."""
        game = opening.game
        return cls(
            player1,
            player2,
            game.name,
            game.settings(opening),
            opening.text(),
            round,
            label,
            conditions or Conditions(),
        )


@dataclass(frozen=True, slots=True)
class GameResult:
    """A game that was played to its end or to a forfeit."""

    task: Task
    record: Record
    nodes: tuple[int, int] = (0, 0)
    """Positions that players 1 and 2 searched, 0 for an agent that does not report them."""
    seconds: tuple[float, float] = (0.0, 0.0)
    """Time that players 1 and 2 spent on their moves."""
    forfeit: ForfeitKind | None = None
    """How the loser forfeited the game; None for a game that was decided on the board."""
    last_words: str = ""
    """The last line of the program that forfeited the game, if it wrote any."""

    @property
    def forfeited_by(self) -> str | None:
        """The agent that forfeited the game, if one did."""
        if self.forfeit is None:
            return None
        return self.task.player2 if self.record.result == "1-0" else self.task.player1

    def points(self, agent: str) -> float:
        """Points of one of the two agents: 1, 0.5 or 0."""
        return self.record.points((self.task.player1, self.task.player2).index(agent) + 1)
